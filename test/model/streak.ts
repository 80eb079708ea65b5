// One user's streak, as it goes through the calls in order.

import type { Calendar } from './dates.ts'
import { localDate, nextPeriod, periodEnd, periodOf, previousPeriod } from './dates.ts'
import { add } from './numbers.ts'
import type { Streak } from './types.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const DAYS = { daily: 1, weekly: 7, monthly: 28 }
const FAR = 20 // a last counted period this many periods away is of a streak that ended long ago

export interface Rule {
  mode: 'OR' | 'AND'
  metrics: { key: string; threshold?: number }[]
}

export interface StreakState {
  changes: { period: string; metric: string; value: number }[] // every event, in the period that it counts for
  last: string | null // the last counted period
  length: number
  started: string
  firstInstant: number // of the event that made the first period count
}

export function emptyStreak(): StreakState {
  return { changes: [], last: null, length: 0, started: '', firstInstant: 0 }
}

function counts(state: StreakState, rule: Rule, period: string): boolean {
  const reached = rule.metrics.map(({ key, threshold }) => {
    let change = 0
    for (const c of state.changes) if (c.period === period && c.metric === key) change = add(change, c.value)
    return threshold === undefined || threshold === 0 ? change > 0 : change >= threshold
  })
  if (reached.length === 0) return false
  return rule.mode === 'AND' ? reached.every((r) => r) : reached.some((r) => r)
}

/** A metric event: `extended` tells whether the streak grew, `lengthened` its new length when it did. */
export function streakEvent(
  state: StreakState,
  calendar: Calendar,
  rule: Rule,
  zone: string,
  instant: number,
  metric: string,
  value: number,
): { extended: boolean; lengthened: number | null } {
  const nothing = { extended: false, lengthened: null }
  const period = periodOf(calendar, localDate(zone, instant))
  state.changes.push({ period, metric, value })
  if (state.last !== null && period <= state.last) return nothing
  if (!counts(state, rule, period)) return nothing
  if (state.last === null || period !== nextPeriod(calendar, zone, state.last)) {
    state.last = period
    state.length = 1
    state.started = period
    state.firstInstant = instant
    return { extended: true, lengthened: 1 }
  }
  state.last = period
  const elapsed = instant - state.firstInstant
  const most = 2 + Math.floor((elapsed + 3 * HOUR) / (DAYS[calendar.frequency] * DAY))
  if (state.length + 1 > most) return nothing
  state.length += 1
  return { extended: true, lengthened: state.length }
}

/** Where a period goes when today moves: as many living periods from the new today as it was from the old one. */
function moved(
  calendar: Calendar,
  period: string,
  from: { zone: string; today: string },
  to: { zone: string; today: string },
): string {
  let back = 0
  let forth = 0
  for (let at = from.today; at > period; at = previousPeriod(calendar, from.zone, at)) {
    back += 1
    if (back > FAR) return period
  }
  for (let at = from.today; at < period; at = nextPeriod(calendar, from.zone, at)) forth += 1
  let at = to.today
  for (; back > 0; back -= 1) at = previousPeriod(calendar, to.zone, at)
  for (; forth > 0; forth -= 1) at = nextPeriod(calendar, to.zone, at)
  return at
}

export function changeZone(state: StreakState, calendar: Calendar, oldZone: string, newZone: string, instant: number) {
  const from = { zone: oldZone, today: periodOf(calendar, localDate(oldZone, instant)) }
  const to = { zone: newZone, today: periodOf(calendar, localDate(newZone, instant)) }
  // What is before the current period is closed, and forgotten: it must not mix with what moves.
  state.changes = state.changes
    .filter((c) => c.period >= from.today)
    .map((c) => ({ ...c, period: moved(calendar, c.period, from, to) }))
  if (state.last !== null) state.last = moved(calendar, state.last, from, to)
}

export const noStreak: Streak = { length: 0, started: null, periodStart: null, periodEnd: null, expires: null }

export function readStreak(state: StreakState, calendar: Calendar, zone: string, instant: number): Streak {
  if (state.last === null) return { ...noStreak }
  const today = localDate(zone, instant)
  const expires = periodEnd(calendar, nextPeriod(calendar, zone, state.last))
  if (today > expires) return { ...noStreak }
  const current = periodOf(calendar, today)
  let earliest = state.last
  for (let before = state.length - 1; before > 0; before -= 1) earliest = previousPeriod(calendar, zone, earliest)
  return {
    length: state.length,
    started: [state.started, earliest].sort()[0] ?? earliest,
    periodStart: current,
    periodEnd: periodEnd(calendar, current),
    expires,
  }
}
