// The factors that multiply a payment.
import type { Boost } from './game.ts'
import { multiplied } from './numbers.ts'
import type { State } from './state.ts'
import { dayOf, matches } from './state.ts'
import type { BoostPatch } from './types.ts'

/** Boosts that apply at an instant, the oldest first. */
export function boostsOn(state: State, boosts: Boost[], system: string, instant: number): Boost[] {
  const ofSystem = boosts.filter((boost) => boost.system === system)
  if (ofSystem.length === 0) return []
  const day = dayOf(state, instant)
  return ofSystem
    .filter((boost) => boost.start <= day && day <= (boost.end ?? '9999-12-31'))
    .filter(({ userAttributes }) => matches(userAttributes, state.attributes))
    .sort((a, b) => a.created - b.created || plannedOrder(a, b) || a.order - b.order || order(a.id, b.id))
}

/** Only planned ones by their dates: of those given at one instant the order in which they were given counts. */
function plannedOrder(a: Boost, b: Boost): number {
  return a.created === 0 ? order(a.start, b.start) : 0
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Rounded once, as the newest wants it; never more than points can be. */
export function boosted(times: number, points: number, boosts: Boost[]): number {
  const newest = boosts.at(-1)
  if (newest === undefined) return Math.min(times * points, Number.MAX_SAFE_INTEGER)
  const product = multiplied(
    BigInt(times) * BigInt(points),
    boosts.map(({ multiplier }) => multiplier),
    newest.rounding ?? 'down',
  )
  return Math.min(product, Number.MAX_SAFE_INTEGER)
}

/** Returns `null` if it would end before it begins. */
export function changed(boost: Boost, { end, userAttributes, ...rest }: BoostPatch): Boost | null {
  const after: Boost = { ...boost, ...rest }
  if (end === null) delete after.end
  else if (end !== undefined) after.end = end
  if (userAttributes === null) delete after.userAttributes
  else if (userAttributes !== undefined) after.userAttributes = userAttributes
  return after.end !== undefined && after.end < after.start ? null : after
}

export function namesOf(boosts: Boost[]): string[] {
  return boosts.map(({ name }) => name).sort()
}
