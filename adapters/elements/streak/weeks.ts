import { toDayNumber } from '../parts/formats.ts'

/** Seven days from the first of the week on; null: not in the history. */
export type Week<Day> = readonly (Day | null)[]

/** Days by weeks, for a calendar with a column each. `weekStartsOn`: 1 is Monday, 7 Sunday. */
export function toWeeks<Day extends { readonly start: string }>(
  days: readonly Day[],
  weekStartsOn: number,
): readonly Week<Day>[] {
  const weeks: (Day | null)[][] = []
  const toPlace = (date: string): number => (toDayNumber(date) ?? 0) + THURSDAY - weekStartsOn
  const first = Math.floor(toPlace(days[0]?.start ?? '') / 7)
  for (const day of days) {
    const place = toPlace(day.start)
    const index = Math.floor(place / 7) - first
    if (index < 0 || index > MOST_WEEKS) continue
    while (weeks.length <= index) weeks.push(new Array(7).fill(null))
    weeks[index]?.splice(((place % 7) + 7) % 7, 1, day)
  }
  return weeks
}

/** The day with the number 0, 1970-01-01. */
const THURSDAY = 4
/** Of a calendar that begins anywhere. */
const MOST_WEEKS = 60

export interface MonthOfWeeks {
  /** A date in it. */
  readonly date: string
  /** How many weeks, one after the other, begin in it. */
  readonly weeks: number
}

/** The months above the columns: a week is of the month in which its first day lies. */
export function toMonths(weeks: readonly Week<{ readonly start: string }>[]): readonly MonthOfWeeks[] {
  const months: { date: string; weeks: number }[] = []
  for (const week of weeks) {
    const date = week.find((day) => day !== null)?.start ?? ''
    const last = months.at(-1)
    if (last !== undefined && last.date.slice(0, 7) === date.slice(0, 7)) last.weeks += 1
    else months.push({ date, weeks: 1 })
  }
  return months
}
