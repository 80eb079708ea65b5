// The points that triggers pay at one entry.
import { boosted, boostsOn, namesOf } from './boosts.ts'
import { leftOf, usedUpUntil } from './caps.ts'
import type { FullSystem, FullTrigger } from './full-game.ts'
import type { Game } from './game.ts'
import { nameOfTrigger } from './game.ts'
import type { Award, State } from './state.ts'
import { dayOf, levelOf, matches } from './state.ts'
import type { PointsChange } from './types.ts'

export type Times = (trigger: FullTrigger) => number

export const mostPoints = (system: FullSystem): number => system.maxPoints ?? Number.MAX_SAFE_INTEGER

interface Payment {
  award: Award
  trigger: FullTrigger
  capped: { due: number; resetsAt: number | null } | null
}

/** The points that each trigger of the system would pay now; triggers without points are left out. */
function payments(state: State, key: string, system: FullSystem, instant: number, times: Times, clips: boolean) {
  const given: Payment[] = []
  let total = state.points.get(key) ?? 0
  for (const [index, trigger] of (system.triggers ?? []).entries()) {
    if (!isMet(state, trigger, times)) continue
    const boosts = trigger.points > 0 ? boostsOn(state, [...state.game.boosts, ...state.boosts], key, instant) : []
    // More than a system can hold is neither given nor taken by one trigger.
    const due = Math.max(-Number.MAX_SAFE_INTEGER, boosted(times(trigger), trigger.points, boosts))
    if (due === 0) continue
    const name = nameOfTrigger(key, trigger, index)
    const before = [...state.awards, ...given.map(({ award }) => award)]
    const left =
      due > 0 ? leftOf(state, before, key, system, name, trigger, instant, due) : { points: due, resetsAt: [] }
    const after = clips ? Math.min(mostPoints(system), Math.max(0, total + left.points)) : total + left.points
    const award = {
      system: key,
      trigger: name,
      awarded: after - total,
      total: after,
      date: instant,
      day: dayOf(state, instant),
      boosts: namesOf(boosts),
      isOfTime: false,
      isExempt: trigger.exempt === true,
    }
    const latest = Math.max(
      ...left.resetsAt,
      ...usedUpUntil(state, [...before, award], key, system, name, trigger, instant),
    )
    given.push({
      award,
      trigger,
      capped:
        left.resetsAt.length === 0 ? null : { due, resetsAt: latest === Number.POSITIVE_INFINITY ? null : latest },
    })
    total = after
  }
  return given
}

/** True if all triggers together would leave a system below 0, and a trigger that blocks is met, even if it pays nothing. */
export function outOfPoints(state: State, instant: number, times: Times): boolean {
  for (const [key, system] of state.game.systems) {
    const total = payments(state, key, system, instant, times, false).at(-1)?.award.total ?? 0
    const blocks = (trigger: FullTrigger): boolean =>
      trigger.blockIfOutOfPoints === true && isMet(state, trigger, times)
    if (total < 0 && system.triggers?.some(blocks)) return true
  }
  return false
}

function isMet(state: State, trigger: FullTrigger, times: Times): boolean {
  if (trigger.type === 'time' || trigger.status === 'inactive' || times(trigger) * trigger.points === 0) return false
  return matches(trigger.userAttributes, state.attributes)
}

export function pay(state: State, instant: number, times: Times): void {
  for (const [key, system] of state.game.systems) {
    for (const { award, capped } of payments(state, key, system, instant, times, true)) {
      if (capped !== null) {
        state.capped.push({ system: key, trigger: award.trigger, awarded: award.awarded, ...capped })
      }
      if (award.awarded === 0) continue
      state.points.set(key, award.total)
      state.awards.push(award)
    }
  }
}

/** How far an entry has come: what is after this was given by it. */
export interface Before {
  points: Map<string, number>
  awards: number
  capped: number
}

export function pointsChange(state: State, before: Before, newest: Game): { [system: string]: PointsChange } {
  const changes: [string, PointsChange][] = []
  for (const [key, system] of state.game.systems) {
    // By the newest game, though another one decided: what it has no more is at -1.
    const names = (newest.systems.get(key)?.triggers ?? []).map((trigger, index) => nameOfTrigger(key, trigger, index))
    const old = before.points.get(key) ?? 0
    const total = state.points.get(key) ?? 0
    const capped = state.capped
      .slice(before.capped)
      .filter((each) => each.system === key)
      .map(({ system: _, trigger, ...rest }) => ({ trigger: names.indexOf(trigger), ...rest }))
    const given = state.awards.slice(before.awards).filter((award) => award.system === key)
    // The caller has read the points of time, so the answer has to say that they are gone again.
    if (total === old && capped.length === 0 && !given.some(({ isOfTime }) => isOfTime)) continue
    const change: PointsChange = { total, added: total - old, awards: [] }
    for (const award of given) {
      const trigger = names.indexOf(award.trigger)
      change.awards.push({ trigger, awarded: award.awarded, total: award.total, ...boostsOf(award) })
    }
    const level = levelOf(system, total)
    if (level !== levelOf(system, old)) change.level = level
    if (capped.length > 0) change.capped = capped
    changes.push([key, change])
  }
  return Object.fromEntries(changes)
}

export function boostsOf({ boosts }: Award): { boosts?: string[] } {
  return boosts.length === 0 ? {} : { boosts }
}
