import { type Day, endOfDate, type Instant, lastDayOf, MINUTE, type Period, periodOf } from './calendar.ts'
import type { Change, Reduction } from './change.ts'
import type { Entry } from './entry.ts'
import type { Cap, Game, PointsSystem, Trigger } from './game.ts'
import type { CapSum, UserState } from './state.ts'

/** At one instant it is three different dates in the world: a user who flies can go back by two. */
const KEPT_PERIODS = 3
const FREQUENCIES = { day: 'daily', week: 'weekly', month: 'monthly' } as const
/** The only period of a cap for all time. */
const EVER: Period = 0

type Used = Pick<UserState, 'caps' | 'cooldowns'>

export interface CapInput {
  readonly weekStartsOn: Game['weekStartsOn']
  readonly system: PointsSystem
  readonly trigger: Trigger
  readonly entry: Pick<Entry, 'at' | 'dating'>
}

type Taken = Omit<Reduction, 'resetsAt'>

/**
 * Applies the cooldown, the trigger's cap and the system's cap to `due`, in this order. Returns the points that remain,
 * or `null` if nothing was held back.
 */
export function applyCaps(capInput: CapInput, used: Used, due: number): Taken | null {
  let left = due
  const by: Reduction['by'][number][] = []
  const take = (what: Reduction['by'][number], room: number): void => {
    if (room >= left) return
    left = room
    by.push(what)
  }
  if (capInput.entry.at < cooledAt(capInput.trigger, used)) take('cooldown', 0)
  for (const { what, cap, sums, period } of capsOf(capInput, used)) {
    take(what, Math.max(0, cap.points - sumIn(sums, period)))
  }
  return by.length === 0 ? null : { left, by }
}

/**
 * When a trigger that was held back can pay again, or `null` if never. `used` includes the points that it paid
 * nevertheless.
 */
export function paysAgainAt(capInput: CapInput, used: Used, { by }: Taken): Instant | null {
  const { weekStartsOn, trigger, entry } = capInput
  let latest = Math.max(entry.at, cooledAt(trigger, used))
  for (const { what, cap, sums, period } of capsOf(capInput, used)) {
    if (!by.includes(what) && sumIn(sums, period) < cap.points) continue
    const end = endOf(cap, weekStartsOn, period, entry.dating.zone)
    if (end === null) return null
    latest = Math.max(latest, end)
  }
  return latest
}

function cooledAt({ id, cooldown }: Trigger, { cooldowns }: Used): Instant {
  const lastPaid = cooldowns.get(id)
  return cooldown === null || lastPaid === undefined ? Number.NEGATIVE_INFINITY : lastPaid + cooldown * MINUTE
}

/** The effect of a payment on the caps and the cooldown. Points that are taken away neither use nor refund them. */
export function countPayment(capInput: CapInput, used: Used, awarded: number): readonly Change[] {
  if (awarded <= 0) return []
  const { trigger, entry } = capInput
  const changes: Change[] = capsOf(capInput, used).map(({ id, sums, period }) => {
    return { type: 'capUsed', cap: id, sums: addSum(sums, { period, sum: sumIn(sums, period) + awarded }) }
  })
  if (trigger.cooldown !== null) changes.push({ type: 'cooldownStarted', trigger: trigger.id, at: entry.at })
  return changes
}

interface OwnedCap {
  readonly what: 'trigger_cap' | 'system_cap'
  readonly id: string
  readonly cap: Cap
  readonly sums: readonly CapSum[]
  readonly period: Period
}

function capsOf({ weekStartsOn, system, trigger, entry }: CapInput, { caps }: Used): readonly OwnedCap[] {
  const toOwned = (what: OwnedCap['what'], id: string, cap: Cap): OwnedCap => {
    const sums = caps.get(id) ?? []
    return { what, id, cap, sums, period: countedIn(sums, periodOn(cap, weekStartsOn, entry.dating.date)) }
  }
  return [
    ...(trigger.cap === null ? [] : [toOwned('trigger_cap', trigger.id, trigger.cap)]),
    ...(system.cap === null || trigger.exempt ? [] : [toOwned('system_cap', system.id, system.cap)]),
  ]
}

function periodOn({ per }: Cap, weekStartsOn: Game['weekStartsOn'], date: Day): Period {
  return per === 'ever' ? EVER : periodOf(FREQUENCIES[per], weekStartsOn, date)
}

/** Changes of zone may move dates back: a period before all that are kept counts as the oldest of them. */
function countedIn(sums: readonly CapSum[], period: Period): Period {
  return sums.length < KEPT_PERIODS ? period : Math.max(period, sums[0]?.period ?? period)
}

function sumIn(sums: readonly CapSum[], period: Period): number {
  return sums.find((each) => each.period === period)?.sum ?? 0
}

function addSum(sums: readonly CapSum[], added: CapSum): readonly CapSum[] {
  const others = sums.filter(({ period }) => period !== added.period)
  return [...others, added].sort((left, right) => left.period - right.period).slice(-KEPT_PERIODS)
}

function endOf({ per }: Cap, weekStartsOn: Game['weekStartsOn'], period: Period, zone: string): Instant | null {
  return per === 'ever' ? null : endOfDate(zone, lastDayOf(FREQUENCIES[per], weekStartsOn, period))
}

/** The sums of caps that have the same periods in both games, and the cooldowns of triggers that still have one. */
export function keepCaps(oldGame: Game, newGame: Game, { caps, cooldowns }: Used): Used {
  const [before, after] = [periodsOf(oldGame), periodsOf(newGame)]
  const hasCooldown = new Set(triggersOf(newGame).flatMap(({ id, cooldown }) => (cooldown === null ? [] : [id])))
  return {
    caps: keep(caps, (id) => after.has(id) && after.get(id) === before.get(id)),
    cooldowns: keep(cooldowns, (id) => hasCooldown.has(id)),
  }
}

function triggersOf({ points }: Game): readonly Trigger[] {
  return [...points.values()].flatMap(({ triggers }) => triggers)
}

/** The kind of period of each cap, by the id of its owner. Weeks that begin on another day are another kind. */
function periodsOf(game: Game): ReadonlyMap<string, string> {
  const owners = [...game.points.values(), ...triggersOf(game)]
  return new Map(
    owners.flatMap(({ id, cap }) => {
      if (cap === null) return []
      return [[id, cap.per === 'week' ? `week from ${game.weekStartsOn}` : cap.per]]
    }),
  )
}

function keep<V>(map: ReadonlyMap<string, V>, isKept: (id: string) => boolean): ReadonlyMap<string, V> {
  const kept = [...map].filter(([id]) => isKept(id))
  return kept.length === map.size ? map : new Map(kept)
}
