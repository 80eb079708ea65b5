import { type Day, endOfDate, type Instant } from './calendar.ts'
import type { Change } from './change.ts'
import type { Entry } from './entry.ts'
import { type Every, type Game, matches, type PointsSystem, type TimeTrigger, type Trigger } from './game.ts'
import { levelFor } from './points.ts'
import { zoneOf } from './profile.ts'
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

/*
 * Sums awards that fall due one after the other while the total stays between 0 and a maximum. Awards that follow a
 * pattern are not gone through one by one: an absence of ten years costs no more than one of a day.
 */

/** Awards of one trigger that fall due. */
export interface Schedule {
  /** What each award is worth; negative takes away. */
  readonly points: number
  /** How many. */
  readonly count: number
  /** The instant at which the k-th award is due, from 1. */
  at(k: number): number
  /**
   * The even steps in which awards come from the k-th on: the step in milliseconds, and the number of the last award
   * that keeps it (k where no other follows).
   */
  evenFrom(k: number): Even
}

export interface Even {
  readonly step: number
  readonly last: number
}

/**
 * What the awards of each of `all` gave or took, in its order; at equal instants the first of `all` falls first. A
 * total above `greatest`, as after a newer game with a lower maximum, only falls.
 */
export function addPayments(all: readonly Schedule[], total: number, greatest: number): readonly number[] {
  const moving = all.filter(({ points, count }) => points !== 0 && count > 0)
  const [first, ...others] = moving
  if (first === undefined) return all.map(() => 0)
  const gains = others.length === 0 ? [addOne(first, total, greatest)] : addSeveral(moving, total, greatest)
  const bySource = new Map(moving.map((schedule, index) => [schedule, gains[index] ?? 0]))
  return all.map((schedule) => bySource.get(schedule) ?? 0)
}

/** With the awards of one trigger, the total only rises or only falls. */
function addOne({ points, count }: Schedule, total: number, greatest: number): number {
  const due = times(count, points)
  return due > 0 ? Math.min(due, Math.max(0, greatest - total)) : Math.max(due, -total)
}

/** The product, within safe integers. */
export function times(count: number, points: number): number {
  const due = count * points
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, due))
}

/** The progress through the awards of one trigger. */
interface OpenSchedule {
  readonly schedule: Schedule
  /** How many of its awards are done. */
  done: number
  next: number
  even: Even
  gained: number
}

interface Sum {
  readonly open: readonly OpenSchedule[]
  total: number
  readonly greatest: number
  lowest: number
  highest: number
  hasClipped: boolean
}

function addSeveral(all: readonly Schedule[], total: number, greatest: number): readonly number[] {
  if (isFree(all, total, greatest)) return all.map(({ count, points }) => count * points)
  const open = all.map(
    (schedule): OpenSchedule => ({ schedule, done: 0, next: schedule.at(1), even: schedule.evenFrom(1), gained: 0 }),
  )
  const sum: Sum = { open, total, greatest, lowest: total, highest: total, hasClipped: false }
  while (!isStuck(sum)) {
    const left = open.filter(isLeft)
    for (const each of left) if (each.done >= each.even.last) each.even = each.schedule.evenFrom(each.done + 1)
    skipRounds(sum, left)
    passUntil(sum, Math.min(...left.filter(isLeft).map(({ schedule, even }) => schedule.at(even.last))))
  }
  return open.map(({ gained }) => gained)
}

function isLeft({ done, schedule }: OpenSchedule): boolean {
  return done < schedule.count
}

/** True if no order of the payments could clip any. */
function isFree(all: readonly Schedule[], total: number, greatest: number): boolean {
  let up = total
  let down = total
  for (const { count, points } of all) {
    if (points > 0) up += count * points
    else down += count * points
  }
  return up <= greatest && down >= 0
}

/** Lets the awards up to and including an instant fall due, one by one. */
function passUntil(sum: Sum, until: number): void {
  const { open } = sum
  for (;;) {
    let first: OpenSchedule | null = null
    for (const each of open) {
      if (isLeft(each) && (first === null || each.next < first.next)) first = each
    }
    if (first === null || first.next > until) return
    passOne(sum, first)
  }
}

function passOne(sum: Sum, each: OpenSchedule): void {
  const { schedule, even } = each
  const free = sum.total + schedule.points
  const total = free > sum.greatest ? Math.max(sum.greatest, Math.min(sum.total, free)) : Math.max(0, free)
  if (total !== free) sum.hasClipped = true
  each.gained += total - sum.total
  sum.total = total
  sum.lowest = Math.min(sum.lowest, total)
  sum.highest = Math.max(sum.highest, total)
  each.done += 1
  if (isLeft(each)) each.next = each.done < even.last ? each.next + even.step : schedule.at(each.done + 1)
}

/** True if nothing that is left can move the total any more. */
function isStuck({ open, total, greatest }: Sum): boolean {
  return open.filter(isLeft).every(({ schedule }) => (schedule.points > 0 ? total >= greatest : total <= 0))
}

/**
 * While all awards come in even steps, their rounds repeat: a round that ends at the total with which it began, or that
 * clips nothing, stands for those after it.
 */
function skipRounds(sum: Sum, open: readonly OpenSchedule[]): void {
  const round = roundOf(open)
  const roundsLeft = (): number =>
    Math.min(...open.map(({ even, done }) => Math.floor((even.last - done) / (round / even.step))))
  // After an uneven step the next award may be more than a step away: no round begins before the step to it does.
  let end = Math.max(...open.map(({ next, even }) => next - even.step))
  passUntil(sum, end)
  while (roundsLeft() > 1) {
    const before = open.map(({ gained }) => gained)
    const start = sum.total
    Object.assign(sum, { lowest: start, highest: start, hasClipped: false })
    end += round
    passUntil(sum, end)
    const rounds = Math.min(roundsLeft(), likeThis(sum, start))
    if (rounds <= 0) continue
    // At once: what one trigger gives may, before another takes it, be more than a safe integer.
    sum.total += rounds * (sum.total - start)
    for (const [index, each] of open.entries()) {
      const { step, last } = each.even
      const gained = each.gained - (before[index] ?? 0)
      each.gained += rounds * gained
      each.done += (rounds * round) / step
      if (isLeft(each)) {
        each.next = each.done < last ? each.next + rounds * round : each.schedule.at(each.done + 1)
      }
    }
    end += rounds * round
  }
}

/** How many rounds more go as the last one did. */
function likeThis({ total, greatest, lowest, highest, hasClipped }: Sum, start: number): number {
  const drift = total - start
  if (drift === 0) return Number.POSITIVE_INFINITY
  if (hasClipped) return 0
  return drift > 0 ? Math.floor((greatest - highest) / drift) : Math.floor(lowest / -drift)
}

/** The time after which the awards of all triggers come together again: the least common multiple of their steps. */
function roundOf(open: readonly OpenSchedule[]): number {
  return open.reduce((round, { even: { step } }) => (round / greatestDivisor(round, step)) * step, 1)
}

function greatestDivisor(left: number, right: number): number {
  return right === 0 ? left : greatestDivisor(right, left % right)
}

/**
 * What time triggers pay from the newest entry until `at`: one award for each trigger, clipped as if each of its parts
 * had been given when it fell due. `today`: the local date at `at`.
 */
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

/** The triggers of a system that have an award due, in the game's order. */
function findDue({ triggers }: PointsSystem, { timers }: UserState, moment: Moment): readonly Due[] {
  const due: Due[] = []
  for (const trigger of triggers) {
    const timer = isTimed(trigger) ? timers.get(trigger.id) : undefined
    if (!isTimed(trigger) || timer === undefined) continue
    const dueCount = dueCountAt(trigger.every, timer, moment)
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
    const named = { system: system.key, trigger: trigger.id, due: times(dueCount - timer.dueCount, trigger.points) }
    const awarded = gains[index] ?? 0
    if (awarded === 0) changes.push({ type: 'pointsClipped', ...named })
    else changes.push({ type: 'pointsAwarded', ...named, awarded, total, ...where })
  }
  const level = levelFor(system, total)?.key ?? null
  if (level !== (balance?.level ?? null)) changes.push({ type: 'levelChanged', system: system.key, level })
}

function toSchedule({ trigger: { every, points }, timer, dueCount }: Due, zone: string): Schedule {
  const before = timer.dueCount
  return {
    points,
    count: dueCount - before,
    at: (k) => dueAt(every, timer, before + k, zone),
    evenFrom: (k) => {
      const { step, last } = evenFrom(every, timer, before + k, dueCount, zone)
      return { step, last: last - before }
    },
  }
}
