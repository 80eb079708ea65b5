import type { Instant } from '../../rules/calendar.ts'
import type { Entry, EntryKind } from '../../rules/entry.ts'
import type { Context, CurrentGame } from '../../runtime/context.ts'
import { runSteps, type Steps, wait } from '../../storage/steps.ts'
import type { StoredUser, UserSave } from '../../storage/storage.ts'
import { keepCompletion, keepQuestEntry, lostCompletions, lostQuests, replayKeeping } from './keep-completions.ts'
import { insertAgain } from './late-entries.ts'
import type { ReadChunk } from './read-log.ts'
import { replay } from './replay.ts'
import { toNewUserSave } from './replay-save.ts'

/** The name of a boost that was given to one user may be about that user. */
const ANONYMOUS_BOOST = 'Boost'

const STAYS: { readonly [Kind in EntryKind]: readonly string[] } = {
  eventRecorded: ['metric', 'value', 'attributes'],
  achievementClaimed: ['achievement'],
  completionKept: ['achievement', 'count'],
  preferencesChanged: ['streak', 'leaderboards', 'gamification'],
  freezesGranted: ['count', 'streakKey'],
  pauseCreated: ['start', 'end'],
  pauseDeleted: [],
  streakRestored: ['streakKey'],
  streakReset: ['streakKey'],
  eventVoided: ['revokes'],
  eventApproved: [],
  granted: ['achievements', 'counts', 'points'],
  userMerged: [],
  userSuspended: ['from'],
  userRestored: [],
  userUpserted: [],
  boostGiven: ['system', 'start', 'end', 'multiplier', 'rounding'],
  boostChanged: ['start', 'end', 'multiplier', 'rounding'],
  boostDeleted: [],
  pointsAdjusted: ['system', 'amount', 'fromEarned'],
  achievementGranted: ['achievement'],
  achievementRevoked: ['achievement'],
  challengeEnrolled: ['challenge'],
  challengeAbandoned: ['challenge'],
  challengeClaimed: ['challenge', 'quest'],
  challengeReplaced: ['challenge', 'quest'],
  challengeKept: ['challenge', 'quest', 'start', 'end'],
  pointsSpent: ['system', 'amount'],
  pointsHeld: ['system', 'amount', 'until'],
  holdCaptured: ['amount'],
  holdReleased: [],
  pointsRefunded: ['amount'],
  rewardRedeemed: ['reward', 'system', 'amount', 'gives', 'stocked'],
  redemptionFulfilled: ['redeemed'],
  redemptionCancelled: ['redeemed'],
}

/** Members that are ids of other entries. */
const REFERRING: ReadonlySet<string> = new Set(['event', 'pause', 'boost', 'voidedBy', 'spend', 'hold', 'redemption'])

/**
 * An entry that does not identify its user. Its values, instant, date and zone stay, because streaks and sums follow from
 * them. Texts that people wrote, keys that callers chose and the ids made of these are gone.
 */
function toAnonymousEntry(entry: Entry, newIdOf: (id: string, at: Instant) => string): Entry {
  const { id, kind, seq, at, recordedAt, epoch, dating } = entry
  const newId = newIdOf(id, at)
  // The zone stays, for local dates are dates in it.
  const profile = entry.profile?.tz === undefined ? null : { tz: entry.profile.tz }
  const given = Object.entries(entry).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    if (STAYS[kind].includes(name)) return [[name, value]]
    if (REFERRING.has(name)) return [[name, newIdOf(value, at)]]
    if (name === 'reason') return [[name, null]]
    if (name === 'name' && kind === 'boostGiven') return [[name, ANONYMOUS_BOOST]]
    if (name === 'notifications') return [[name, new Map()]]
    if (name === 'idempotencyKey' && kind === 'eventRecorded') return [[name, null]]
    // It only matters that there was a key, not which one.
    return name === 'idempotencyKey' && kind === 'achievementClaimed' ? [[name, newId]] : []
  })
  const place = { id: newId, seq, at, recordedAt, epoch, dating, profile }
  // Another name is never made anonymous.
  if (kind === 'userMerged') return { ...place, kind: 'userUpserted' }
  return { ...Object.fromEntries(given), kind, ...place } as Entry
}

/**
 * A replay without all that identifies the user. Achievements stay completed, even if only users with some attribute
 * could complete them. Returns null if an entry has an unknown game.
 */
export function* toAnonymousSave(
  { newId, now: clock }: Pick<Context, 'newId' | 'now'>,
  readLog: ReadChunk,
  current: CurrentGame,
  storedUser: StoredUser,
  anonymousId: string,
): Steps<UserSave | null> {
  const ids = new Map<string, string>()
  const now = clock()
  // The same entry has one new id, wherever it is named.
  const newIdOf = (id: string, at: Instant): string => {
    const known = ids.get(id) ?? newId(at)
    ids.set(id, known)
    return known
  }
  let lines: Entry[] = []
  function* readAnonymous(options: Parameters<ReadChunk>[0]): Steps<readonly Entry[]> {
    const chunk = yield* wait(readLog(options))
    if (options.after === undefined) lines = []
    const own = chunk.map((entry) => toAnonymousEntry(entry, newIdOf))
    lines.push(...own)
    return own
  }

  const { state } = storedUser
  const read: ReadChunk = (options) => runSteps(readAnonymous(options))
  const replayed = yield* replayKeeping({
    most: (state?.completions.size ?? 0) + storedUser.challenges.length,
    replay(kept) {
      const inserted = kept.map((entry, index) =>
        insertAgain(current, { ...entry, seq: lines.length + 1 + index }, false),
      )
      return replay(read, current, inserted, { user: anonymousId, lines: state?.seq ?? 0 })
    },
    toKeep: (found) => {
      const made = () => ({ id: newId(now), seq: 0, recordedAt: now })
      return [
        ...lostCompletions(state, found).map(([achievement, completion]) =>
          keepCompletion(achievement, completion, made()),
        ),
        ...lostQuests(storedUser.challenges, found).map((mark) => keepQuestEntry(mark, made())),
      ]
    },
  })
  return replayed && toNewUserSave(current, lines, replayed)
}
