import { type Day, firstDayOf, firstDayOfYear, periodOf, type WeekStart, yearOf } from './calendar.ts'
import type { RecapFrequency } from './game.ts'

/** The first date of the period of a recap that a date lies in. */
export function firstDayOfRecap(frequency: RecapFrequency, weekStartsOn: WeekStart, date: Day): Day {
  if (frequency === 'yearly') return firstDayOfYear(yearOf(date))
  return firstDayOf(frequency, weekStartsOn, periodOf(frequency, weekStartsOn, date))
}

/** The first date of the period after it. */
export function firstDayOfNextRecap(frequency: RecapFrequency, weekStartsOn: WeekStart, date: Day): Day {
  if (frequency === 'yearly') return firstDayOfYear(yearOf(date) + 1)
  return firstDayOf(frequency, weekStartsOn, periodOf(frequency, weekStartsOn, date) + 1)
}
