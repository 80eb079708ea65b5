import { type Day, periodOf, type WeekStart } from '../../rules/calendar.ts'
import { type Aggregation, aggregationOf, type Game } from '../../rules/game.ts'
import { add } from '../../rules/total.ts'
import type { SumsOfUsers, YearSums } from '../../runtime/year-cache.ts'
import type { LoggedValue } from '../../sql/log.ts'
import { type ActivitySums, addToSums, datesOfYear, getOrCreate } from './active-days.ts'

/** The change against the sum before in percent, in two decimals. From 0 it is 100 up, -100 down, or 0. */
export function percentChange(now: number, before: number): number {
  if (before === 0) return Math.sign(now) * 100 + 0
  return roundTo2((add(now, -before) / Math.abs(before)) * 100)
}

/** Halves are rounded away from 0. Numbers beyond the safe integers are cut off at these. */
export function roundTo2(number: number): number {
  const size = Math.min(Number.MAX_SAFE_INTEGER, Math.round(Math.abs(number) * 100) / 100)
  return Math.sign(number) * size + 0
}

type Value = Omit<LoggedValue, 'at' | 'seq'>

/** The week, the month and the year of a date; none for a date of another year. */
export type NamePeriods = (date: Day) => readonly [week: string, month: string, year: string] | readonly []

export function periodsOfYear(year: number, weekStartsOn: WeekStart): NamePeriods {
  const { from, to } = datesOfYear(year)
  const known = new Map<Day, ReturnType<NamePeriods>>()
  return (date) => {
    if (date < from || date > to) return []
    return getOrCreate(known, date, () => {
      const [week, month] = [periodOf('weekly', weekStartsOn, date), periodOf('monthly', weekStartsOn, date)]
      return [`week ${week}`, `month ${month}`, 'year']
    })
  }
}

/** Sums up all events of a tenant, then all awards. The values of one user have to come together. */
export interface YearSumming {
  seeEvents(values: readonly Value[]): void
  seeAwards(values: readonly Value[]): void
  end(): YearSums
}

export function startYearSums(game: Game, namePeriods: NamePeriods): YearSumming {
  const periods = new Map<string, SumsOfUsers>()
  const activeIn = new Map<string, ReadonlySet<string>>()
  const events = sumUsers(
    namePeriods,
    (metric) => aggregationOf(game, metric),
    (user, sums) => {
      for (const [name, ofUser] of sums) {
        const period = getOrCreate(periods, name, () => ({ active: 0, metrics: new Map(), points: new Map() }))
        period.active += 1
        addUser(period.metrics, ofUser)
      }
      activeIn.set(user, new Set(sums.keys()))
    },
  )
  const awards = sumUsers(
    namePeriods,
    () => 'sum',
    (user, sums) => {
      for (const [name, ofUser] of sums) {
        const period = activeIn.get(user)?.has(name) ? periods.get(name) : undefined
        if (period !== undefined) addUser(period.points, ofUser)
      }
    },
  )
  return {
    seeEvents: events.see,
    seeAwards: (values) => {
      events.close()
      awards.see(values)
    },
    end: () => {
      events.close()
      awards.close()
      return periods
    },
  }
}

type UserSums = ReadonlyMap<string, ReadonlyMap<string, number>>

function sumUsers(
  namePeriods: NamePeriods,
  aggregationFor: (key: string) => Aggregation,
  closeUser: (user: string, sums: UserSums) => void,
) {
  let open: string | null = null
  let sums = new Map<string, Map<string, number>>()
  const close = (): void => {
    if (open !== null) closeUser(open, sums)
    open = null
    sums = new Map()
  }
  const see = (values: readonly Value[]): void => {
    for (const { user, key, date, value } of values) {
      if (user !== open) close()
      open = user
      for (const name of namePeriods(date)) {
        const ofPeriod = getOrCreate(sums, name, () => new Map<string, number>())
        addToSums(ofPeriod, key, value, aggregationFor(key))
      }
    }
  }
  return { see, close }
}

function addUser(to: Map<string, number[]>, sums: ReadonlyMap<string, number>): void {
  for (const [key, sum] of sums) getOrCreate(to, key, () => []).push(sum)
}

/**
 * Compares a user with all users who had an event in a period, the user included, by each of the user's keys. A user
 * without a value for a key has 0. `period` may be older than `own`.
 */
export function percentilesIn(
  game: Game,
  period: SumsOfUsers | undefined,
  { metrics, points }: ActivitySums,
): KeyPercentiles {
  const active = period?.active ?? 0
  return {
    metrics: new Map(
      [...metrics].map(([key, { sum = 0 }]) => [
        key,
        percentileOf(period?.metrics.get(key) ?? [], sum, active, aggregationOf(game, key)),
      ]),
    ),
    points: new Map([...points].map(([key, sum]) => [key, percentileOf(period?.points.get(key) ?? [], sum, active)])),
  }
}

/** In percent. A user without events has the sum 0. If the total is no sum, any value is better than none. */
function percentileOf(sums: readonly number[], own: number, active: number, aggregation: Aggregation = 'sum'): number {
  let better = aggregation === 'sum' && own < 0 ? active - sums.length : 0
  for (const sum of sums) if (aggregation === 'min' ? sum < own : sum > own) better += 1
  // A user who came later is not among them.
  const all = Math.max(active, better + 1)
  return roundTo2(((all - better) / all) * 100)
}

/** In percent. */
export interface KeyPercentiles {
  readonly metrics: ReadonlyMap<string, number>
  readonly points: ReadonlyMap<string, number>
}
