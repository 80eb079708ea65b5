import type { Instant } from '../../rules/calendar.ts'
import type { Entry, EntryKind } from '../../rules/entry.ts'
import type { Game } from '../../rules/game.ts'
import { isRunOf } from '../../rules/leaderboard.ts'
import { newValueOf, withNewValue } from '../../rules/tally.ts'
import type { Context, CurrentGame, Move } from '../../runtime/context.ts'
import { periodKey } from '../../storage/rows.ts'
import { runSteps, type Steps, wait } from '../../storage/steps.ts'
import type { UserSave, UserView } from '../../storage/storage.ts'
import {
  type AwardChanges,
  changedAwards,
  countChanges,
  leaderboardRowKey,
  rowDifference,
  toSnapshot,
  unlimitedOf,
} from '../accept/derived-rows.ts'
import { toMove, toRequests } from '../ranks/ranks.ts'
import { keepCompletion, lostCompletions, replayKeeping } from './keep-completions.ts'
import { insertAgain } from './late-entries.ts'
import type { ReadChunk } from './read-log.ts'
import { type Replay, replay } from './replay.ts'

type Folded = Pick<Replay, 'state' | 'rows' | 'updatedEntries' | 'inserted' | 'snapshots'>
type StoredView = Pick<UserView, 'state' | 'awards' | 'periods' | 'leaderboards'>

/** The save of all differences from the stored rows. The replayed log must have a line. */
export function toReplaySave(
  { game }: Pick<CurrentGame, 'game'>,
  view: StoredView,
  fold: Folded & Pick<Replay, 'skipped'>,
  { remove, put }: AwardChanges,
): UserSave {
  if (fold.state === null) throw new RangeError('There is no user without an entry')
  const oldRows = new Map(view.leaderboards.map((row) => [leaderboardRowKey(row), row]))
  const leaderboards = rowDifference(oldRows, fold.rows.leaderboards)
  const oldPeriods = new Map(view.periods.map((period) => [periodKey(period), period]))
  return {
    before: view.state,
    after: fold.state,
    appended: fold.inserted.map(({ entry }) => entry).sort((left, right) => left.seq - right.seq),
    updatedEntries: fold.updatedEntries,
    awards: { remove, put },
    periods: rowDifference(oldPeriods, fold.rows.periods),
    leaderboards,
    unlimited: unlimitedOf(game, leaderboards.put),
    ranks: toRequests(lateMoves(game, view, fold), 1),
    counted: countChanges(view.state, fold.state),
    snapshots: { after: fold.skipped, put: fold.snapshots.map(toSnapshot) },
  }
}

const NOT_STORED: StoredView = { state: null, awards: [], periods: [], leaderboards: [] }

/**
 * The save of a log that is stored for the first time: its lines, in any order, and their state. Returns `null` if
 * there are no lines.
 */
export function toNewUserSave(
  current: Pick<CurrentGame, 'game'>,
  lines: readonly Entry[],
  fold: Folded,
): UserSave | null {
  if (fold.state === null) return null
  const save = toReplaySave(current, NOT_STORED, { ...fold, skipped: 0 }, changedAwards([], fold.rows.awards))
  const updated = new Map(save.updatedEntries.map((entry) => [entry.seq, entry]))
  const dated = lines.map((line) => {
    const entry = updated.get(line.seq)
    return entry === undefined ? line : withNewValue({ ...line, dating: entry.dating }, newValueOf(entry))
  })
  const appended = [...dated, ...save.appended].sort((left, right) => left.seq - right.seq)
  const updatedEntries = appended.filter((entry) => entry.kind === 'eventRecorded' && entry.voidedBy !== undefined)
  return { ...save, appended, updatedEntries, ranks: [] }
}

/** False if the log changed while it was read in chunks: then a line may lack the one before it. */
export function isWhole({ before, after, appended }: UserSave): boolean {
  const seq = before?.seq ?? 0
  return after.seq === seq + appended.length && appended.every((entry, index) => entry.seq === seq + index + 1)
}

/** The moves that a replay made on each leaderboard, in the newest run that it changed. */
export function lateMoves(game: Game, view: Pick<UserView, 'leaderboards'>, fold: Folded): readonly Move[] {
  const [first] = fold.inserted
  const receivedAt = first?.entry.recordedAt ?? 0
  const dating = first?.entry.dating ?? null
  const stored = new Map(view.leaderboards.map((row) => [leaderboardRowKey(row), row]))
  const moves = new Map<string, Move>()
  const rows = [...fold.rows.leaderboards.values()].sort((left, right) => (left.run < right.run ? -1 : 1))
  for (const to of rows) {
    const { leaderboard } = to
    const known = game.leaderboards.get(leaderboard)
    const from = stored.get(leaderboardRowKey(to)) ?? null
    if (known === undefined || !isRunOf(known, to.run) || from?.value === to.value) continue
    moves.set(leaderboard, toMove(game, leaderboard, { from, to }, receivedAt, dating))
  }
  return [...moves.values()]
}

/** The name of a boost that was given to one user may be about that user. */
const ANONYMOUS_BOOST = 'Boost'

const STAYS: { readonly [Kind in EntryKind]: readonly string[] } = {
  eventRecorded: ['metric', 'value', 'attributes'],
  achievementClaimed: ['achievement'],
  completionKept: ['achievement', 'count'],
  preferencesChanged: ['streak'],
  freezesGranted: ['count', 'streakKey'],
  pauseCreated: ['start', 'end'],
  pauseDeleted: [],
  streakRestored: ['streakKey'],
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
  pointsAdjusted: ['system', 'amount'],
  achievementGranted: ['achievement'],
  achievementRevoked: ['achievement'],
}

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
    if (name === 'event' || name === 'pause' || name === 'boost' || name === 'voidedBy')
      return [[name, newIdOf(value, at)]]
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
  view: UserView,
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

  const { state } = view
  const read: ReadChunk = (options) => runSteps(readAnonymous(options))
  const fold = yield* replayKeeping({
    most: state?.completions.size ?? 0,
    replay(kept) {
      const inserted = kept.map((entry, index) =>
        insertAgain(current, { ...entry, seq: lines.length + 1 + index }, false),
      )
      return replay(read, current, inserted, { lines: state?.seq ?? 0 })
    },
    toKeep: (found) =>
      lostCompletions(state, found).map(([achievement, completion]) =>
        keepCompletion(achievement, completion, { id: newId(now), seq: 0, recordedAt: now }),
      ),
  })
  return fold && toNewUserSave(current, lines, fold)
}
