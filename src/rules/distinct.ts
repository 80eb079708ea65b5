import type { Entry, EventRecorded } from './entry.ts'
import { countedAttribute, type Game } from './game.ts'

/** The longest attribute value that a metric with the aggregation `distinct` counts: databases limit what they index. */
export const LONGEST_VALUE = 255

/** The value as storages keep it; empty: the event brings none; null: the metric has another aggregation. */
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

/**
 * Finds in a fold which events bring new values. A fold from the first line goes by the lines alone. A fold from a later
 * one goes by what they say, and by the values that it has seen or that a void has released.
 */
export function startValues(isFromFirst: boolean): (game: Game, entry: Entry) => Entry {
  const seen = new Map<string, boolean>()
  return (game, entry) => {
    const value = entry.kind === 'eventRecorded' ? distinctValue(game, entry) : null
    if (entry.kind !== 'eventRecorded' || value === null) return withNewValue(entry, undefined)
    if (value === '') return withNewValue(entry, entry.voidedBy === undefined ? '' : undefined)
    const key = `${entry.metric} ${value}`
    if (entry.voidedBy !== undefined) {
      if (entry.newValue === value && !seen.has(key)) seen.set(key, false)
      return withNewValue(entry, undefined)
    }
    const isKnown = seen.get(key) ?? (!isFromFirst && entry.newValue === '')
    seen.set(key, true)
    return withNewValue(entry, isKnown ? '' : value)
  }
}
