import {
  type Day,
  type Frequency,
  firstDayOf,
  firstDayOfYear,
  lastDayOf,
  type Period,
  periodOf,
  type WeekStart,
} from '../../rules/calendar.ts'
import type { DateRange } from '../../storage/storage.ts'

/** A period, as far as it counts, and the whole one before it. */
export interface Compared {
  readonly now: DateRange
  readonly before: DateRange
}

export interface ComparedPeriods {
  readonly day: Compared
  readonly week: Compared
  readonly month: Compared
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
  /** null: there was no event in the year. */
  readonly periods: ComparedPeriods | null
}

/** The dates of a year. */
export function datesOfYear(year: number): DateRange {
  return { from: firstDayOfYear(year), to: firstDayOfYear(year + 1) - 1 }
}

export function comparedYear(year: number): Compared {
  return { now: datesOfYear(year), before: datesOfYear(year - 1) }
}

/**
 * The days, weeks and months with events, and those with the most, then the earliest. `days`: how many events each had.
 */
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
  const rangeOf = (frequency: Frequency, period: Period): DateRange => ({
    from: firstDayOf(frequency, weekStartsOn, period),
    to: lastDayOf(frequency, weekStartsOn, period),
  })
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

/** The period with the greatest count; of equal ones the earliest. */
function most(counts: ReadonlyMap<Period, number>): Period | null {
  let best: readonly [period: Period, count: number] | null = null
  for (const [period, count] of counts) {
    if (best === null || count > best[1] || (count === best[1] && period < best[0])) best = [period, count]
  }
  return best?.[0] ?? null
}
