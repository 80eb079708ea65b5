import { type Day, endOfDate, type Instant, isDateInZone, lastDayOf, type Period, periodOf } from './calendar.ts'
import type { Game, StreakRule } from './game.ts'
import { zoneOf } from './profile.ts'
import type { StreakState, UserState } from './state.ts'
import { streakOf } from './streaks.ts'

/** The periods of one streak that are over and could be missed, one after the other. */
export interface EndedPeriods {
  readonly rule: StreakRule
  readonly streak: StreakState
  readonly zone: string
  /** The next of them. None is left once it is `current`. */
  period: Period
  readonly current: Period
  /** When `period` ends; null: not computed yet. */
  ends: Instant | null
}

/** The periods before the current one that are not settled yet; null: there are none, or no streak runs. */
export function beginPeriods(game: Game, rule: StreakRule, state: UserState, today: Day): EndedPeriods | null {
  const streak = streakOf(state, rule.key)
  if (streak.length === 0 || streak.kept === null) return null
  const current = periodOf(rule.frequency, game.weekStartsOn, today)
  if (streak.kept + 1 >= current) return null
  const ended = { rule, streak, zone: zoneOf(state.profile), period: streak.kept, current, ends: null }
  goOn(ended)
  return ended
}

/** Goes on to the next period that exists in the zone. */
export function goOn(ended: EndedPeriods): void {
  const { rule, zone, current } = ended
  ended.ends = null
  do ended.period += 1
  while (ended.period < current && rule.frequency === 'daily' && !isDateInZone(zone, ended.period))
}

/**
 * The streak whose period ended first; of several that ended at one instant, the first in the list. null: none is left.
 */
export function firstEnded({ weekStartsOn }: Game, all: readonly EndedPeriods[]): EndedPeriods | null {
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
