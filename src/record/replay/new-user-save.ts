import type { Instant } from '../../rules/calendar.ts'
import { newValueOf, withNewValue } from '../../rules/distinct.ts'
import type { Entry, EntryBody, FreezesGranted, Granted, ProfilePatch, StreakRestored } from '../../rules/entry.ts'
import type { CurrentGame } from '../../runtime/context.ts'
import type { UserSave, UserView } from '../../storage/storage.ts'
import { chain, type Eventually } from '../../storage/sync-or-async.ts'
import { countChanges, toAwardRows, unlimitedOf } from '../accept/derived-rows.ts'
import { newestSnapshots } from '../accept/snapshot.ts'
import { insertAgain, keepCompletion, lostCompletions } from './late-entries.ts'
import type { ReadChunk } from './read-log.ts'
import type { Replay } from './replay.ts'
import { replay } from './replay.ts'

/**
 * The save of a user whose log is stored for the first time: its lines, in any order, and their fold. null: no lines.
 */
export function toNewUserSave(
  { game }: Pick<CurrentGame, 'game'>,
  lines: readonly Entry[],
  fold: Pick<Replay, 'state' | 'rows' | 'updatedEntries' | 'inserted' | 'snapshots'>,
): UserSave | null {
  const { state, rows, updatedEntries, inserted } = fold
  if (state === null) return null
  const updated = new Map(updatedEntries.map((entry) => [entry.seq, entry]))
  const dated = lines.map((line) => {
    const entry = updated.get(line.seq)
    return entry === undefined ? line : withNewValue({ ...line, dating: entry.dating }, newValueOf(entry))
  })
  const appended = [...dated, ...inserted.map(({ entry }) => entry)].sort((left, right) => left.seq - right.seq)
  const leaderboards = [...rows.leaderboards.values()]
  return {
    before: null,
    after: state,
    appended,
    updatedEntries: appended.filter((entry) => entry.kind === 'eventRecorded' && entry.voidedBy !== undefined),
    awards: { put: toAwardRows(rows.awards.values()), remove: [] },
    periods: { put: [...rows.periods.values()], remove: [] },
    leaderboards: { put: leaderboards, remove: [] },
    unlimited: unlimitedOf(game, leaderboards),
    ranks: [],
    counted: countChanges(null, state),
    snapshots: { after: 0, put: newestSnapshots(fold) },
  }
}

/**
 * True if a save has every entry that it counts. A log that changes while it is read in chunks may show a later line
 * without the one before it. A replay of such lines must not be stored.
 */
export function isWhole({ before, after, appended }: UserSave): boolean {
  const seq = before?.seq ?? 0
  return after.seq === seq + appended.length && appended.every((entry, index) => entry.seq === seq + index + 1)
}

/** The name of a boost that was given to one user may be about that user. */
const ANONYMOUS_BOOST = 'Boost'

/** Gives entries new ids, the same one for the same entry whenever it is named. */
export type NewIdOf = (entryId: string, at: number) => string

/**
 * An entry that does not identify its user. Its values, instant, date and zone stay, because streaks and sums follow from
 * them. Texts that people wrote, keys that callers chose and the ids made of these are gone.
 */
function toAnonymousEntry(entry: Entry, newIdOf: NewIdOf): Entry {
  const { id, seq, at, recordedAt, epoch, dating, profile } = entry
  const base = { id: newIdOf(id, at), seq, at, recordedAt, epoch, dating, profile: toAnonymousProfile(profile) }
  return { ...base, ...toAnonymousBody(entry, newIdOf) }
}

function toGranted({ kind, achievements, counts, points }: Granted): Granted {
  return counts === undefined ? { kind, achievements, points } : { kind, achievements, counts, points }
}

/** The zone stays, for local dates are dates in it. */
function toAnonymousProfile(profile: ProfilePatch | null): ProfilePatch | null {
  return profile?.tz === undefined ? null : { tz: profile.tz }
}

function toAnonymousBody(entry: Entry, newIdOf: NewIdOf): EntryBody {
  const { at } = entry
  switch (entry.kind) {
    case 'eventRecorded': {
      const { kind, metric, value, attributes, voidedBy } = entry
      const event = { kind, metric, value, attributes, idempotencyKey: null }
      return voidedBy === undefined ? event : { ...event, voidedBy: newIdOf(voidedBy, at) }
    }
    case 'achievementClaimed': {
      const { kind, achievement, idempotencyKey } = entry
      // It only matters that there was a key, not which one.
      return idempotencyKey === undefined
        ? { kind, achievement }
        : { kind, achievement, idempotencyKey: newIdOf(entry.id, at) }
    }
    case 'completionKept': {
      const { kind, achievement, count } = entry
      return count === undefined ? { kind, achievement } : { kind, achievement, count }
    }
    case 'preferencesChanged':
      return { kind: entry.kind, notifications: new Map(), streak: entry.streak }
    case 'freezesGranted':
      return { kind: entry.kind, count: entry.count, ...whichStreak(entry) }
    case 'pauseCreated':
      return { kind: entry.kind, start: entry.start, end: entry.end }
    case 'pauseDeleted':
      return { kind: entry.kind, pause: newIdOf(entry.pause, at) }
    case 'eventApproved':
      return { kind: entry.kind, event: newIdOf(entry.event, at) }
    case 'eventVoided':
      return { kind: entry.kind, event: newIdOf(entry.event, at), reason: null, revokes: entry.revokes }
    case 'granted':
      return toGranted(entry)
    case 'userSuspended':
      return { kind: entry.kind, from: entry.from, reason: null }
    case 'boostGiven': {
      const { kind, system, start, end, multiplier, rounding } = entry
      return { kind, system, name: ANONYMOUS_BOOST, start, end, multiplier, rounding }
    }
    case 'boostChanged': {
      const { kind, start, end, multiplier, rounding } = entry
      return {
        kind,
        boost: newIdOf(entry.boost, at),
        ...(start === undefined ? {} : { start }),
        ...(end === undefined ? {} : { end }),
        ...(multiplier === undefined ? {} : { multiplier }),
        ...(rounding === undefined ? {} : { rounding }),
      }
    }
    case 'pointsAdjusted':
      return { kind: entry.kind, system: entry.system, amount: entry.amount, reason: null }
    case 'achievementGranted':
    case 'achievementRevoked':
      return { kind: entry.kind, achievement: entry.achievement, reason: null }
    case 'boostDeleted':
      return { kind: entry.kind, boost: newIdOf(entry.boost, at) }
    // Another name is never made anonymous.
    case 'userMerged':
      return { kind: 'userUpserted' }
    case 'streakRestored':
      return { kind: entry.kind, ...whichStreak(entry) }
    case 'userUpserted':
    case 'userRestored':
      return { kind: entry.kind }
    default:
      return entry satisfies never
  }
}

function whichStreak({ streakKey }: FreezesGranted | StreakRestored): { readonly streakKey?: string } {
  return streakKey === undefined ? {} : { streakKey }
}

export interface AnonymousSource {
  readonly readLog: ReadChunk
  readonly newId: (now: Instant) => string
  readonly now: Instant
}

/**
 * The save of a user under another id: a replay of the log without all that identifies the user. Achievements stay
 * completed, also those that only users with some attribute could complete.
 *
 * Returns null if an entry has an unknown game.
 */
export function toAnonymousSave(
  { readLog, newId, now }: AnonymousSource,
  current: CurrentGame,
  view: UserView,
): Eventually<UserSave | null> {
  const ids = new Map<string, string>()
  const newIdOf: NewIdOf = (id, at) => {
    const known = ids.get(id) ?? newId(at)
    ids.set(id, known)
    return known
  }
  let lines: Entry[] = []
  const read: ReadChunk = (options) =>
    chain(readLog(options), (chunk) => {
      if (options.after === undefined) lines = []
      const own = chunk.map((entry) => toAnonymousEntry(entry, newIdOf))
      lines.push(...own)
      return own
    })

  function foldWith(kept: readonly Entry[]): Eventually<UserSave | null> {
    const inserted = kept.map((entry) => insertAgain(entry, false))
    return chain(replay(read, current, inserted, { lines: view.state?.seq ?? 0 }), (fold) => {
      if (fold === null) return null
      const lost = lostCompletions(view.state, fold)
      if (lost.length === 0) return toNewUserSave(current, lines, fold)
      const more = lost.map(([achievement, completion], index) => {
        const seq = lines.length + kept.length + index + 1
        return keepCompletion(achievement, completion, { id: newId(now), seq, recordedAt: now })
      })
      return foldWith([...kept, ...more])
    })
  }
  return foldWith([])
}
