import { toCompletedAchievement, visibleAchievements } from '../../answers/achievements.ts'
import type { DateRange } from '../../record/replay/log-range.ts'
import { type Day, toDateText } from '../../rules/calendar.ts'
import type { Game } from '../../rules/game.ts'
import type { Run } from '../../rules/leaderboard.ts'
import type { Completion, UserState } from '../../rules/state.ts'
import type * as Types from '../../shapes/year.ts'
import type { StreakPeriod } from '../../storage/rows.ts'
import {
  type ActiveDays,
  type ActivitySums,
  type Compared,
  comparedYear,
  datesOfYear,
  type MetricSums,
  type MostActive,
  sumDays,
  toLongestStreak,
} from './active-days.ts'
import { type KeyPercentiles, percentChange } from './percentiles.ts'

/** All that the year in review of a user is made of. */
export interface YearFacts {
  readonly game: Game
  readonly state: UserState
  readonly year: number
  readonly days: ActiveDays
  /** The sums over all of these days. */
  readonly ever: ActivitySums
  readonly most: MostActive
  /** `null` if none are shown. */
  readonly percentiles: Percentiles | null
  /** By achievement, its completions in their order; of one that repeats also those before the newest. */
  readonly completed: ReadonlyMap<string, readonly DatedCompletion[]>
  readonly ranks: readonly YearRank[]
  /** All, newest first. */
  readonly periods: readonly StreakPeriod[]
}

export interface DatedCompletion extends Pick<Completion, 'at' | 'count'> {
  /** The local date. */
  readonly date: Day
}

export type Percentiles = { readonly [Period in 'week' | 'month' | 'year']: KeyPercentiles }

/** The user's current position in a run of a leaderboard. */
export interface YearRank {
  readonly run: Run
  readonly answer: Types.WrappedLeaderboard
}

const NOTHING: Types.WrappedPeriod = { metrics: {}, points: {}, achievements: [], leaderboards: {} }

export function toActivity(facts: YearFacts): Types.WrappedActivity {
  const { game, year, most, percentiles, periods: rows } = facts
  const { daysActive, weeksActive, monthsActive, day, week, month, periods } = most
  const toShown = (compared: Compared | undefined, of?: KeyPercentiles): Types.WrappedPeriod =>
    compared === undefined ? NOTHING : toPeriod(facts, compared, of)
  return {
    daysActive,
    weeksActive,
    monthsActive,
    mostActiveDay: { date: toDateText(day), ...toShown(periods?.day) },
    mostActiveWeek: {
      start: toDateText(week.from),
      end: toDateText(week.to),
      ...toShown(periods?.week, percentiles?.week),
    },
    mostActiveMonth: { month, ...toShown(periods?.month, percentiles?.month) },
    entireYear: {
      ...toShown(comparedYear(year), percentiles?.year),
      longestStreak: toLongestStreak(game, rows, datesOfYear(year)),
    },
  }
}

function toPeriod(facts: YearFacts, { now, before }: Compared, percentiles?: KeyPercentiles): Types.WrappedPeriod {
  const { game, state, completed, ranks, days } = facts
  const [done, last] = [sumDays(game, days, now), sumDays(game, days, before)]
  const achievements = visibleAchievements(game, state).flatMap((achievement) => {
    const newest = completed.get(achievement.key)?.findLast(({ date }) => now.from <= date && date <= now.to)
    return newest === undefined ? [] : [toCompletedAchievement(game, achievement, newest)]
  })
  return {
    metrics: toMetrics(facts, done, last, percentiles),
    points: toPoints(facts, done, last, percentiles),
    achievements,
    leaderboards: Object.fromEntries(bestRanks(ranks, now).map(({ answer }) => [answer.key, answer])),
  }
}

/** Metrics and points systems that the game has no more are left out. */
function toMetrics(
  { game, state, ever }: YearFacts,
  now: ActivitySums,
  before: ActivitySums,
  percentiles: KeyPercentiles | undefined,
): Types.WrappedPeriod['metrics'] {
  const entries = [...game.metrics.values()].flatMap(({ key, name, unit }) => {
    const sums = now.metrics.get(key)
    if (sums === undefined) return []
    const last = before.metrics.get(key)
    const metric: Types.WrappedMetric = {
      ...toChange(name, state.totals.get(key)?.total ?? 0, sums.sum ?? 0, last?.sum ?? 0),
      ...(unit === null ? {} : { units: unit }),
      ...toPercentile(percentiles?.metrics.get(key)),
      byAttribute: toValues(name, sums, last, ever.metrics.get(key)),
    }
    return [[key, metric] as const]
  })
  return Object.fromEntries(entries)
}

function toValues(
  name: string,
  now: MetricSums,
  before: MetricSums | undefined,
  ever: MetricSums | undefined,
): Types.WrappedMetric['byAttribute'] {
  const toValue = (attribute: string, value: string, sum: number): Types.WrappedValue => {
    const of = (sums: MetricSums | undefined): number => sums?.byAttribute.get(attribute)?.get(value) ?? 0
    return toChange(name, of(ever), sum, of(before))
  }
  // `fromEntries` makes a property of every name, `__proto__` too.
  return Object.fromEntries(
    [...now.byAttribute].map(([attribute, values]) => [
      attribute,
      Object.fromEntries(greatest(values).map(([value, sum]) => [value, toValue(attribute, value, sum)])),
    ]),
  )
}

/** An attribute may have another value at every event. */
const MOST_VALUES = 100

function greatest(values: ReadonlyMap<string, number>): readonly (readonly [value: string, sum: number])[] {
  if (values.size <= MOST_VALUES) return [...values]
  return [...values].sort(([, left], [, right]) => right - left).slice(0, MOST_VALUES)
}

function toPoints(
  { game, state }: YearFacts,
  now: ActivitySums,
  before: ActivitySums,
  percentiles: KeyPercentiles | undefined,
): Types.WrappedPeriod['points'] {
  const entries = [...game.points.values()].flatMap(({ key, name, description }) => {
    const awarded = now.points.get(key)
    if (awarded === undefined) return []
    const change = toChange(name, state.points.get(key)?.total ?? 0, awarded, before.points.get(key) ?? 0)
    return [[key, { ...change, description, ...toPercentile(percentiles?.points.get(key)) }] as const]
  })
  return Object.fromEntries(entries)
}

function toChange(name: string, currentTotal: number, changeThisPeriod: number, before: number): Types.WrappedValue {
  return { name, currentTotal, changeThisPeriod, percentChange: percentChange(changeThisPeriod, before) }
}

function toPercentile(percentile: number | undefined): { readonly percentileThisPeriod?: number } {
  return percentile === undefined ? {} : { percentileThisPeriod: percentile }
}

/** The best rank on each leaderboard, then the earliest, in the order of the leaderboards. */
function bestRanks(ranks: readonly YearRank[], { from, to }: DateRange): readonly YearRank[] {
  const best = new Map<string, YearRank>()
  for (const each of ranks) {
    const { run, answer } = each
    if (run.from > to || (run.to !== null && run.to < from)) continue
    const known = best.get(answer.key)
    if (known === undefined || compareRanks(each, known) < 0) best.set(answer.key, each)
  }
  return [...best.values()]
}

function compareRanks(a: YearRank, b: YearRank): number {
  return (a.answer.rank ?? Number.MAX_VALUE) - (b.answer.rank ?? Number.MAX_VALUE) || a.run.from - b.run.from
}
