// Local dates as whole days since 1970-01-01. A period is named by its first day.

const DAY = 86_400_000

export interface Calendar {
  readonly frequency: 'daily' | 'weekly' | 'monthly'
  readonly weekStartsOn: 'monday' | 'sunday'
}

const texts = new Map<number, string>()

export function toText(day: number): string {
  const known = texts.get(day)
  if (known !== undefined) return known
  const text = new Date(day * DAY).toISOString().slice(0, 10)
  texts.set(day, text)
  return text
}

export const toDay = (text: string): number => Date.parse(`${text}T00:00:00Z`) / DAY

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  formats.set(zone, format)
  return format
}

/** The last answer for each zone: the same instant is asked for several times in a row. */
const last = new Map<string, { readonly instant: number; readonly day: number }>()

export function localDay(zone: string, instant: number): number {
  const before = last.get(zone)
  if (before?.instant === instant) return before.day
  const [month, day, year] = formatOf(zone).format(instant).split('/').map(Number)
  const found = Date.UTC(year ?? 0, (month ?? 0) - 1, day ?? 0) / DAY
  last.set(zone, { instant, day: found })
  return found
}

const known = new Map<string, Map<number, boolean>>()

/** True if any instant has this local date. It tries every quarter of an hour around noon. */
export function exists(zone: string, day: number): boolean {
  let days = known.get(zone)
  if (days === undefined) {
    days = new Map()
    known.set(zone, days)
  }
  let found = days.get(day)
  if (found === undefined) {
    const noon = day * DAY + DAY / 2
    found = false
    for (let away = 0; away <= 28 * 3_600_000 && !found; away += 900_000) {
      found = localDay(zone, noon - away) === day || localDay(zone, noon + away) === day
    }
    days.set(day, found)
  }
  return found
}

/** The first day of the period that the day is in. */
export function periodOf({ frequency, weekStartsOn }: Calendar, day: number): number {
  if (frequency === 'daily') return day
  if (frequency === 'monthly') return day - new Date(day * DAY).getUTCDate() + 1
  let start = day
  while (new Date(start * DAY).getUTCDay() !== (weekStartsOn === 'sunday' ? 0 : 1)) start -= 1
  return start
}

export function lastDay(calendar: Calendar, period: number): number {
  if (calendar.frequency === 'daily') return period
  if (calendar.frequency === 'weekly') return period + 6
  return periodOf(calendar, period + 31) - 1
}

/** The period after this one that can be lived: a day without any instant is passed over. */
export function nextLived(calendar: Calendar, zone: string, period: number): number {
  let next = lastDay(calendar, period) + 1
  while (calendar.frequency === 'daily' && !exists(zone, next)) next += 1
  return next
}

export function previousLived(calendar: Calendar, zone: string, period: number): number {
  let previous = periodOf(calendar, period - 1)
  while (calendar.frequency === 'daily' && !exists(zone, previous)) previous -= 1
  return previous
}
