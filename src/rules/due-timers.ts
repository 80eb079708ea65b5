import type { Instant } from './calendar.ts'
import { type Game, matches, type PointsSystem } from './game.ts'
import { zoneOf } from './profile.ts'
import type { UserState } from './state.ts'
import { fallsAt, isTimed } from './timer.ts'

/** When a time trigger next gives or takes something; infinite: never. The state must be settled. */
export function nextOfTimers({ timedSystems }: Game, state: UserState): Instant {
  let next: Instant = Number.POSITIVE_INFINITY
  for (const system of timedSystems) next = Math.min(next, nextOf(system, state))
  return next
}

function nextOf({ key, triggers, maxPoints }: PointsSystem, { points, profile, timers }: UserState): Instant {
  const total = points.get(key)?.total ?? 0
  // While nothing else moves the total, an award beyond its bounds is clipped to nothing.
  const canRise = total < (maxPoints ?? Number.MAX_SAFE_INTEGER)
  const canFall = total > 0
  let next: Instant = Number.POSITIVE_INFINITY
  for (const trigger of triggers) {
    const timer = isTimed(trigger) ? timers.get(trigger.id) : undefined
    if (!isTimed(trigger) || timer === undefined) continue
    const moves = trigger.points > 0 ? canRise : trigger.points < 0 && canFall
    if (!moves || trigger.status !== 'active' || !matches(trigger.userAttributes, profile.attributes)) continue
    next = Math.min(next, fallsAt(trigger.every, timer, timer.fallen + 1, zoneOf(profile)))
  }
  return next
}
