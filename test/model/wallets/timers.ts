// Points by time: hours from the creation of the user, or local midnights.

import { addDays, firstInstant, localDate } from './calendar.ts'
import type { System } from './types.ts'

const HOUR = 3_600_000

export interface Timer {
  readonly every: NonNullable<System['time']>['every']
  readonly anchor: number
  readonly anchorDay: string
  readonly nextDay: string
}

/** A midnight comes at most 51 hours before as many days of 24 hours have passed. */
const soonest = ({ anchor, anchorDay }: Timer, day: string): number =>
  anchor + Date.parse(day) - Date.parse(anchorDay) - 51 * HOUR

/** The timer under a game: it keeps its start, and its next date if the game has not changed it. */
export function startTimer(old: Timer | null, time: System['time'], tz: string, at: number): Timer | null {
  if (time === undefined) return null
  const { every } = time
  if (JSON.stringify(old?.every) === JSON.stringify(every)) return old
  const today = localDate(tz, at)
  const { anchor, anchorDay } = old ?? { anchor: at, anchorDay: today }
  const days = 'days' in every ? every.days : 1
  const timer = { every, anchor, anchorDay, nextDay: anchorDay }
  let nextDay = addDays(anchorDay, days)
  while (nextDay <= today && soonest(timer, nextDay) <= at) nextDay = addDays(nextDay, days)
  return { ...timer, nextDay }
}

/** Dates keep their distance from today. */
export function moveTimer(timer: Timer | null, before: string, after: string): Timer | null {
  if (timer === null) return null
  const days = Math.round((Date.parse(after) - Date.parse(before)) / (24 * HOUR))
  return { ...timer, anchorDay: addDays(timer.anchorDay, days), nextDay: addDays(timer.nextDay, days) }
}

/** The instants after one up to another at which a timer pays, and the timer afterwards. */
export function paymentsIn(timer: Timer, tz: string, from: number, to: number): readonly [number[], Timer] {
  const { every, anchor } = timer
  const instants: number[] = []
  if ('hours' in every) {
    for (let at = anchor + every.hours * HOUR; at <= to; at += every.hours * HOUR) if (at > from) instants.push(at)
    return [instants, timer]
  }
  let { nextDay } = timer
  for (;;) {
    const at = Math.max(firstInstant(tz, nextDay), soonest(timer, nextDay))
    if (at > to || nextDay > localDate(tz, to)) return [instants, { ...timer, nextDay }]
    instants.push(at)
    nextDay = addDays(nextDay, every.days)
  }
}
