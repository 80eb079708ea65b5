import { revokedAt } from '../../rules/achievement.ts'
import type { Instant } from '../../rules/calendar.ts'
import type { Entry } from '../../rules/entry.ts'
import { dateIn } from '../../rules/fold.ts'
import type { ChallengeMark, Completion, UserState } from '../../rules/state.ts'
import type { Steps } from '../../storage/steps.ts'
import { windowKey } from '../accept/derived-rows.ts'
import type { Replay } from './replay.ts'

/** Achievements that were completed, or completed more often, than the replay finds, oldest first. */
export function lostCompletions(
  before: Pick<UserState, 'completions'> | null,
  { state }: Pick<Replay, 'state'>,
): readonly (readonly [string, Completion])[] {
  return (
    [...(before?.completions ?? [])]
      .filter(([achievement, { count }]) => (state?.completions.get(achievement)?.count ?? 0) < count)
      // At one instant it sorts by key, because the order of a map depends on its storage.
      .sort(([a, left], [b, right]) => left.at - right.at || (a < b ? -1 : 1))
  )
}

/**
 * Achievements that were completed and that the replay does not find at all, oldest first: their first completion stays.
 * The later completions of one that repeats follow the log, as points do. A completion that the log of a merged user
 * revokes is kept from then on.
 */
export function lostAchievements(
  before: Pick<UserState, 'completions'> | null,
  replayed: Pick<Replay, 'state'>,
): readonly (readonly [string, Completion])[] {
  return lostCompletions(before, replayed)
    .filter(([achievement]) => replayed.state?.completions.has(achievement) !== true)
    .map(([achievement, { entryId, at }]) => {
      const revoked = replayed.state === null ? null : revokedAt(replayed.state, achievement)
      return [achievement, { entryId, at: Math.max(at, revoked ?? at), count: 1 }]
    })
}

/** The entry that keeps a completion at its instant. `insertAgain` gives it an epoch. */
export function keepCompletion(
  achievement: string,
  { at, count }: Completion,
  made: { readonly id: string; readonly seq: number; readonly recordedAt: Instant },
): Entry {
  const dating = dateIn('UTC', at)
  const often = count > 1 ? { count } : {}
  return { ...made, at, epoch: 0, dating, profile: null, kind: 'completionKept', achievement, ...often }
}

/** Quests that were completed and that the replay does not find completed, oldest first. */
export function lostQuests(before: readonly ChallengeMark[], { rows }: Pick<Replay, 'rows'>): readonly ChallengeMark[] {
  return before
    .filter((mark) => mark.completedAt !== null && rows.challenges.get(windowKey(mark))?.completedAt == null)
    .sort(
      (left, right) =>
        (left.completedAt ?? 0) - (right.completedAt ?? 0) || (windowKey(left) < windowKey(right) ? -1 : 1),
    )
}

/** The entry that keeps a completed quest at its instant, as `keepCompletion`. */
export function keepQuestEntry(
  { challenge, quest, start, end, completedAt }: ChallengeMark,
  made: { readonly id: string; readonly seq: number; readonly recordedAt: Instant },
): Entry {
  const at = completedAt ?? 0
  return {
    ...made,
    at,
    epoch: 0,
    dating: dateIn('UTC', at),
    profile: null,
    kind: 'challengeKept',
    challenge,
    quest,
    start,
    end,
  }
}

/** Completions that a replay must not take away. */
export interface KeepOptions {
  /** How many completions can get lost at most: a completion gets lost once, because an entry keeps it then. */
  readonly most: number
  /** Replays with the entries that keep completions. Returns `null` if the log cannot be replayed. */
  replay(kept: readonly Entry[]): Steps<Replay | null>
  /** Entries for the completions that the replay does not find. */
  toKeep(replayed: Replay): readonly Entry[]
}

/** Replays, and again while completions get lost, with an entry for each that keeps it. */
export function* replayKeeping({ most, replay, toKeep }: KeepOptions): Steps<Replay | null> {
  const kept: Entry[] = []
  for (let rounds = 0; rounds <= most; rounds += 1) {
    const replayed = yield* replay(kept)
    if (replayed === null) return null
    const more = toKeep(replayed)
    if (more.length === 0) return replayed
    kept.push(...more)
  }
  throw new RangeError('A completion got lost although an entry keeps it')
}
