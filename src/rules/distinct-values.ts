import type { Entry, EventRecorded } from './entry.ts'
import { countedAttribute, type Game } from './game.ts'

/**
 * The longest attribute value that a metric with the aggregation `distinct` counts, because databases limit the size of
 * an index entry.
 */
export const LONGEST_VALUE = 255

/**
 * The stored form of the value. Returns an empty text if the event has no value, and `null` if the metric has another
 * aggregation.
 */
export function distinctValue(
  game: Game,
  { metric, attributes }: Pick<EventRecorded, 'metric' | 'attributes'>,
): string | null {
  const attribute = countedAttribute(game, metric)
  if (attribute === null) return null
  const value = attributes.get(attribute)
  return value === undefined || value.length > LONGEST_VALUE ? '' : `${attribute}=${value}`
}

export function asCounted<Event extends EventRecorded>(event: Event): Event {
  return event.newValue === undefined ? event : { ...event, value: event.newValue === '' ? 0 : 1 }
}

export function newValueOf(entry: Entry): string | undefined {
  return entry.kind === 'eventRecorded' ? entry.newValue : undefined
}

export function withNewValue(entry: Entry, newValue: string | undefined): Entry {
  if (entry.kind !== 'eventRecorded' || entry.newValue === newValue) return entry
  const { newValue: _, ...event } = entry
  return newValue === undefined ? event : { ...event, newValue }
}

/** In a replay from the first line, finds the events with new values. */
export function startValues(): (game: Game, entry: Entry) => Entry {
  const seen = new Set<string>()
  return (game, entry) => {
    const value = entry.kind === 'eventRecorded' ? distinctValue(game, entry) : null
    if (entry.kind !== 'eventRecorded' || value === null || entry.voidedBy !== undefined) {
      return withNewValue(entry, undefined)
    }
    const key = `${entry.metric} ${value}`
    const isNew = value !== '' && !seen.has(key)
    seen.add(key)
    return withNewValue(entry, isNew ? value : '')
  }
}
