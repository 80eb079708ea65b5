/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number
/** A local date as whole days since 1970-01-01. It has no hours that could go wrong. */
export type Day = number
/** A day, week or month, counted so that the next one is one more. */
export type Period = number

export const MINUTE = 60_000
export const HOUR = 3_600_000
export const DAY = 86_400_000
const QUARTER = 900_000

interface Zone {
  /** The runtime's spelling, or `null` for a link such as Asia/Kolkata, because the runtime names only its target. */
  readonly name: string | null
  readonly formatter: Intl.DateTimeFormat
  // Offsets are constant within a quarter of an hour but for rare transitions, which are not kept.
  readonly quarters: Map<number, number>
}

/**
 * Zones by their names in lower case, and by the names as stored. There are as many as the runtime has names, however
 * many spellings callers send: the memory of a formatter is not the collector's.
 */
const zones = new Map<string, Zone>()
/** How many quarters are kept in all. */
let cached = 0
const MOST_CACHED = 200_000

function cacheQuarter({ quarters }: Zone, quarter: number, offset: number): void {
  if (cached >= MOST_CACHED) {
    for (const zone of zones.values()) zone.quarters.clear()
    cached = 0
  }
  cached += 1
  quarters.set(quarter, offset)
}

// ASCII letters only: some other letters have an ASCII letter as their lower case.
const NAME = /^[\w+-]+(?:\/[\w+-]+)+$/

function zoneNamed(name: string): Zone | null {
  const known = zones.get(name)
  if (known !== undefined) return known
  if (!NAME.test(name)) return null
  const lower = name.toLowerCase()
  const spelled = zones.get(lower)
  if (spelled !== undefined) return spelled
  const formatter = createFormatter(name)
  if (formatter === null) return null
  const resolved = formatter.resolvedOptions().timeZone
  const zone = { name: resolved.toLowerCase() === lower ? resolved : null, formatter, quarters: new Map() }
  zones.set(lower, zone)
  zones.set(zone.name ?? name, zone)
  return zone
}

/**
 * A zone's name as stored: in the letter case of the runtime. The name of a link is left unchanged. Returns `null` if
 * there is no such zone.
 */
export function toZoneName(name: string): string | null {
  if (name === 'UTC') return name
  const zone = zoneNamed(name)
  return zone === null ? null : (zone.name ?? name)
}

/** Returns `null` if the runtime has no such zone. */
function createFormatter(timeZone: string): Intl.DateTimeFormat | null {
  const numeric = 'numeric'
  const parts = {
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  } as const
  try {
    return new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', { timeZone, hourCycle: 'h23', ...parts })
  } catch {
    return null
  }
}

function readOffset(zone: Zone, at: Instant): number {
  const second = Math.floor(at / 1_000) * 1_000
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0, seconds = 0] = zone.formatter
    .format(second)
    .split(/\D+/)
    .map(Number)
  return Date.UTC(year, month - 1, day, hour, minute, seconds) - second
}

/** Milliseconds to add to an instant to get the zone's wall clock. A zone the runtime does not know counts as UTC. */
export function offsetAt(name: string, at: Instant): number {
  if (name === 'UTC') return 0
  const zone = zoneNamed(name)
  if (zone === null) return 0
  const quarter = Math.floor(at / QUARTER)
  const cached = zone.quarters.get(quarter)
  if (cached !== undefined) return cached

  const offset = readOffset(zone, at)
  const start = quarter * QUARTER
  if (readOffset(zone, start) === offset && readOffset(zone, start + QUARTER - 1) === offset) {
    cacheQuarter(zone, quarter, offset)
  }
  return offset
}

export function localTime(zone: string, at: Instant): { readonly date: Day; readonly time: number } {
  const local = at + offsetAt(zone, at)
  const date = Math.floor(local / DAY)
  return { date, time: local - date * DAY }
}

export function localDate(zone: string, at: Instant): Day {
  return Math.floor((at + offsetAt(zone, at)) / DAY)
}

const FURTHEST_OFF = 26 * HOUR

/** An instant at which no zone has come to a date yet. */
export function beforeDate(date: Day): Instant {
  return date * DAY - FURTHEST_OFF
}

/** An instant from which on every zone is past a date. */
export function afterDate(date: Day): Instant {
  return (date + 1) * DAY + FURTHEST_OFF
}

/** Some dates are missing, such as 2011-12-30 in Pacific/Apia. Zones leave out whole dates; all others have a noon. */
export function isDateInZone(zone: string, date: Day): boolean {
  const noon = date * DAY + DAY / 2
  return localDate(zone, noon - offsetAt(zone, noon)) === date
}

/** The first instant after which no instant has this date or an earlier one, also if clocks go back over midnight. */
export function endOfDate(zone: string, date: Day): Instant {
  const midnight = (date + 1) * DAY
  const { earlier, later, change } = offsetsAround(zone, midnight)
  return midnight - later > change ? midnight - later : Math.min(midnight - earlier, change)
}

/** The offsets of a zone a day before and after a wall clock shows a time, and when it takes on the later one. */
function offsetsAround(
  zone: string,
  wall: number,
): { readonly earlier: number; readonly later: number; readonly change: Instant } {
  const guess = wall - offsetAt(zone, wall)
  const [earlier, later] = [offsetAt(zone, guess - DAY), offsetAt(zone, guess + DAY)]
  const change = earlier === later ? Number.NEGATIVE_INFINITY : changeBetween(zone, guess - DAY, guess + DAY, later)
  return { earlier, later, change }
}

function changeBetween(zone: string, earlier: Instant, later: Instant, offset: number): Instant {
  let before = earlier
  let after = later
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetAt(zone, middle) === offset) after = middle
    else before = middle
  }
  return after
}

/** The first instant at which a clock shows this date and time, or skips it. `time`: milliseconds since midnight. */
export function instantOf(zone: string, date: Day, time: number): Instant {
  const wall = date * DAY + time
  const { earlier, later, change } = offsetsAround(zone, wall)
  return wall - earlier < change ? wall - earlier : Math.max(wall - later, change)
}

/** The first date that is not over. It differs from `localDate` if clocks are about to go back over midnight. */
export function openDate(zone: string, at: Instant): Day {
  const date = localDate(zone, at)
  return endOfDate(zone, date - 1) > at ? date - 1 : date
}

/** True if `Intl` knows the name. Accepted are `UTC` and names with a `/`, as Europe/Berlin. */
export function isTimeZone(name: string): boolean {
  return name === 'UTC' || zoneNamed(name) !== null
}

// The same few dates are written, and read, all day long.
const dateTexts = new Map<Day, string>()
const days = new Map<string, Day>()
const MOST_DATES = 5_000

export function toDateText(day: Day): string {
  const known = dateTexts.get(day)
  if (known !== undefined) return known
  const text = new Date(day * DAY).toISOString().slice(0, 10)
  if (dateTexts.size >= MOST_DATES) dateTexts.clear()
  dateTexts.set(day, text)
  return text
}

// No year 0: the week of its first day begins in a year that four digits cannot write.
const DATE_TEXT = /^(?!0000)\d{4}-\d{2}-\d{2}$/

/** The day of a `YYYY-MM-DD`, or `null` for anything else and for dates that no calendar has, as 2024-02-30. */
export function parseDate(text: string): Day | null {
  const known = days.get(text)
  if (known !== undefined) return known
  if (!DATE_TEXT.test(text)) return null
  const instant = Date.parse(`${text}T00:00:00.000Z`)
  if (Number.isNaN(instant)) return null
  const day = instant / DAY
  if (toDateText(day) !== text) return null
  if (days.size >= MOST_DATES) days.clear()
  days.set(text, day)
  return day
}

export function yearOf(day: Day): number {
  return new Date(day * DAY).getUTCFullYear()
}

export function firstDayOfYear(year: number): Day {
  // `Date.UTC` takes a year below 100 for one of the 20th century.
  return new Date(0).setUTCFullYear(year, 0, 1) / DAY
}

/** `HH:MM:SS.mmm` of the milliseconds since local midnight. */
export function toTimeText(time: number): string {
  const seconds = Math.floor(time / 1_000)
  const minutes = Math.floor(seconds / 60)
  const clock = `${pad(Math.floor(minutes / 60), 2)}:${pad(minutes % 60, 2)}:${pad(seconds % 60, 2)}`
  return `${clock}.${pad(time % 1_000, 3)}`
}

function pad(number: number, digits: number): string {
  return String(number).padStart(digits, '0')
}

export function parseTime(text: string): number {
  return Date.parse(`1970-01-01T${text}Z`)
}

// 1970-01-01 was a Thursday.
const DAYS_SINCE_WEEK_START: Record<WeekStart, number> = { monday: 3, sunday: 4 }

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** The weekdays that are not among others, which are numbers: 0 is Sunday, 6 is Saturday. */
export function weekdaysWithout(daysOff: readonly number[]): readonly Weekday[] {
  return WEEKDAYS.filter((_, index) => !daysOff.includes((index + 1) % WEEKDAYS.length))
}

/** The numbers of the weekdays that are not among others, ascending: 0 is Sunday, 6 is Saturday. */
export function daysOffOf(on: readonly Weekday[]): readonly number[] {
  const off = WEEKDAYS.flatMap((day, index) => (on.includes(day) ? [] : [(index + 1) % WEEKDAYS.length]))
  return off.sort((left, right) => left - right)
}

export function weekdayOf(day: Day): Weekday {
  const since = (day + DAYS_SINCE_WEEK_START.monday) % 7
  return WEEKDAYS[since < 0 ? since + 7 : since] ?? 'mon'
}

export function periodOf(frequency: Frequency, weekStartsOn: WeekStart, day: Day): Period {
  switch (frequency) {
    case 'daily':
      return day
    case 'weekly':
      return Math.floor((day + DAYS_SINCE_WEEK_START[weekStartsOn]) / 7)
    case 'monthly': {
      const date = new Date(day * DAY)
      return date.getUTCFullYear() * 12 + date.getUTCMonth()
    }
  }
}

export function firstDayOf(frequency: Frequency, weekStartsOn: WeekStart, period: Period): Day {
  switch (frequency) {
    case 'daily':
      return period
    case 'weekly':
      return period * 7 - DAYS_SINCE_WEEK_START[weekStartsOn]
    case 'monthly':
      return Date.UTC(Math.floor(period / 12), period % 12, 1) / DAY
  }
}

export function lastDayOf(frequency: Frequency, weekStartsOn: WeekStart, period: Period): Day {
  return firstDayOf(frequency, weekStartsOn, period + 1) - 1
}

/** How many periods between `from` and `to`, both excluded, could be missed: their dates exist in the zone. */
export function periodsBetween(frequency: Frequency, zone: string, from: Period, to: Period): number {
  const between = Math.max(0, to - from - 1)
  if (frequency !== 'daily' || between === 0) return between
  // Only the exact number of a short gap matters, and no zone ever left out two dates running.
  if (between > 3) return between
  let missing = 0
  for (let day = from + 1; day < to; day += 1) {
    if (!isDateInZone(zone, day)) missing += 1
  }
  return between - missing
}

/** How many dates after `from`, up to `to`, the zone skipped because it crossed the date line. */
function missingDates(zone: string, from: Day, to: Day): number {
  return Math.max(0, Math.round((offsetAt(zone, to * DAY) - offsetAt(zone, from * DAY)) / DAY))
}

/** The period `count` periods before another. Dates that do not exist in the zone are not counted. */
export function periodBefore(frequency: Frequency, zone: string, period: Period, count: number): Period {
  const before = period - count
  return frequency === 'daily' ? before - missingDates(zone, before, period) : before
}

/** The date `count` months after a date: its day of the month, or the last that the month has. */
export function addMonths(date: Day, count: number): Day {
  const from = new Date(date * DAY)
  const month = from.getUTCFullYear() * 12 + from.getUTCMonth() + count
  const first = firstDayOf('monthly', 'monday', month)
  const last = firstDayOf('monthly', 'monday', month + 1) - 1
  return Math.min(first + from.getUTCDate() - 1, last)
}

/** How many months after a date another date is: full ones, as `addMonths` counts them. */
export function fullMonthsBetween(from: Day, to: Day): number {
  const months = monthsBetween(from, to)
  return addMonths(from, months) > to ? months - 1 : months
}

export function monthsBetween(from: Day, to: Day): number {
  return periodOf('monthly', 'monday', to) - periodOf('monthly', 'monday', from)
}

export type Frequency = 'daily' | 'weekly' | 'monthly'

export type WeekStart = 'monday' | 'sunday'
