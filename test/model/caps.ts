// The part of a payment that caps and cooldowns leave, computed each time from all earlier awards.
import type { Calendar } from './dates.ts'
import { followingPeriod, periodOf, reachedForGood } from './dates.ts'
import type { CapDefinition, FullSystem, FullTrigger } from './full-game.ts'
import type { Award, State } from './state.ts'
import { dayOf, zoneOf } from './state.ts'

const MINUTE = 60_000
const FREQUENCIES = { day: 'daily', week: 'weekly', month: 'monthly' } as const

interface Left {
  points: number
  resetsAt: number[] // of whatever took something; Infinity: never
}

/** How many of the points due at an instant are left. `awards` are all awards so far, this entry's included. */
export function leftOf(
  state: State,
  awards: Award[],
  system: string,
  { cap: ofSystem }: FullSystem,
  name: string,
  { cap, cooldown, exempt }: FullTrigger,
  instant: number,
  due: number,
): Left {
  if (cap === undefined && cooldown === undefined && ofSystem === undefined) return { points: due, resetsAt: [] }
  const paid = awards.filter((award) => award.system === system && award.awarded > 0 && !award.isOfTime)
  const since = (limit: string): Award[] => paid.filter((award) => awards.indexOf(award) >= sinceOf(state, limit))
  if (cooldown !== undefined) {
    const last = since(`cooldown ${name}`).findLast(({ trigger }) => trigger === name)
    const end = last === undefined ? instant : last.date + cooldown.minutes * MINUTE
    if (instant < end) return { points: 0, resetsAt: [end] }
  }
  const left: Left = { points: due, resetsAt: [] }
  if (cap !== undefined) {
    const mine = since(`cap ${name}`).filter(({ trigger }) => trigger === name)
    take(state, left, cap, mine, instant)
  }
  if (ofSystem !== undefined && exempt !== true) {
    const all = since(`system ${system}`).filter(({ isExempt }) => !isExempt)
    take(state, left, ofSystem, all, instant)
  }
  return left
}

/** When each of those is over that would now hold back all of another payment; Infinity: never. */
export function usedUpUntil(
  state: State,
  awards: Award[],
  system: string,
  ofSystem: FullSystem,
  name: string,
  { cap, cooldown, exempt }: FullTrigger,
  instant: number,
): number[] {
  const ask = (one: Pick<FullSystem, 'cap'>, own: Pick<FullTrigger, 'cap' | 'cooldown'>): number[] => {
    const { cap: _, ...rest } = ofSystem
    const trigger = { type: 'user_creation', points: 1, ...(exempt === true ? { exempt } : {}), ...own } as const
    return leftOf(state, awards, system, { ...rest, ...one }, name, trigger, instant, 1).resetsAt
  }
  return [
    ...(cooldown === undefined ? [] : ask({}, { cooldown })),
    ...(cap === undefined ? [] : ask({}, { cap })),
    ...(ofSystem.cap === undefined ? [] : ask({ cap: ofSystem.cap }, {})),
  ]
}

function sinceOf(state: State, limit: string): number {
  return state.limits.get(limit)?.since ?? 0
}

function take(state: State, left: Left, { points, per }: CapDefinition, paid: Award[], instant: number): void {
  const { period, sum } = spent(state, per, paid, dayOf(state, instant))
  const room = Math.max(0, points - sum)
  if (left.points <= room) return
  left.points = room
  if (per === 'ever') left.resetsAt.push(Number.POSITIVE_INFINITY)
  else left.resetsAt.push(reachedForGood(zoneOf(state), followingPeriod(calendarOf(state, per), period)))
}

/** Sums are kept of the newest three periods: what is dated before all of them counts against the oldest. */
function spent(state: State, per: CapDefinition['per'], paid: Award[], day: string): { period: string; sum: number } {
  let kept: { period: string; sum: number }[] = []
  const find = (date: string): { period: string; sum: number } => {
    const period = per === 'ever' ? '' : periodOf(calendarOf(state, per), date)
    const [oldest] = kept
    if (oldest !== undefined && kept.length === 3 && period < oldest.period) return oldest
    return kept.find((each) => each.period === period) ?? { period, sum: 0 }
  }
  for (const award of paid) {
    const place = find(award.day)
    place.sum += award.awarded
    if (!kept.includes(place)) kept = [...kept, place].sort((a, b) => (a.period < b.period ? -1 : 1)).slice(-3)
  }
  return find(day)
}

function calendarOf({ game }: State, per: 'day' | 'week' | 'month'): Calendar {
  return { frequency: FREQUENCIES[per], weekStartsOn: game.weekStartsOn }
}
