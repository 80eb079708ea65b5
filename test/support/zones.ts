/* The runtime's time zones, read with `Intl.DateTimeFormat` alone: the project's own calendar is compared with them. */

export const HOUR = 3_600_000
export const DAY = 86_400_000

/** Every zone of the runtime, and UTC. */
export const ZONES: readonly string[] = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])]

const formats = new Map<string, Intl.DateTimeFormat>()
const WALL_CLOCK = /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)$/

/** The wall clock in a zone as the milliseconds that UTC would call so. */
export function wallClock(zone: string, at: number): number {
  let format = formats.get(zone)
  if (format === undefined) {
    const twoDigits = '2-digit'
    const date = { year: 'numeric', month: twoDigits, day: twoDigits } as const
    const time = { hour: twoDigits, minute: twoDigits, second: twoDigits, hourCycle: 'h23' } as const
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, calendar: 'gregory', ...date, ...time })
    formats.set(zone, format)
  }
  const parts = WALL_CLOCK.exec(format.format(at))?.slice(1).map(Number)
  if (parts === undefined) throw new RangeError(`Intl writes ${format.format(at)}`)
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((at % 1000) + 1000) % 1000)
}

export function offsetOf(zone: string, at: number): number {
  return wallClock(zone, at) - at
}

/** A stretch of time, its end excluded, in which a zone has one offset. */
export interface Stretch {
  readonly start: number
  readonly end: number
  readonly offset: number
}

/** The offsets of a zone from `from` to `to`; a pair of changes less than `step` apart may be missed. */
export function stretchesOf(zone: string, from: number, to: number, step: number): readonly Stretch[] {
  const stretches: Stretch[] = []
  let start = from
  let offset = offsetOf(zone, from)
  for (let at = from; at < to; ) {
    const next = Math.min(at + step, to)
    if (offsetOf(zone, next) === offset) {
      at = next
      continue
    }
    const change = findChange(zone, at, next, offset)
    stretches.push({ start, end: change, offset })
    start = change
    offset = offsetOf(zone, change)
    at = change
  }
  return [...stretches, { start, end: to, offset }]
}

/** The first whole second between the two at which the offset is another. */
function findChange(zone: string, from: number, to: number, offset: number): number {
  let before = Math.floor(from / 1000)
  let after = Math.ceil(to / 1000)
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetOf(zone, middle * 1000) === offset) before = middle
    else after = middle
  }
  return after * 1000
}

/** The instants of a local date at this time of day, in order; usually one. */
export function instantsOf(stretches: readonly Stretch[], date: number, time: number): readonly number[] {
  const wall = date * DAY + time
  return stretches
    .filter(({ start, end, offset }) => wall - offset >= start && wall - offset < end)
    .map(({ offset }) => wall - offset)
}

/** The first and the last millisecond of a local date, or `null` if it never was. */
export function boundsOf(stretches: readonly Stretch[], date: number): { first: number; last: number } | null {
  const within = stretches
    .map(({ start, end, offset }) => ({
      first: Math.max(start, date * DAY - offset),
      last: Math.min(end, (date + 1) * DAY - offset) - 1,
    }))
    .filter(({ first, last }) => first <= last)
  if (within.length === 0) return null
  return { first: Math.min(...within.map(({ first }) => first)), last: Math.max(...within.map(({ last }) => last)) }
}

/** Numbers from 0 to 1 that follow from the seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** SEED, or the one that `.ci/run` makes of the sources, or one that changes with every run. */
export function seedOfRun(): number {
  const given = process.env.SEED ?? process.env.SEED_OF_RUN
  return given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given)
}

export const SOAK: boolean = process.env.SOAK === '1'
