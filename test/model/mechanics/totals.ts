// Totals, each from the whole list of events.

import { addDays } from '../dates.ts'
import { add, thresholdsIn } from '../numbers.ts'
import type { Aggregation, Filters, Game, Goal } from './types.ts'

/** An event that counts, in its place in the history. */
export interface Happened {
  at: number
  date: string
  metric: string
  /** For a metric of different values: 1 for the first event of a value, and 0 for others. */
  value: number
  attributes: Filters
}

export const matches = (filters: Filters | undefined, attributes: Filters): boolean =>
  Object.entries(filters ?? {}).every(([key, value]) => attributes[key] === value)

export function aggregationOf(game: Game, metric: string): Aggregation {
  return game.metrics[metric]?.aggregation ?? 'sum'
}

/** Returns `null` if there is no event. */
export function totalOf(aggregation: Aggregation, values: readonly number[]): number | null {
  if (values.length === 0) return null
  switch (aggregation) {
    case 'sum':
    case 'distinct':
      return values.reduce(add, 0)
    case 'max':
      return Math.max(...values) + 0
    case 'min':
      return Math.min(...values) + 0
    case 'last':
      return (values.at(-1) ?? 0) + 0
  }
}

type Counted = Pick<Goal, 'metric' | 'eventAttributes'>

export function valuesOf(events: readonly Happened[], counted: Counted): number[] {
  return eventsOf(events, counted).map(({ value }) => value)
}

export function totalIn(game: Game, events: readonly Happened[], counted: Counted): number | null {
  return totalOf(aggregationOf(game, counted.metric), valuesOf(events, counted))
}

/** The highest that the total ever was, and at least 0. */
export function highestIn(game: Game, events: readonly Happened[], counted: Counted): number {
  const values = valuesOf(events, counted)
  const aggregation = aggregationOf(game, counted.metric)
  return Math.max(0, ...values.map((_, index) => totalOf(aggregation, values.slice(0, index + 1)) ?? 0))
}

/** The most that any so many consecutive dates ever had, and at least 0. */
export function bestWindow(events: readonly Happened[], days: number, amountOf: (event: Happened) => number): number {
  const sums = events.flatMap((_, index) => {
    const before = events.slice(0, index + 1)
    return before.map(({ date: first }) => {
      const own = before.filter(({ date }) => date >= first && date < addDays(first, days))
      return own.reduce((sum, event) => add(sum, amountOf(event)), 0)
    })
  })
  return Math.max(0, ...sums)
}

export function eventsOf(events: readonly Happened[], { metric, eventAttributes }: Counted): Happened[] {
  return events.filter((event) => event.metric === metric && matches(eventAttributes, event.attributes))
}

/** The values that an achievement or a criterion depends on. */
export function amountIn(game: Game, events: readonly Happened[], goal: Goal): number | null {
  if (goal.within === undefined) return totalIn(game, events, goal)
  return bestWindow(eventsOf(events, goal), goal.within.days, ({ value }) => value)
}

export function isReached(game: Game, events: readonly Happened[], goal: Goal): boolean {
  const total = amountIn(game, events, goal)
  if (total === null) return false
  return aggregationOf(game, goal.metric) === 'min' ? total <= goal.value : total >= goal.value
}

export function timesIn(game: Game, events: readonly Happened[], goal: Goal): number {
  return Number(thresholdsIn(highestIn(game, events, goal), goal.value))
}
