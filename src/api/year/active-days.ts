import type { Day } from '../../rules/calendar.ts'
import { add } from '../../rules/total.ts'
import type { DateRange, LoggedEvent, LoggedValue } from '../../storage/storage.ts'

/** What events of a metric added: all of them, and by attribute and value. */
export interface MetricSums {
  sum: number
  readonly byAttribute: Map<string, Map<string, number>>
}

/** What a user did on the dates of a range. */
export interface Activity {
  /** How many there are. */
  events: number
  readonly metrics: Map<string, MetricSums>
  /** What awards gave, by points system. */
  readonly points: Map<string, number>
}

export type ActiveDays = ReadonlyMap<Day, Activity>

function createActivity(): Activity {
  return { events: 0, metrics: new Map(), points: new Map() }
}

/** Adds events to the days that they were on. */
export function addEvents(days: Map<Day, Activity>, events: readonly LoggedEvent[]): void {
  for (const { date, metric, value, attributes } of events) {
    const day = getOrCreate(days, date, createActivity)
    day.events += 1
    const sums = getOrCreate(day.metrics, metric, createSums)
    sums.sum = add(sums.sum, value)
    for (const [attribute, of] of attributes) addTo(getOrCreate(sums.byAttribute, attribute, createMap), of, value)
  }
}

/** Adds what awards of a points system gave. */
export function addAwarded(
  days: Map<Day, Activity>,
  system: string,
  awarded: readonly Pick<LoggedValue, 'date' | 'value'>[],
): void {
  for (const { date, value } of awarded) addTo(getOrCreate(days, date, createActivity).points, system, value)
}

/** All that was done on the dates of a range. */
export function sumDays(days: ActiveDays, { from, to }: DateRange): Activity {
  const all = createActivity()
  for (const [date, { events, metrics, points }] of days) {
    if (date < from || date > to) continue
    all.events += events
    for (const [system, awarded] of points) addTo(all.points, system, awarded)
    for (const [metric, { sum, byAttribute }] of metrics) {
      const sums = getOrCreate(all.metrics, metric, createSums)
      sums.sum = add(sums.sum, sum)
      for (const [attribute, values] of byAttribute) {
        const known = getOrCreate(sums.byAttribute, attribute, createMap)
        for (const [of, value] of values) addTo(known, of, value)
      }
    }
  }
  return all
}

const createSums = (): MetricSums => ({ sum: 0, byAttribute: new Map() })
const createMap = (): Map<string, number> => new Map()

export function getOrCreate<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = create()
  map.set(key, made)
  return made
}

export function addTo(sums: Map<string, number>, key: string, value: number): void {
  sums.set(key, add(sums.get(key) ?? 0, value))
}
