import type { Day } from './calendar.ts'
import type { DateSum } from './state.ts'
import { add } from './total.ts'

const BACKWARD = 2

/** Dates after `date` count as well, so the order in which events arrive does not matter. */
export function greatestAround(days: number, sums: readonly DateSum[], date: Day): number {
  const byDate = new Map(sums.map((each) => [each.date, each.sum]))
  const after = [0]
  for (let ahead = 1; ahead < days; ahead += 1) {
    after.push(add(after[ahead - 1] ?? 0, byDate.get(date + ahead) ?? 0))
  }
  let greatest = 0
  let before = 0
  for (let back = 0; back < days; back += 1) {
    before = add(before, byDate.get(date - back) ?? 0)
    greatest = Math.max(greatest, add(before, after[days - 1 - back] ?? 0))
  }
  return greatest
}

/** The sums with a value added on a date. Dates too old to lie in a window of a later event are dropped. */
export function addOn(known: readonly DateSum[], date: Day, value: number, days: number): readonly DateSum[] {
  const sum = add(known.find((each) => each.date === date)?.sum ?? 0, value)
  const sums = [...known.filter((each) => each.date !== date), { date, sum }].sort((a, b) => a.date - b.date)
  const oldest = (sums.at(-1)?.date ?? date) - days - BACKWARD
  return sums.filter((each) => each.date > oldest)
}
