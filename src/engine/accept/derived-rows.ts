import { awardId } from '../../game/ids.ts'
import type { AboutStreak, Change } from '../../rules/change.ts'
import type { Entry } from '../../rules/entry.ts'
import type { Boost, Game } from '../../rules/game.ts'
import type { UserState } from '../../rules/state.ts'
import { type Award, type AwardedBoost, type LeaderboardRow, periodKey, type StreakPeriod } from '../../storage-rows.ts'

/**
 * Rows derived from a log that grow with it, unlike the state, which is bounded: every award, every period that
 * counted.
 */
export interface DerivedRows {
  /** By entry and trigger (`awardKey`), in the order in which they were given. */
  readonly awards: Map<string, AwardFacts>
  /** By streak and first date (`periodKey`). */
  readonly periods: Map<string, StreakPeriod>
  /** By leaderboard and run (`leaderboardRowKey`). */
  readonly leaderboards: Map<string, LeaderboardRow>
}

/** An award whose id, which follows from its entry and trigger, has not been made yet. */
export type AwardFacts = Omit<Award, 'id'>

export function awardKey({ entryId, trigger }: AwardFacts): string {
  return `${entryId} ${trigger}`
}

/** `id`: where it is known, it need not be made again. */
export function toAwardRow(facts: AwardFacts, id?: string): Award {
  const { system, trigger, entryId, at, seq, ordinal, awarded, total, boosts } = facts
  const row = { system, trigger, entryId, at, seq, ordinal, awarded, total }
  return { id: id ?? awardId(entryId, trigger), ...row, ...(boosts === undefined ? {} : { boosts }) }
}

export function noDerivedRows(): DerivedRows {
  return { awards: new Map(), periods: new Map(), leaderboards: new Map() }
}

export function leaderboardRowKey({ leaderboard, run }: Pick<LeaderboardRow, 'leaderboard' | 'run'>): string {
  return `${run} ${leaderboard}`
}

const PERIODS = {
  streakStarted: 'counted',
  streakExtended: 'counted',
  streakHeld: 'counted',
  streakFrozen: 'frozen',
  streakPaused: 'paused',
} as const

type PeriodChange = Extract<Change, { readonly type: keyof typeof PERIODS }>

function isPeriod(change: Change): change is PeriodChange {
  return Object.hasOwn(PERIODS, change.type)
}

/** Adds the rows of leaderboards that a state knows: those of the newest runs, which alone may still change. */
export function addLeaderboardRows({ leaderboards }: DerivedRows, state: UserState): void {
  for (const [leaderboard, entries] of state.leaderboards) {
    for (const { run, group, value, reachedAt, until } of entries) {
      const row = { leaderboard, run, group, value, reachedAt, until }
      leaderboards.set(leaderboardRowKey(row), row)
    }
  }
}

/** Adds what an entry led to. */
export function addDerivedRows(rows: DerivedRows, entry: Entry, changes: readonly Change[]): void {
  let ordinal = 0
  for (const change of changes) {
    if (change.type === 'pointsAwarded') {
      const { system, trigger, awarded, total, boosts } = change
      const place = { entryId: entry.id, at: entry.at, seq: entry.seq, ordinal }
      const boosted = boosts === undefined ? {} : { boosts: boosts.map(toAwardedBoost) }
      const facts = { system, trigger, awarded, total, ...place, ...boosted }
      rows.awards.set(awardKey(facts), facts)
      ordinal += 1
    } else if (isPeriod(change)) {
      putPeriod(rows, change, { start: change.date, length: change.length, kind: PERIODS[change.type] })
    } else if (change.type === 'streakRestored' && change.date !== null) {
      putPeriod(rows, change, { start: change.date, length: change.streak.length, kind: 'counted' })
    } else if (change.type === 'leaderboardScored') {
      const { run, group, value, reachedAt, until } = change.entry
      const row = { leaderboard: change.leaderboard, run, group, value, reachedAt, until }
      rows.leaderboards.set(leaderboardRowKey(row), row)
    } else if (change.type === 'leaderboardLeft') {
      const { leaderboard, previous } = change
      rows.leaderboards.delete(leaderboardRowKey({ leaderboard, run: previous.run }))
    }
  }
}

function putPeriod(rows: DerivedRows, { key }: AboutStreak, counted: StreakPeriod): void {
  const period = key === undefined ? counted : { ...counted, streak: key }
  rows.periods.set(periodKey(period), period)
}

/** What an award keeps of a boost that multiplied it. */
function toAwardedBoost({ id, name, start, end, multiplier, rounding }: Boost): AwardedBoost {
  return { id, name, start, end, multiplier, rounding }
}

/** Keys of the leaderboards of some rows that have no limit. */
export function unlimitedOf({ leaderboards }: Game, rows: readonly LeaderboardRow[]): readonly string[] {
  const keys = new Set(rows.map(({ leaderboard }) => leaderboard))
  return [...keys].filter((key) => leaderboards.get(key)?.maxParticipants === null)
}
