import { endOfDate, firstDayOf, type Instant, lastDayOf, type Period } from './calendar.ts'
import type { FreezePool, Game, StreakRule } from './game.ts'
import { zoneOf } from './profile.ts'
import { hasStreak, type UserState } from './state.ts'
import { nextMissable } from './streak.ts'
import { freezesOf, streakOf } from './streaks.ts'

/** The period that a streak misses next, unless somebody acts. */
export interface ComingMiss {
  readonly period: Period
  /** When its first date begins, and its last one ends. */
  readonly starts: Instant
  readonly ends: Instant
}

/** The next miss of a streak; null: it does not run. The state must be settled, so that the period is not over. */
export function comingMiss(game: Game, rule: StreakRule, state: UserState): ComingMiss | null {
  const { length, kept } = streakOf(state, rule.key)
  if (length === 0 || kept === null) return null
  const { weekStartsOn } = game
  const zone = zoneOf(state.profile)
  const period = nextMissable(game, rule, state, kept)
  return {
    period,
    starts: endOfDate(zone, firstDayOf(rule.frequency, weekStartsOn, period) - 1),
    ends: endOfDate(zone, lastDayOf(rule.frequency, weekStartsOn, period)),
  }
}

/** When the next period is missed, or the next freeze earned; infinite: never. The state must be settled. */
export function nextOfStreaks(game: Game, state: UserState): Instant {
  let next: Instant = Number.POSITIVE_INFINITY
  for (const rule of game.streakRules) next = Math.min(next, comingMiss(game, rule, state)?.ends ?? next)
  if (!hasStreak(state.preferences)) return next
  for (const pool of game.freezePools) next = Math.min(next, nextEarned(pool, state) ?? next)
  return next
}

/** A user with the most freezes there can be earns none until one is consumed, which is an instant of its own. */
function nextEarned([owner]: FreezePool, state: UserState): Instant | null {
  const freezes = freezesOf(state, owner)
  const rule = owner.freezes
  if (rule === null || rule.autoEarn === null || freezes === null || freezes.nextEarned === null) return null
  return freezes.count < rule.max ? endOfDate(zoneOf(state.profile), freezes.nextEarned - 1) : null
}
