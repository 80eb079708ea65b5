// The points that triggers pay by time alone: every single payment, one after the other, each clipped on its own.
import { addDays, firstInstant, localDate } from './dates.ts'
import type { FullSystem, FullTrigger } from './full-game.ts'
import { nameOfTrigger } from './game.ts'
import type { Fact } from './messages.ts'
import { mostPoints } from './pay.ts'
import type { Award, State, Timer } from './state.ts'
import { dayOf, levelOf, matches, zoneOf } from './state.ts'

const HOUR = 3_600_000

type TimeTrigger = Extract<FullTrigger, { type: 'time' }>

interface Fall {
  instant: number
  index: number
  trigger: TimeTrigger
}

/** The points since the newest entry, one award for each trigger; changes nothing. */
export function timeSince(state: State, until: number) {
  const awards: Award[] = []
  const levels: Fact[] = []
  const timers = new Map(state.timers)
  if (!state.known) return { awards, timers, levels }
  for (const [key, system] of state.game.systems) {
    const falls: Fall[] = []
    for (const [index, trigger] of (system.triggers ?? []).entries()) {
      const name = nameOfTrigger(key, trigger, index)
      const timer = timers.get(name)
      if (trigger.type !== 'time' || timer === undefined) continue
      const { instants, next } = fallsOf(state, trigger, timer, until)
      falls.push(...instants.map((instant) => ({ instant, index, trigger })))
      timers.set(name, { ...timer, next })
    }
    awards.push(...awardsOf(state, key, system, falls, until, levels))
  }
  return { awards, timers, levels }
}

function awardsOf(
  state: State,
  key: string,
  system: FullSystem,
  falls: Fall[],
  until: number,
  levels: Fact[],
): Award[] {
  const sums = new Map<number, number>()
  const inOrder = falls.sort((a, b) => a.instant - b.instant || a.index - b.index)
  let total = state.points.get(key) ?? 0
  let from = levelOf(system, total)
  for (const [place, { instant, index, trigger }] of inOrder.entries()) {
    if (trigger.status !== 'inactive' && matches(trigger.userAttributes, state.attributes)) {
      const after = Math.min(mostPoints(system), Math.max(0, total + trigger.points))
      sums.set(index, (sums.get(index) ?? 0) + (after - total))
      total = after
    }
    // All that fall at one instant change the level once.
    if (inOrder[place + 1]?.instant === instant) continue
    const to = levelOf(system, total)
    if (from !== to) levels.push({ type: 'points.level_changed', at: instant, data: { key, from, to, total } })
    from = to
  }
  // They came in turns, so each has the total after all of them.
  const awards: Award[] = []
  for (const [index, awarded] of [...sums].sort(([a], [b]) => a - b)) {
    const trigger = system.triggers?.[index]
    if (trigger === undefined || awarded === 0) continue
    awards.push({
      system: key,
      trigger: nameOfTrigger(key, trigger, index),
      awarded,
      total,
      date: until,
      day: dayOf(state, until),
      boosts: [],
      isOfTime: true,
      isExempt: false,
    })
  }
  return awards
}

function fallsOf(state: State, { every }: TimeTrigger, timer: Timer, until: number) {
  const instants: number[] = []
  let { next } = timer
  if ('hours' in every) {
    for (let at = timer.anchor + every.hours * HOUR; at <= until; at += every.hours * HOUR) {
      if (at > state.newest) instants.push(at)
    }
    return { instants, next }
  }
  // If the clocks went back over a midnight, the date that had begun is gone for an hour, and so are its payments.
  const isThere = (): boolean => next <= localDate(zoneOf(state), until)
  for (let at = dayOfFall(state, timer, next); at <= until && isThere(); at = dayOfFall(state, timer, next)) {
    instants.push(at)
    next = addDays(next, every.days)
  }
  return { instants, next }
}

/** With the date, but never more than 51 hours before as many days of 24 hours have passed. */
function dayOfFall(state: State, timer: Timer, next: string): number {
  return Math.max(beginOf(state, next), soonest(timer, next))
}

function soonest({ anchor, anchorDay }: Pick<Timer, 'anchor' | 'anchorDay'>, next: string): number {
  return anchor + Date.parse(next) - Date.parse(anchorDay) - 51 * HOUR
}

/** If the clocks went back over a midnight, a date may begin again. */
function beginOf(state: State, date: string): number {
  const first = firstInstant(zoneOf(state), date)
  if (first > state.newest) return first
  let again = Math.ceil((state.newest + 1) / 900_000) * 900_000
  while (localDate(zoneOf(state), again) < date) again += 900_000
  return again
}

export function settleTime(state: State, instant: number): void {
  const { awards, timers, levels } = timeSince(state, instant)
  state.timers = timers
  state.facts.push(...levels)
  for (const award of awards) {
    state.awards.push(award)
    state.points.set(award.system, award.total)
  }
}

/** The time triggers of the game: new ones begin here, and the others continue from their start. */
export function startTimers(state: State, instant: number): void {
  const timers = new Map<string, Timer>()
  for (const [key, system] of state.game.systems) {
    for (const [index, trigger] of (system.triggers ?? []).entries()) {
      if (trigger.type !== 'time') continue
      const name = nameOfTrigger(key, trigger, index)
      const today = dayOf(state, instant)
      const old = state.timers.get(name)
      const { anchor, anchorDay } = old ?? { anchor: instant, anchorDay: today }
      const days = 'days' in trigger.every ? trigger.every.days : 1
      const every = JSON.stringify(trigger.every)
      if (old?.every === every) {
        timers.set(name, old)
        continue
      }
      let next = addDays(anchorDay, days)
      // The payments of the date may still be held back: then they are yet to come.
      while (next <= today && soonest({ anchor, anchorDay }, next) <= instant) next = addDays(next, days)
      timers.set(name, { anchor, anchorDay, every, next })
    }
  }
  state.timers = timers
}

/** Dates keep their distance from today. */
export function moveTimers(state: State, oldToday: string, today: string): void {
  const days = (Date.parse(today) - Date.parse(oldToday)) / (24 * HOUR)
  state.timers = new Map(
    [...state.timers].map(([name, timer]) => [
      name,
      { ...timer, anchorDay: addDays(timer.anchorDay, days), next: addDays(timer.next, days) },
    ]),
  )
}
