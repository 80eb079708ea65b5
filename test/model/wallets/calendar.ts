// Expiry dates, and the dates that are over for good.

import { HOUR, offsetOf } from '../../support/zones.ts'
import * as dates from '../dates.ts'
import type { After, RoundTo } from './types.ts'

const MOST_KEPT = 200_000
const QUARTER = 900_000

/** Keeps answers: the walk asks for the same dates again and again. */
function keeping<Args extends readonly unknown[], T>(ask: (...args: Args) => T): (...args: Args) => T {
  const known = new Map<string, T>()
  return (...args) => {
    const name = args.join(' ')
    const kept = known.get(name)
    if (kept !== undefined) return kept
    if (known.size > MOST_KEPT) known.clear()
    const answer = ask(...args)
    known.set(name, answer)
    return answer
  }
}

export const localDate: typeof dates.localDate = keeping(dates.localDate)
export const addDays: typeof dates.addDays = keeping(dates.addDays)

/** The first instant at which the local date is this one or later. */
export const firstInstant: typeof dates.firstInstant = keeping((zone, date) => {
  const around = [-30, 30].map((hours) => offsetOf(zone, Date.parse(date) + hours * HOUR))
  let at = Date.parse(date) - Math.max(...around) - QUARTER
  while (dates.localDate(zone, at) < date) at += QUARTER
  return at
})

/** The first instant after which the local date is never before this one again. */
const reachedForGood: typeof dates.reachedForGood = keeping((zone, date) => {
  const first = firstInstant(zone, date)
  let found = first
  for (let at = first; at <= first + 3 * HOUR; at += QUARTER) if (dates.localDate(zone, at) < date) found = at + QUARTER
  return found
})

/** The date some months later; its last day if that month is shorter. */
function addMonths(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 + months, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return `${first.toISOString().slice(0, 8)}${String(Math.min(day, last)).padStart(2, '0')}`
}

/** The first date on which points that were earned on a date are gone. */
export function expiryDate(earned: string, after: After, roundTo: RoundTo = 'month'): string {
  let date = earned
  if ('days' in after) date = addDays(earned, after.days)
  else date = addMonths(earned, 'months' in after ? after.months : 12 * after.years)
  if (roundTo === 'day') return date
  if (roundTo === 'month') return `${addMonths(date, 1).slice(0, 8)}01`
  return `${Number(date.slice(0, 4)) + 1}-01-01`
}

/** The latest date that has begun, and will not begin again. */
export function dateForGood(zone: string, at: number): string {
  let date = addDays(localDate(zone, at), 1)
  while (reachedForGood(zone, date) > at) date = addDays(date, -1)
  return date
}

/** The midnights after one instant up to another, in order, each with the date that it begins. */
export function midnightsIn(zone: string, from: number, to: number): readonly { at: number; date: string }[] {
  const midnights: { at: number; date: string }[] = []
  for (let date = addDays(localDate(zone, from), -1); ; date = addDays(date, 1)) {
    const at = reachedForGood(zone, date)
    if (at > to) return midnights
    if (at > from) midnights.push({ at, date })
  }
}
