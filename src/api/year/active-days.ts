import type { DateRange } from '../../record/replay/log-range.ts'
import {
  type Day,
  type Frequency,
  firstDayOf,
  firstDayOfYear,
  lastDayOf,
  type Period,
  periodOf,
  toDateText,
  type WeekStart,
} from '../../rules/calendar.ts'
import { type Aggregation, aggregationOf, type Game } from '../../rules/game.ts'
import { aggregate } from '../../rules/total.ts'
import type { WrappedStreak } from '../../shapes/year.ts'
import type { DatedValue, LoggedEvent } from '../../sql/log.ts'
import type { StreakPeriod } from '../../storage/rows.ts'

/** The totals of a metric's events: of all of them, and by attribute and value. */
export interface MetricSums {
  sum: number | undefined
  readonly byAttribute: Map<string, Map<string, number>>
}

/** The activity of a user on the dates of a range. */
export interface ActivitySums {
  /** How many there are. */
  events: number
  readonly metrics: Map<string, MetricSums>
  /** Points from awards, by points system. */
  readonly points: Map<string, number>
}

export type ActiveDays = ReadonlyMap<Day, ActivitySums>

function createActivity(): ActivitySums {
  return { events: 0, metrics: new Map(), points: new Map() }
}

export function addEvents(game: Game, days: Map<Day, ActivitySums>, events: readonly LoggedEvent[]): void {
  for (const { date, metric, value, attributes } of events) {
    const day = getOrCreate(days, date, createActivity)
    day.events += 1
    const sums = getOrCreate(day.metrics, metric, createSums)
    const aggregation = aggregationOf(game, metric)
    sums.sum = aggregate(aggregation, sums.sum, value)
    for (const [attribute, of] of attributes) {
      addToSums(getOrCreate(sums.byAttribute, attribute, createMap), of, value, aggregation)
    }
  }
}

export function addAwarded(
  days: Map<Day, ActivitySums>,
  system: string,
  awarded: readonly Pick<DatedValue, 'date' | 'value'>[],
): void {
  for (const { date, value } of awarded) addToSums(getOrCreate(days, date, createActivity).points, system, value)
}

export function sumDays(game: Game, days: ActiveDays, { from, to }: DateRange): ActivitySums {
  const all = createActivity()
  for (const [date, { events, metrics, points }] of days) {
    if (date < from || date > to) continue
    all.events += events
    for (const [system, awarded] of points) addToSums(all.points, system, awarded)
    for (const [metric, { sum, byAttribute }] of metrics) {
      const sums = getOrCreate(all.metrics, metric, createSums)
      const aggregation = aggregationOf(game, metric)
      if (sum !== undefined) sums.sum = aggregate(aggregation, sums.sum, sum)
      for (const [attribute, values] of byAttribute) {
        const known = getOrCreate(sums.byAttribute, attribute, createMap)
        for (const [of, value] of values) addToSums(known, of, value, aggregation)
      }
    }
  }
  return all
}

const createSums = (): MetricSums => ({ sum: undefined, byAttribute: new Map() })
const createMap = (): Map<string, number> => new Map()

export function getOrCreate<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = create()
  map.set(key, made)
  return made
}

export function addToSums(sums: Map<string, number>, key: string, value: number, by: Aggregation = 'sum'): void {
  sums.set(key, aggregate(by, sums.get(key), value))
}

/** A period, as far as it counts, and the whole one before it. */
export interface Compared {
  readonly now: DateRange
  readonly before: DateRange
}

export interface MostActive {
  readonly daysActive: number
  readonly weeksActive: number
  readonly monthsActive: number
  readonly day: Day
  /** Whole. */
  readonly week: DateRange
  /** 0 is January. */
  readonly month: number
  /** `null` if there was no event in the year. */
  readonly periods: { readonly [Name in 'day' | 'week' | 'month']: Compared } | null
}

function datesOf(frequency: Frequency, weekStartsOn: WeekStart, period: Period): DateRange {
  return { from: firstDayOf(frequency, weekStartsOn, period), to: lastDayOf(frequency, weekStartsOn, period) }
}

export function datesOfYear(year: number): DateRange {
  return { from: firstDayOfYear(year), to: firstDayOfYear(year + 1) - 1 }
}

export function comparedYear(year: number): Compared {
  return { now: datesOfYear(year), before: datesOfYear(year - 1) }
}

/** The earliest of the days, weeks and months with the most events. `days`: how many events each had. */
export function findMostActive(
  days: ReadonlyMap<Day, { readonly events: number }>,
  year: number,
  weekStartsOn: WeekStart,
): MostActive {
  const { from, to } = datesOfYear(year)
  const active = [...days].filter(([date, { events }]) => date >= from && date <= to && events > 0)
  const count = (frequency: Frequency): ReadonlyMap<Period, number> => {
    const counts = new Map<Period, number>()
    for (const [date, { events }] of active) {
      const period = periodOf(frequency, weekStartsOn, date)
      counts.set(period, (counts.get(period) ?? 0) + events)
    }
    return counts
  }
  const [byDay, byWeek, byMonth] = [count('daily'), count('weekly'), count('monthly')]
  const day = most(byDay) ?? from
  const week = most(byWeek) ?? periodOf('weekly', weekStartsOn, from)
  const month = most(byMonth)
  const rangeOf = (frequency: Frequency, period: Period): DateRange => datesOf(frequency, weekStartsOn, period)
  const wholeWeek = rangeOf('weekly', week)
  const counts = { daysActive: byDay.size, weeksActive: byWeek.size, monthsActive: byMonth.size }
  const shown = { ...counts, day, week: wholeWeek, month: month === null ? 0 : month % 12 }
  if (month === null) return { ...shown, periods: null }
  return {
    ...shown,
    periods: {
      day: { now: rangeOf('daily', day), before: rangeOf('daily', day - 1) },
      week: {
        now: { from: Math.max(wholeWeek.from, from), to: Math.min(wholeWeek.to, to) },
        before: rangeOf('weekly', week - 1),
      },
      month: { now: rangeOf('monthly', month), before: rangeOf('monthly', month - 1) },
    },
  }
}

function most(counts: ReadonlyMap<Period, number>): Period | null {
  let best: readonly [period: Period, count: number] | null = null
  for (const [period, count] of counts) {
    if (best === null || count > best[1] || (count === best[1] && period < best[0])) best = [period, count]
  }
  return best?.[0] ?? null
}

/**
 * The longest streak of the periods that counted on dates of a range; of equal ones the earliest. `rows`: all of the
 * user's, newest first.
 */
export function toLongestStreak(game: Game, rows: readonly StreakPeriod[], { from, to }: DateRange): WrappedStreak {
  const frequency = game.streak?.frequency ?? 'daily'
  const { weekStartsOn } = game
  const toDates = ({ start }: StreakPeriod): DateRange =>
    datesOf(frequency, weekStartsOn, periodOf(frequency, weekStartsOn, start))
  const ascending = rows.toReversed()
  let best = -1
  for (const [index, row] of ascending.entries()) {
    const dates = toDates(row)
    if (row.kind !== 'counted' || dates.from > to || dates.to < from) continue
    if (isBetter(ascending, best, index)) best = index
  }
  const last = ascending[best]
  if (game.streak === null || last === undefined) {
    return { length: 0, frequency, periodStart: null, periodEnd: null, started: null }
  }
  const dates = toDates(last)
  return {
    length: last.length,
    frequency,
    periodStart: toDateText(dates.from),
    periodEnd: toDateText(dates.to),
    started: toDateText(firstOf(ascending, best).start),
  }
}

/** True for the period of a longer streak than the best, or for a later one of the same streak. */
function isBetter(rows: readonly StreakPeriod[], best: number, index: number): boolean {
  const [known, row] = [rows[best], rows[index]]
  if (known === undefined || row === undefined) return true
  if (row.length !== known.length) return row.length > known.length
  return rows.slice(best + 1, index + 1).every(({ length }) => length === known.length)
}

/** The first period of the streak that a period belongs to; periods of another streak in between are passed over. */
function firstOf(rows: readonly StreakPeriod[], index: number): StreakPeriod {
  let first = rows[index] as StreakPeriod
  for (const row of rows.slice(0, index).toReversed()) {
    if (first.kind === 'counted' && first.length === 1) break
    if (row.length === first.length || (first.kind === 'counted' && row.length === first.length - 1)) first = row
  }
  return first
}
