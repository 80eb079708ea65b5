import { DAY, type Day, endOfDate, HOUR, type Instant, localDate } from './calendar.ts'
import type { Change } from './change.ts'
import type { Entry } from './entry.ts'
import {
  type Every,
  type Game,
  isSpendable,
  matches,
  type PointsSystem,
  type SpendableSystem,
  type TimeTrigger,
  type Trigger,
} from './game.ts'
import { addPayments, type Schedule } from './payments.ts'
import { payFor, pushLevel } from './points.ts'
import { type Timer, type UserState, zoneOf } from './state.ts'
import { passWallet } from './wallet-changes.ts'
import type { Payer } from './wallet-time.ts'

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

/** One award for each trigger, clipped as if each part was given when it was due. `today`: the date at `at`. */
export function payTimers(game: Game, state: UserState, at: Instant, today: Day, entry?: Entry): readonly Change[] {
  const changes: Change[] = []
  const timers = new Map(state.timers)
  for (const system of game.timedSystems) {
    const due = findDue(system, state, { at, today })
    for (const { trigger, timer, dueCount } of due) timers.set(trigger.id, { ...timer, dueCount })
    const where = { at, entryId: entry?.id ?? '' }
    if (isSpendable(system)) payInto(changes, system, state, due, { ...where, today })
    else pay(changes, system, state, due, where)
  }
  const isAnyDue = [...timers].some(([id, { dueCount }]) => dueCount !== state.timers.get(id)?.dueCount)
  return isAnyDue ? [{ type: 'timersChanged', timers }, ...changes] : changes
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

function pay(changes: Change[], system: PointsSystem, state: UserState, all: readonly Due[], where: Where): void {
  const paying = all.filter(({ trigger }) => pays(trigger, state))
  if (paying.length === 0) return
  const balance = state.points.get(system.key)
  const previous = balance?.total ?? 0
  const zone = zoneOf(state.profile)
  const gains = addPayments(
    paying.map((due) => toSchedule(due, zone)),
    previous,
    system.maxPoints ?? Number.MAX_SAFE_INTEGER,
  )
  pushAwards(changes, system, state, paying, gains, where)
}

function pays({ status, userAttributes }: TimeTrigger, { profile }: UserState): boolean {
  return status === 'active' && matches(userAttributes, profile.attributes)
}

type Where = { readonly at: Instant; readonly entryId: string }

function pushAwards(
  changes: Change[],
  system: PointsSystem,
  state: UserState,
  paying: readonly Due[],
  gains: readonly number[],
  where: Where,
): void {
  const balance = state.points.get(system.key)
  // The triggers paid in turns, so every award has the total after all of them. Gains are summed before they are added:
  // the total and the gain of one trigger alone may be more than a safe integer.
  const total = (balance?.total ?? 0) + gains.reduce((sum, gained) => sum + gained, 0)
  for (const [index, { trigger, timer, dueCount }] of paying.entries()) {
    const named = { system: system.key, trigger: trigger.id, due: payFor(dueCount - timer.dueCount, trigger.points) }
    const awarded = gains[index] ?? 0
    if (awarded === 0) changes.push({ type: 'pointsClipped', ...named })
    else changes.push({ type: 'pointsAwarded', ...named, awarded, total, ...where })
  }
  pushLevel(changes, system, balance?.level ?? null, total)
}

/** Time passes for the wallet of a spendable system, into which its triggers pay. */
function payInto(
  changes: Change[],
  system: SpendableSystem,
  state: UserState,
  all: readonly Due[],
  where: Where & { readonly today: Day },
): void {
  const { at, today, entryId } = where
  const paying = all.filter(({ trigger }) => pays(trigger, state))
  const zone = zoneOf(state.profile)
  const payers = paying.map((due) => toPayer(due, zone))
  const passed = passWallet(system.key, system, state, { at, today }, payers)
  if (passed === null) return
  if (paying.length > 0) pushAwards(changes, system, state, paying, passed.gains, { at, entryId })
  changes.push(...passed.changes)
}

function toPayer(due: Due, zone: string): Payer {
  const { every, points } = due.trigger
  const { timer } = due
  const schedule = toSchedule(due, zone)
  const { unit, count } = every
  const before = timer.dueCount
  return {
    ...schedule,
    points,
    isByClock: unit === 'hour',
    dateOf: (k) => (unit === 'hour' ? localDate(zone, schedule.at(k)) : timer.date + (before + k) * count),
    countBefore: ({ date, at }) => {
      const passed =
        unit === 'hour' ? Math.ceil((at - timer.anchor) / HOUR / count) : Math.ceil((date - timer.date) / count)
      return Math.max(0, Math.min(passed - 1 - before, schedule.count))
    },
  }
}

function toSchedule({ trigger: { every, points }, timer, dueCount }: Due, zone: string): Schedule {
  const before = timer.dueCount
  return {
    points,
    count: dueCount - before,
    at: (k) => dueAt(every, timer, before + k, zone),
  }
}
