// Totals, each from the whole list of events.

import { add, thresholdsIn } from '../numbers.ts'
import type { Aggregation, Filters, Game, Goal } from './types.ts'

/** An event that counts, in its place in the history. */
export interface Happened {
  at: number
  date: string
  metric: string
  value: number
  attributes: Filters
}

export const matches = (filters: Filters | undefined, attributes: Filters): boolean =>
  Object.entries(filters ?? {}).every(([key, value]) => attributes[key] === value)

export function aggregationOf(game: Game, metric: string): Aggregation {
  return game.metrics[metric]?.aggregation ?? 'sum'
}

/** null: there is no event. */
export function totalOf(aggregation: Aggregation, values: readonly number[]): number | null {
  if (values.length === 0) return null
  switch (aggregation) {
    case 'sum':
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

export function valuesOf(events: readonly Happened[], { metric, eventAttributes }: Counted): number[] {
  return events
    .filter((event) => event.metric === metric && matches(eventAttributes, event.attributes))
    .map(({ value }) => value)
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

export function isReached(game: Game, events: readonly Happened[], goal: Goal): boolean {
  const total = totalIn(game, events, goal)
  if (total === null) return false
  return aggregationOf(game, goal.metric) === 'min' ? total <= goal.value : total >= goal.value
}

export function timesIn(game: Game, events: readonly Happened[], goal: Goal): number {
  return Number(thresholdsIn(highestIn(game, events, goal), goal.value))
}
