import { type Day, toDateText } from './calendar.ts'
import type { Change } from './change.ts'
import type { Entry, EventRecorded } from './entry.ts'
import type { Game, Limit } from './game.ts'
import { quoteName } from './names.ts'
import type { DateSum, UserState } from './state.ts'
import { add } from './total.ts'

/** By metric key, or by the key of a tally with a window: what events added on single dates, in ascending order of the date. */
export type DateSums = UserState['dateSums']

export interface Exceeded {
  readonly limit: Limit
  readonly left: number
  /** The first later date with room for the event's value, or `null` if there never is. */
  readonly room: Day | null
}

export function limitsOf({ metrics }: Game, metric: string): readonly Limit[] {
  return metrics.get(metric)?.limits ?? []
}

/** True if an entry uses limits of its metric: values of 0 or less neither use nor refund them. */
export function usesLimits(game: Game, entry: Entry): entry is Entry & EventRecorded {
  if (entry.kind !== 'eventRecorded' || entry.value <= 0 || entry.voidedBy !== undefined) return false
  return limitsOf(game, entry.metric).length > 0
}

/**
 * The limit that an event would exceed, given the sums around its date, or `null` if there is none. Refusing limits go
 * first.
 */
export function findExceeded(game: Game, sums: DateSums, entry: Entry): Exceeded | null {
  if (!usesLimits(game, entry)) return null
  const known = sums.get(entry.metric) ?? []
  const { date } = entry.dating
  const exceeded = limitsOf(game, entry.metric).filter((limit) => isExceeded(limit, known, date, entry.value))
  const limit = exceeded.find(({ holds }) => !holds) ?? exceeded[0]
  if (limit === undefined) return null
  const left = Math.max(0, add(limit.value, -greatestAround(limit.days, known, date)))
  return { limit, left, room: firstRoom(limit, known, date, entry.value) }
}

function isExceeded(limit: Limit, sums: readonly DateSum[], date: Day, value: number): boolean {
  return add(greatestAround(limit.days, sums, date), value) > limit.value
}

function firstRoom(limit: Limit, sums: readonly DateSum[], date: Day, value: number): Day | null {
  if (value > limit.value) return null
  let day = date + 1
  while (isExceeded(limit, sums, day, value)) day += 1
  return day
}

export function sumDate(game: Game, state: UserState, { metric, value }: EventRecorded, date: Day): readonly Change[] {
  const limits = limitsOf(game, metric)
  if (limits.length === 0 || value <= 0) return []
  const days = Math.max(...limits.map((limit) => limit.days))
  return [{ type: 'dateSummed', key: metric, sums: addOn(state.dateSums.get(metric) ?? [], date, value, days) }]
}

export function addOnDate(sums: Map<string, Map<Day, number>>, { metric, value, dating }: Entry & EventRecorded): void {
  const dates = sums.get(metric) ?? new Map<Day, number>()
  sums.set(metric, dates.set(dating.date, add(dates.get(dating.date) ?? 0, value)))
}

export function toDateSums(sums: ReadonlyMap<Day, number>): readonly DateSum[] {
  return [...sums].map(([date, sum]) => ({ date, sum })).sort((left, right) => left.date - right.date)
}

/** The sums of the metrics for which a game has limits, and of the rules that have a window. */
export function keepDateSums(game: Game, sums: DateSums): DateSums {
  const kept = [...sums].filter(([key]) => limitsOf(game, key).length > 0 || game.windows.has(key))
  return kept.length === sums.size ? sums : new Map(kept)
}

export function describeExceeded({ metric, value, dating }: Entry & EventRecorded, exceeded: Exceeded): string {
  const { limit, left, room } = exceeded
  const per = limit.days === 1 ? 'per day' : `in any ${limit.days} days`
  const date = toDateText(dating.date)
  const isLeft = `${left} ${left === 1 ? 'is' : 'are'} left on ${date}, and the event adds ${value}`
  const when =
    room === null
      ? `An event may add at most ${limit.value}.`
      : `From ${toDateText(room)} on there is room for it again.`
  return `The limit of ${quoteName(metric)} is ${limit.value} ${per}: ${isLeft}. ${when}`
}

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
