import type { Change } from './change.ts'
import type { Entry, EventRecorded } from './entry.ts'
import { aggregationOf, countedAttribute, countsEvents, type Game, matches, type Tallied } from './game.ts'
import { addOn, greatestAround } from './limit.ts'
import type { RunningTotal, UserState } from './state.ts'
import { addTo } from './total.ts'

/** The total that counts towards a rule: the metric's total, or the rule's own tally. */
export function runningOf({ tally, metric }: Tallied, { totals, tallies }: UserState): RunningTotal | undefined {
  return tally === null ? totals.get(metric) : tallies.get(tally)
}

export function tallyEvent(game: Game, before: UserState, entry: Entry & EventRecorded): readonly Change[] {
  const changes: Change[] = []
  for (const rule of game.byMetric.get(entry.metric)?.tallied ?? []) {
    const { tally } = rule
    if (tally === null || !isCounted(rule, before, entry)) continue
    const value = countsEvents(rule) ? 1 : entry.value
    const known = before.tallies.get(tally)
    if ('within' in rule && rule.within !== null) {
      const sums = addOn(before.dateSums.get(tally) ?? [], entry.dating.date, value, rule.within)
      // The tally is the best window so far.
      const best = Math.max(known?.total ?? 0, greatestAround(rule.within, sums, entry.dating.date))
      changes.push(
        { type: 'dateSummed', key: tally, sums },
        { type: 'tallyChanged', rule: tally, total: best, highest: best },
      )
    } else {
      const aggregation = countsEvents(rule) ? 'sum' : aggregationOf(game, entry.metric)
      changes.push({ type: 'tallyChanged', rule: tally, ...addTo(aggregation, known, value) })
    }
  }
  return changes
}

/** User attributes filter which events a trigger counts, but only who may complete an achievement. */
function isCounted(rule: Tallied, { profile }: UserState, { attributes }: EventRecorded): boolean {
  if (!matches(rule.eventAttributes, attributes)) return false
  return !('threshold' in rule) || matches(rule.userAttributes, profile.attributes)
}

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
