// Dates and periods. A date is 'YYYY-MM-DD', so dates compare as strings. A period is named by its first date.

export interface Calendar {
  frequency: 'daily' | 'weekly' | 'monthly'
  weekStartsOn: 'monday' | 'sunday'
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
    formats.set(zone, format)
  }
  return format
}

/** A name that may be stored: it contains a slash or is UTC, and Intl knows it. */
export function isZone(name: string): boolean {
  if (!name.includes('/') && name !== 'UTC') return false
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/** The last answer for each zone: the same instant is asked for several times in a row. */
const last = new Map<string, { instant: number; date: string }>()

export function localDate(zone: string, instant: number): string {
  const before = last.get(zone)
  if (before?.instant === instant) return before.date
  const [month, day, year] = formatOf(zone).format(instant).split('/')
  const date = `${year}-${month}-${day}`
  last.set(zone, { instant, date })
  return date
}

function utc(date: string): Date {
  return new Date(`${date}T00:00:00.000Z`)
}

export function addDays(date: string, days: number): string {
  const moved = utc(date)
  moved.setUTCDate(moved.getUTCDate() + days)
  return moved.toISOString().slice(0, 10)
}

/** The first date of the period that the date is in. */
export function periodOf(calendar: Calendar, date: string): string {
  if (calendar.frequency === 'daily') return date
  if (calendar.frequency === 'monthly') return `${date.slice(0, 7)}-01`
  const firstWeekday = calendar.weekStartsOn === 'sunday' ? 0 : 1
  let start = date
  while (utc(start).getUTCDay() !== firstWeekday) start = addDays(start, -1)
  return start
}

/** The calendar's next period, whether or not any instant is in it. */
export function followingPeriod(calendar: Calendar, period: string): string {
  if (calendar.frequency === 'daily') return addDays(period, 1)
  if (calendar.frequency === 'weekly') return addDays(period, 7)
  return periodOf(calendar, addDays(period, 31))
}

export function periodEnd(calendar: Calendar, period: string): string {
  return addDays(followingPeriod(calendar, period), -1)
}

const mornings = new Map<string, number>()

/** The first instant at which the local date is this one or later: looks every quarter of an hour. */
export function firstInstant(zone: string, date: string): number {
  const name = `${date} ${zone}`
  let found = mornings.get(name)
  if (found === undefined) {
    found = utc(date).getTime() - 30 * 3_600_000
    while (localDate(zone, found) < date) found += 900_000
    mornings.set(name, found)
  }
  return found
}

const reached = new Map<string, number>()

/** The first instant after which the local date is never before this one again, though a clock went back over its midnight. */
export function reachedForGood(zone: string, date: string): number {
  const name = `${date} ${zone}`
  const known = reached.get(name)
  if (known !== undefined) return known
  const first = firstInstant(zone, date)
  let found = first
  for (let later = found; later <= first + 3 * 3_600_000; later += 900_000) {
    if (localDate(zone, later) < date) found = later + 900_000
  }
  reached.set(name, found)
  return found
}

const clocks = new Map<string, number>()

/** When the clocks of a zone show an hour of a date, or of the next date that exists. */
export function instantOf(zone: string, date: string, hour: number): number {
  const name = `${hour} ${date} ${zone}`
  const known = clocks.get(name)
  if (known !== undefined) return known
  let at = firstInstant(zone, date)
  const first = localDate(zone, at)
  const shows = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' })
  while (localDate(zone, at) === first && Number(shows.format(at)) < hour) at += 900_000
  clocks.set(name, at)
  return at
}
