import { type Day, endOfDate, type Instant } from './calendar.ts'
import type { Change } from './change.ts'
import type { Every, Game, TimeTrigger, Trigger } from './game.ts'
import type { Timer, UserState } from './state.ts'

const HOUR = 3_600_000
const DAY = 86_400_000
/** The most that two zones can differ by, with an hour by which clocks change. */
const FARTHEST = 27 * HOUR

type Timers = UserState['timers']

/** An instant, and the user's local date at it. */
export interface Moment {
  readonly at: Instant
  readonly today: Day
}

export function isTimed(trigger: Trigger): trigger is TimeTrigger {
  return trigger.type === 'time'
}

function beginTimer({ at, today }: Moment): Timer {
  return { anchor: at, date: today, dueCount: 0 }
}

/** The time triggers of a game, for a user who begins with it. */
export function beginTimers(game: Game, moment: Moment): readonly Change[] {
  if (game.timedSystems.length === 0) return []
  const timers = timeTriggersOf(game).map(({ id }) => [id, beginTimer(moment)] as const)
  return [{ type: 'timersChanged', timers: new Map(timers) }]
}

function timeTriggersOf({ timedSystems }: Game): readonly TimeTrigger[] {
  return timedSystems.flatMap(({ triggers }) => triggers.filter(isTimed))
}

/**
 * How many awards of a trigger are due since the anchor. Hours go by the clock, days by local midnights.
 */
export function dueCountAt({ unit, count }: Every, timer: Timer, { at, today }: Moment): number {
  const passed = unit === 'hour' ? (at - timer.anchor) / HOUR : Math.min(today - timer.date, daysWithin(timer, at))
  return Math.max(timer.dueCount, Math.floor(passed / count))
}

/** The most dates that can have begun since the anchor. Repeated changes of zone make dates pass faster than time. */
function daysWithin({ anchor }: Timer, at: Instant): number {
  return Math.floor((at - anchor + FARTHEST) / DAY) + 1
}

/** The instant at which the k-th award is due in a zone. */
export function dueAt({ unit, count }: Every, { anchor, date }: Timer, k: number, zone: string): Instant {
  if (unit === 'hour') return anchor + k * count * HOUR
  return Math.max(midnightOf(zone, date + k * count), anchor + (k * count - 1) * DAY - FARTHEST)
}

/** How many days are checked together. They nearly always have one offset, so no midnight has to be searched. */
const SPAN = 8

/** When a local date begins. */
export function midnightOf(zone: string, date: Day): Instant {
  const start = spanOf(date)
  // If the span has the length of its days, its midnights are 24 hours apart.
  const first = endOfDate(zone, start - 1)
  const isRegular = endOfDate(zone, start + SPAN - 1) - first === SPAN * DAY
  return isRegular ? first + (date - start) * DAY : endOfDate(zone, date - 1)
}

function spanOf(date: Day): Day {
  return Math.floor(date / SPAN) * SPAN
}

/** The even step between awards from the k-th on, and the last award that keeps it, at most `greatest`. */
export function evenFrom(
  { unit, count }: Every,
  { date }: Timer,
  k: number,
  greatest: number,
  zone: string,
): { readonly step: number; readonly last: number } {
  if (unit === 'hour') return { step: count * HOUR, last: greatest }
  let start = spanOf(date + k * count)
  let first = endOfDate(zone, start - 1)
  while (start <= date + greatest * count) {
    const next = endOfDate(zone, start + SPAN - 1)
    if (next - first !== SPAN * DAY) break
    start += SPAN
    first = next
  }
  const last = Math.floor((start - date) / count)
  return { step: count * DAY, last: Math.max(k, Math.min(greatest, last)) }
}

/** After a change of zone moves today by `days`, the dates of awards keep their distance from today. */
export function moveTimers({ timers }: UserState, days: number): readonly Change[] {
  if (days === 0 || timers.size === 0) return []
  const moved = [...timers].map(([id, timer]) => [id, { ...timer, date: timer.date + days }] as const)
  return [{ type: 'timersChanged', timers: new Map(moved) }]
}

/**
 * The timers under a newer game. A new trigger begins, and a removed one is forgotten. A trigger with another `every`
 * keeps its anchor and continues with the first award after now, so no past award is paid twice or made up for.
 */
export function adoptTimers(oldGame: Game, newGame: Game, timers: Timers, moment: Moment): Timers {
  if (newGame.timedSystems.length === 0) return timers.size === 0 ? timers : new Map()
  const before = new Map(timeTriggersOf(oldGame).map(({ id, every }) => [id, every]))
  const adopted = timeTriggersOf(newGame).map(({ id, every }) => {
    const timer = timers.get(id)
    const old = before.get(id)
    if (timer === undefined) return [id, beginTimer(moment)] as const
    const isSame = old?.unit === every.unit && old.count === every.count
    return [id, isSame ? timer : { ...timer, dueCount: dueCountAt(every, { ...timer, dueCount: 0 }, moment) }] as const
  })
  return new Map(adopted)
}
