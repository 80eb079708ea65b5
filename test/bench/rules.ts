import { formatInTimeZone } from 'date-fns-tz'
import { localDate } from '../../src/rules/calendar.ts'
import { advance } from '../../src/rules/decide.ts'
import type { Entry } from '../../src/rules/entry.ts'
import { dateIn } from '../../src/rules/fold.ts'
import { emptyState } from '../../src/rules/state.ts'
import { type BenchEvent, events, game } from './game.ts'
import { microseconds, table } from './measure.ts'
import type { Size } from './sizes.ts'

const START = Date.parse('2026-03-02T12:00:00Z')

/** The rules alone, and a local date. */
export function benchRules({ events: count, dates }: Size['rules']): string {
  const source = events(1, 7)
  const entries = Array.from({ length: count }, (_, index): Entry => {
    const { metric, value } = source.next().value as BenchEvent
    const at = START + index * 60_000
    const base = { id: `entry-${index}`, seq: index + 1, at, recordedAt: at, epoch: 1, dating: dateIn('UTC', at) }
    return { ...base, profile: null, kind: 'eventRecorded', metric, value, attributes: new Map(), idempotencyKey: null }
  })
  let state = emptyState(START, 1)
  const rules = microseconds(entries.length, (index) => {
    state = advance(game.rules, state, entries[index] as Entry).state
  })
  const zone = 'America/New_York'
  const warm = microseconds(dates, (index) => localDate(zone, START + (index % 1_000) * 60_000))
  const cold = microseconds(dates / 20, (index) => localDate(zone, START - index * 900_000 * 37))
  const library = microseconds(dates / 50, (index) => formatInTimeZone(START + index * 60_000, zone, 'yyyy-MM-dd'))
  return table(
    'Without a database',
    ['', 'µs', 'of date-fns-tz'],
    [
      ['the rules, one event', rules, ''],
      ['a local date, quarter of an hour known', warm, warm / library],
      ['a local date, quarter of an hour new', cold, cold / library],
      ['a local date by date-fns-tz', library, 1],
    ],
  )
}
