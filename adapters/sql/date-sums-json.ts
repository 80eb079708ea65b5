import { toDateText } from '../../src/rules/calendar.ts'
import type { UserState } from '../../src/rules/state.ts'
import { toDay, toMap, toObject } from './stored-text.ts'

type DateSums = UserState['dateSums']

/** Sums by metric, then by date. */
type DateSumsJson = Readonly<Record<string, Readonly<Record<string, number>>>>

/** The column `date_sums` of a user's row; null: there are no sums. */
export function toDateSumsJson(sums: DateSums): string | null {
  if (sums.size === 0) return null
  const dates = [...sums].map(
    ([metric, list]) => [metric, Object.fromEntries(list.map(({ date, sum }) => [toDateText(date), sum]))] as const,
  )
  return JSON.stringify(toObject(new Map(dates)))
}

export function fromDateSumsJson(text: string | null): DateSums {
  if (text === null) return new Map()
  const json = toMap<string, DateSumsJson[string]>(JSON.parse(text))
  return new Map(
    [...json].map(([metric, dates]) => [
      metric,
      Object.entries(dates).map(([date, sum]) => ({ date: toDay(date), sum })),
    ]),
  )
}
