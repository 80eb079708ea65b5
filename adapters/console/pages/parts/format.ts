const integers = new Intl.NumberFormat('en')
const decimals = new Intl.NumberFormat('en', { maximumFractionDigits: 6 })
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** `12,345.5`: not abbreviated, so that readers can compare numbers. */
export function formatNumber(value: number): string {
  return Number.isInteger(value) ? integers.format(value) : decimals.format(value)
}

/** `12.3K`, for little room. */
export function formatShort(value: number): string {
  return Math.abs(value) < 10_000 ? formatNumber(value) : short.format(value)
}

/** With its sign: `+120`, `−3`. */
export function formatChange(value: number): string {
  return value < 0 ? `−${formatNumber(-value)}` : `+${formatNumber(value)}`
}

/** `33.33 %`, of a number from 0 to 100. */
export function formatPercent(percent: number): string {
  return `${percent.toLocaleString('en', { maximumFractionDigits: 2 })} %`
}

/** The server counts no further than this. */
const MOST_COUNTED = 10_000

/** `9,999`, or `10,000 or more`. */
export function atMost(count: number): string {
  return `${formatNumber(count)}${count >= MOST_COUNTED ? ' or more' : ''}`
}

/** `1 event`, `2 events`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}

const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const daysOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** `3 Mar 2026`, of a date `YYYY-MM-DD`. */
export function formatDate(date: string): string {
  return days.format(toMidnight(date))
}

/** `3 Mar`. */
export function formatDay(date: string): string {
  return daysOfYear.format(toMidnight(date))
}

/** Midnight in UTC of a date `YYYY-MM-DD`. */
function toMidnight(date: string): Date {
  return new Date(`${date}T00:00:00Z`)
}

/** The date in UTC, this many days from an instant. */
export function toDate(instant: Date, days = 0): string {
  return new Date(instant.getTime() + days * 86_400_000).toISOString().slice(0, 10)
}
