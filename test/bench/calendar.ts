import { formatInTimeZone } from 'date-fns-tz'
import { localDate, toDateText } from '../../src/rules/calendar.ts'
import { createRandom, DAY, ZONES } from '../support/zones.ts'
import { median, type Row, table } from './measure.ts'
import type { Size } from './sizes.ts'

/** What a local date may cost, in µs, where the offset of its quarter of an hour is known. */
const AIM = 0.2
const START = Date.parse('2026-03-02T12:00:00Z')
const SPAN = 7 * DAY

interface Moment {
  readonly zone: string
  readonly at: number
}

/** One who tells local dates. The slower ones are called less often: at a share of the moments. */
interface Contestant {
  readonly name: string
  readonly share: number
  tell(zone: string, at: number): string | number
}

const LAURELS: Contestant = { name: 'laurels', share: 1, tell: localDate }
const INTL: Contestant = { name: 'Intl.DateTimeFormat, kept', share: 0.1, tell: formatKept }
const DATE_FNS: Contestant = {
  name: 'date-fns-tz',
  share: 0.02,
  tell: (zone, at) => formatInTimeZone(at, zone, 'yyyy-MM-dd'),
}
const CONTESTANTS: readonly Contestant[] = [
  LAURELS,
  { name: 'laurels, as text', share: 1, tell: (zone, at) => toDateText(localDate(zone, at)) },
  INTL,
  DATE_FNS,
]

const formats = new Map<string, Intl.DateTimeFormat>()

function formatKept(zone: string, at: number): string {
  let format = formats.get(zone)
  if (format === undefined) {
    // Swedes write YYYY-MM-DD.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formats.set(zone, format)
  }
  return format.format(at)
}

/** Local dates at moments of one week, each in a zone of its own choice: of one zone, of ten, of all there are. */
export function benchCalendar(size: Size['calendar']): string {
  const ten = ZONES.filter((_, index) => index % Math.ceil(ZONES.length / 10) === 0)
  const rows = [['America/New_York'], ten, ZONES].flatMap((zones) => benchZones(zones, size))
  return table('Local dates, offsets known', ['', 'zones', 'µs', 'of Intl', 'of date-fns-tz', `under ${AIM} µs`], rows)
}

function benchZones(zones: readonly string[], { rounds, moments: count }: Size['calendar']): readonly Row[] {
  const random = createRandom(zones.length)
  const moments = Array.from({ length: count }, (): Moment => {
    const zone = zones[Math.floor(random() * zones.length)] as string
    return { zone, at: Math.floor(START + random() * SPAN) }
  })
  for (const { zone, at } of moments) localDate(zone, at)
  check(moments)

  const costs = new Map<string, number[]>(CONTESTANTS.map(({ name }) => [name, []]))
  // In turns, so that what else the machine does falls on all of them. The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const contestant of CONTESTANTS) {
      const cost = meanOf(contestant, moments)
      if (round > 0) costs.get(contestant.name)?.push(cost)
    }
  }
  const costOf = ({ name }: Contestant): readonly number[] => costs.get(name) ?? []
  const ratio = (of: Contestant, to: Contestant): number =>
    median(costOf(of).map((cost, round) => cost / (costOf(to)[round] ?? 0)))
  return CONTESTANTS.map((contestant) => {
    const cost = median(costOf(contestant))
    const verdict = contestant === LAURELS ? (cost < AIM ? 'met' : 'missed') : ''
    return [
      contestant.name,
      String(zones.length),
      cost.toFixed(3),
      ratio(contestant, INTL).toFixed(3),
      ratio(contestant, DATE_FNS).toFixed(4),
      verdict,
    ]
  })
}

/** Microseconds of one call. */
function meanOf({ share, tell }: Contestant, moments: readonly Moment[]): number {
  const calls = moments.length * share
  const start = performance.now()
  for (let index = 0; index < calls; index += 1) {
    const { zone, at } = moments[index] as Moment
    tell(zone, at)
  }
  return ((performance.now() - start) * 1_000) / calls
}

/** Throws unless all of them tell the same dates. */
function check(moments: readonly Moment[]): void {
  for (const { zone, at } of moments.slice(0, moments.length * DATE_FNS.share)) {
    const texts = CONTESTANTS.map(({ tell }) => tell(zone, at)).map((told) =>
      typeof told === 'number' ? toDateText(told) : told,
    )
    if (new Set(texts).size > 1) throw new Error(`${zone} at ${new Date(at).toISOString()}: ${texts.join(', ')}.`)
  }
}
