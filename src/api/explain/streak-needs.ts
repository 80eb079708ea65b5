import { type Day, firstDayOf, lastDayOf, type Period, toDateText } from '../../rules/calendar.ts'
import type { Game, StreakRule } from '../../rules/game.ts'
import type { UserState } from '../../rules/state.ts'
import { streakOf } from '../../rules/streak.ts'
import type { PeriodDates, StreakNeed, StreakNeeds } from './facts.ts'
import { missingTo } from './rules.ts'

/** What a period has, with these changes of metrics in it. */
export function toNeeds(
  { evaluationMode, metrics }: StreakRule,
  sums: ReadonlyMap<string, number> | undefined,
): StreakNeeds {
  const needs = [...metrics].map(([metric, threshold]) => toNeed(metric, sums?.get(metric) ?? 0, threshold))
  return { evaluationMode, needs }
}

function toNeed(metric: string, sum: number, threshold: number | null): StreakNeed {
  if (threshold === null) return { metric, sum, threshold, isReached: sum > 0, missing: null }
  const isReached = sum >= threshold
  return { metric, sum, threshold, isReached, missing: isReached ? null : missingTo(sum, threshold) }
}

/** The dates of a period. */
export interface Span {
  readonly first: Day
  readonly last: Day
}

export function spanOf({ frequency }: StreakRule, { weekStartsOn }: Game, period: Period): Span {
  return { first: firstDayOf(frequency, weekStartsOn, period), last: lastDayOf(frequency, weekStartsOn, period) }
}

export function toPeriodDates({ first, last }: Span): PeriodDates {
  return { periodStart: toDateText(first), periodEnd: toDateText(last) }
}

/** The changes of the metrics in a period, as the rules remember them. */
export function sumsOf(state: UserState, { key }: StreakRule, period: Period): ReadonlyMap<string, number> | undefined {
  return streakOf(state, key).open.find((sums) => sums.period === period)?.sums
}
