import { DAY, type Day, endOfDate, HOUR, type Instant } from './calendar.ts'
import type { Change } from './change.ts'
import type { Entry } from './entry.ts'
import { type Every, type Game, matches, type PointsSystem, type TimeTrigger, type Trigger } from './game.ts'
import { makeHeap, sinkFirst } from './heap.ts'
import { payFor, pushLevel } from './points.ts'
import { type Timer, type UserState, zoneOf } from './state.ts'

/** The most that two zones can differ by, with an hour by which clocks change. */
const FARTHEST = 27 * HOUR

type Timers = UserState['timers']

export interface LocalInstant {
  readonly at: Instant
  readonly today: Day
}

export function isTimed(trigger: Trigger): trigger is TimeTrigger {
  return trigger.type === 'time'
}

function beginTimer({ at, today }: LocalInstant): Timer {
  return { anchor: at, date: today, dueCount: 0 }
}

export function beginTimers(game: Game, localInstant: LocalInstant): readonly Change[] {
  if (game.timedSystems.length === 0) return []
  const timers = timeTriggersOf(game).map(({ id }) => [id, beginTimer(localInstant)] as const)
  return [{ type: 'timersChanged', timers: new Map(timers) }]
}

function timeTriggersOf({ timedSystems }: Game): readonly TimeTrigger[] {
  return timedSystems.flatMap(({ triggers }) => triggers.filter(isTimed))
}

/** How many awards are due since the anchor. Hours go by the clock, days by local midnights. */
export function dueCountAt({ unit, count }: Every, timer: Timer, { at, today }: LocalInstant): number {
  const passed = unit === 'hour' ? (at - timer.anchor) / HOUR : Math.min(today - timer.date, daysWithin(timer, at))
  return Math.max(timer.dueCount, Math.floor(passed / count))
}

/** The most dates that can have begun since the anchor. Repeated changes of zone make dates pass faster than time. */
function daysWithin({ anchor }: Timer, at: Instant): number {
  return Math.floor((at - anchor + FARTHEST) / DAY) + 1
}

export function dueAt({ unit, count }: Every, { anchor, date }: Timer, k: number, zone: string): Instant {
  if (unit === 'hour') return anchor + k * count * HOUR
  return Math.max(endOfDate(zone, date + k * count - 1), anchor + (k * count - 1) * DAY - FARTHEST)
}

/** After a change of zone moves today by `days`, the dates of awards keep their distance from today. */
export function moveTimers({ timers }: UserState, days: number): readonly Change[] {
  if (days === 0 || timers.size === 0) return []
  const moved = [...timers].map(([id, timer]) => [id, { ...timer, date: timer.date + days }] as const)
  return [{ type: 'timersChanged', timers: new Map(moved) }]
}

/** With another `every`, a trigger keeps its anchor and pays from the next award on, so none is paid twice. */
export function adoptTimers(oldGame: Game, newGame: Game, timers: Timers, localInstant: LocalInstant): Timers {
  if (newGame.timedSystems.length === 0) return timers.size === 0 ? timers : new Map()
  const before = new Map(timeTriggersOf(oldGame).map(({ id, every }) => [id, every]))
  const adopted = timeTriggersOf(newGame).map(({ id, every }) => {
    const timer = timers.get(id)
    const old = before.get(id)
    if (timer === undefined) return [id, beginTimer(localInstant)] as const
    const isSame = old?.unit === every.unit && old.count === every.count
    return [
      id,
      isSame ? timer : { ...timer, dueCount: dueCountAt(every, { ...timer, dueCount: 0 }, localInstant) },
    ] as const
  })
  return new Map(adopted)
}

/** Awards of one trigger that fall due. */
export interface Schedule {
  /** The points of each award; negative points are taken away. */
  readonly points: number
  readonly count: number
  /** The instant at which the k-th award is due, from 1. */
  at(k: number): number
}

/**
 * The points that the awards of each of `all` gave or took, in its order. At equal instants the first of `all` comes
 * first. A total above `greatest`, as after a newer game with a lower maximum, only falls.
 */
export function addPayments(all: readonly Schedule[], total: number, greatest: number): readonly number[] {
  if (isFree(all, total, greatest)) return all.map(({ count, points }) => count * points)
  const open = all.map(({ at, count, points }, index) => {
    return { at, count, points, index, done: 0, next: count > 0 ? at(1) : NEVER, gained: 0 }
  })
  const heap = makeHeap([...open])
  let rising = open.filter(({ count, points }) => count > 0 && points > 0).length
  let falling = open.filter(({ count, points }) => count > 0 && points < 0).length
  let sum = total
  for (let [first] = heap; first !== undefined && first.next < NEVER; [first] = heap) {
    const canMove = (rising > 0 && sum < greatest) || (falling > 0 && sum > 0)
    if (!canMove) break
    const { points } = first
    const free = sum + points
    const clipped = free > greatest ? Math.max(greatest, Math.min(sum, free)) : Math.max(0, free)
    first.gained += clipped - sum
    sum = clipped
    first.done += 1
    const isOver = first.done === first.count
    if (isOver && points > 0) rising -= 1
    if (isOver && points < 0) falling -= 1
    first.next = isOver ? NEVER : first.at(first.done + 1)
    sinkFirst(heap)
  }
  return open.map(({ gained }) => gained)
}

const NEVER: Instant = Number.POSITIVE_INFINITY

/** True if no order of the awards could clip any. */
function isFree(all: readonly Schedule[], total: number, greatest: number): boolean {
  let up = total
  let down = total
  for (const { count, points } of all) {
    if (points > 0) up += count * points
    else down += count * points
  }
  return up <= greatest && down >= 0
}

/** One award for each trigger, clipped as if each part was given when it was due. `today`: the date at `at`. */
export function payTimers(game: Game, state: UserState, at: Instant, today: Day, entry?: Entry): readonly Change[] {
  const changes: Change[] = []
  const timers = new Map(state.timers)
  for (const system of game.timedSystems) {
    const due = findDue(system, state, { at, today })
    for (const { trigger, timer, dueCount } of due) timers.set(trigger.id, { ...timer, dueCount })
    pay(changes, system, state, due, { at, entryId: entry?.id ?? '' })
  }
  const isAnyDue = [...timers].some(([id, { dueCount }]) => dueCount !== state.timers.get(id)?.dueCount)
  return isAnyDue ? [{ type: 'timersChanged', timers }, ...changes] : []
}

interface Due {
  readonly trigger: TimeTrigger
  readonly timer: Timer
  /** How many awards are due since the anchor, including those before the newest entry. */
  readonly dueCount: number
}

function findDue({ triggers }: PointsSystem, { timers }: UserState, localInstant: LocalInstant): readonly Due[] {
  const due: Due[] = []
  for (const trigger of triggers) {
    const timer = isTimed(trigger) ? timers.get(trigger.id) : undefined
    if (!isTimed(trigger) || timer === undefined) continue
    const dueCount = dueCountAt(trigger.every, timer, localInstant)
    if (dueCount > timer.dueCount) due.push({ trigger, timer, dueCount })
  }
  return due
}

function pay(
  changes: Change[],
  system: PointsSystem,
  state: UserState,
  all: readonly Due[],
  where: { readonly at: Instant; readonly entryId: string },
): void {
  const paying = all.filter(({ trigger }) => {
    return trigger.status === 'active' && matches(trigger.userAttributes, state.profile.attributes)
  })
  if (paying.length === 0) return
  const balance = state.points.get(system.key)
  const previous = balance?.total ?? 0
  const zone = zoneOf(state.profile)
  const gains = addPayments(
    paying.map((due) => toSchedule(due, zone)),
    previous,
    system.maxPoints ?? Number.MAX_SAFE_INTEGER,
  )
  // The triggers paid in turns, so every award has the total after all of them. Gains are summed before they are added:
  // the total and the gain of one trigger alone may be more than a safe integer.
  const total = previous + gains.reduce((sum, gained) => sum + gained, 0)
  for (const [index, { trigger, timer, dueCount }] of paying.entries()) {
    const named = { system: system.key, trigger: trigger.id, due: payFor(dueCount - timer.dueCount, trigger.points) }
    const awarded = gains[index] ?? 0
    if (awarded === 0) changes.push({ type: 'pointsClipped', ...named })
    else changes.push({ type: 'pointsAwarded', ...named, awarded, total, ...where })
  }
  pushLevel(changes, system, balance?.level ?? null, total)
}

function toSchedule({ trigger: { every, points }, timer, dueCount }: Due, zone: string): Schedule {
  const before = timer.dueCount
  return {
    points,
    count: dueCount - before,
    at: (k) => dueAt(every, timer, before + k, zone),
  }
}
