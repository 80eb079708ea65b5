import { type Day, endOfDate, firstDayOf, type Instant, lastDayOf, type Period, periodOf } from './calendar.ts'
import type { Change } from './change.ts'
import type { Entry } from './entry.ts'
import { evolve } from './evolve.ts'
import type { FreezePool, Game, StreakRule } from './game.ts'
import { zoneOf } from './profile.ts'
import type { Freezes, Preferences, StreakState, UserState } from './state.ts'
import { about, canMiss, earnFreezes, freezesOf, isPaused, streakOf, todayAt } from './streak.ts'
import { payTimers } from './time-points.ts'

/** The periods of one streak that are over and could be missed, one after the other. */
export interface EndedPeriods {
  readonly rule: StreakRule
  readonly streak: StreakState
  readonly zone: string
  readonly preferences: Preferences
  /** The next of them. None is left once it is `current`. */
  period: Period
  readonly current: Period
  /** When `period` ends; null: not computed yet. */
  ends: Instant | null
}

/** The periods before the current one that are not settled yet; null: there are none, or no streak runs. */
function beginPeriods(game: Game, rule: StreakRule, state: UserState, today: Day): EndedPeriods | null {
  const streak = streakOf(state, rule.key)
  const { preferences } = state
  if (streak.length === 0 || streak.kept === null) return null
  const current = periodOf(rule.frequency, game.weekStartsOn, today)
  if (streak.kept + 1 >= current) return null
  const ended = { rule, streak, zone: zoneOf(state.profile), preferences, period: streak.kept, current, ends: null }
  goOn(ended)
  return ended
}

/** Goes on to the next period that can be missed. */
function goOn(ended: EndedPeriods): void {
  const { rule, zone, preferences, current } = ended
  ended.ends = null
  do ended.period += 1
  while (ended.period < current && !canMiss(rule, zone, preferences, ended.period))
}

/** The streak whose period ended first; at one instant, the first in the list. null: none is left. */
function firstEnded({ weekStartsOn }: Game, all: readonly EndedPeriods[]): EndedPeriods | null {
  let first: EndedPeriods | null = null
  let end: Instant = Number.POSITIVE_INFINITY
  for (const ended of all) {
    if (ended.period >= ended.current) continue
    if (all.length === 1) return ended
    const { rule, zone, period } = ended
    // By the instant, not by the date: a date that the zone left out ends with the one before.
    ended.ends ??= endOfDate(zone, lastDayOf(rule.frequency, weekStartsOn, period))
    if (ended.ends < end) [first, end] = [ended, ended.ends]
  }
  return first
}

/**
 * What the time from the newest entry until `at` did: what time triggers paid, and what became of the streak. The first
 * step of every decision; reads call it too and throw the result away. `entry`: the one that is decided, if any.
 */
export function settle(game: Game, state: UserState, at: Instant, entry?: Entry): readonly Change[] {
  return settleTo(game, state, at, () => todayAt(state, at, entry), entry)
}

/** `settle`, where `todayOf` says which local date it is at `at`. */
export function settleTo(
  game: Game,
  state: UserState,
  at: Instant,
  todayOf: () => Day,
  entry?: Entry,
): readonly Change[] {
  const streaks = settleStreaksTo(game, state, todayOf)
  if (game.timedSystems.length === 0) return streaks
  return [...payTimers(game, state, at, todayOf(), entry), ...streaks]
}

/** What became of the streaks: freezes are consumed, pauses taken, streaks lost. */
export function settleStreaks(game: Game, state: UserState, at: Instant): readonly Change[] {
  return settleStreaksTo(game, state, () => todayAt(state, at))
}

function settleStreaksTo(game: Game, state: UserState, todayOf: () => Day): readonly Change[] {
  const changes: Change[] = []
  loseWithoutRule(changes, game, state)
  let today: Day | null = null
  for (const pool of game.freezePools) {
    if (!isMovedByTime(pool, state)) continue
    today ??= todayOf()
    settlePool(changes, game, pool, state, today)
  }
  return changes
}

export function settled(game: Game, state: UserState, at: Instant): UserState {
  return settle(game, state, at).reduce(evolve, state)
}

function loseWithoutRule(changes: Change[], game: Game, { streak, streaks }: UserState): void {
  if (game.streak === null && streak.length > 0) changes.push(lose(streak, null))
  if (streaks.size === 0) return
  for (const [key, named] of streaks) {
    if (!game.streaks.has(key) && named.streak.length > 0) changes.push({ ...lose(named.streak, null), key })
  }
}

function isMovedByTime(pool: FreezePool, state: UserState): boolean {
  if ((freezesOf(state, pool[0])?.nextEarned ?? null) !== null) return true
  for (const { key } of pool) if (streakOf(state, key).length > 0) return true
  return false
}

/**
 * Goes through the periods that are over, of all streaks that use the same freezes, in the order in which they ended.
 * At the local midnight that ends a missed period a freeze is consumed, or the streak is lost. Freezes earned at that
 * same midnight come too late for it.
 */
function settlePool(changes: Change[], game: Game, pool: FreezePool, state: UserState, today: Day): void {
  const [owner] = pool
  const rule = owner.freezes
  let freezes = freezesOf(state, owner)
  const earnBefore = (date: Day): void => {
    if (rule === null || freezes === null) return
    const earned = earnFreezes(rule, freezes, date)
    if (earned === freezes) return
    changes.push({ type: 'freezesEarned', ...about(owner), count: earned.count - freezes.count, freezes: earned })
    freezes = earned
  }
  const all = pool.map((each) => beginPeriods(game, each, state, today)).filter((ended) => ended !== null)
  for (let ended = firstEnded(game, all); ended !== null; ended = firstEnded(game, all)) {
    const { rule: streakRule, streak, period } = ended
    const { frequency } = streakRule
    const { length } = streak
    const which = about(streakRule)
    const date = firstDayOf(frequency, game.weekStartsOn, period)
    goOn(ended)
    if (isPaused(state.pauses, frequency, game.weekStartsOn, period)) {
      changes.push({ type: 'streakPaused', ...which, period, date, length })
      continue
    }
    earnBefore(firstDayOf(frequency, game.weekStartsOn, period + 1))
    if (rule === null || freezes === null || freezes.count === 0) {
      changes.push({ ...lose(streak, period), ...which })
      all.splice(all.indexOf(ended), 1)
      continue
    }
    freezes = { ...(freezes satisfies Freezes), count: freezes.count - 1 }
    const shared = streakRule.sharesFreezes ? { isShared: true as const } : null
    changes.push({ type: 'streakFrozen', ...which, period, date, length, freezes, ...shared })
  }
  earnBefore(today + 1)
}

function lose(streak: StreakState, missed: Period | null): Extract<Change, { type: 'streakLost' }> {
  const { length, last, started, firstAt, extendedAt } = streak
  return { type: 'streakLost', length, lost: { length, last, missed, started, firstAt, extendedAt } }
}
