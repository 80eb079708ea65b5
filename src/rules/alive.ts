import { endOfDate, type Frequency, firstDayOf, type Instant, lastDayOf, type Period } from './calendar.ts'
import { earnFreezes } from './freeze.ts'
import type { FreezePool, Game, StreakRule } from './game.ts'
import { zoneOf } from './profile.ts'
import type { Freezes, UserState } from './state.ts'
import { nextMissable } from './streak.ts'
import { freezesOf, streakOf } from './streaks.ts'

/** How many freezes ahead are looked at: a streak that outlives so many counts as never lost. */
const MOST_FREEZES_AHEAD = 4_000

/** The next period that a streak misses if nobody extends it. */
interface Miss {
  readonly rule: StreakRule
  readonly period: Period
  readonly ends: Instant
}

/** The streaks that share freezes with this one, itself included. */
export function poolOf(game: Game, rule: StreakRule): FreezePool {
  return game.freezePools.find((pool) => pool.includes(rule)) ?? [rule]
}

/**
 * The instant from which a streak is lost if neither it nor a streak that shares its freezes is extended any more;
 * null: never. Freezes and pauses are taken into account. The streak's length must not be 0.
 */
export function aliveUntil(game: Game, state: UserState, rule: StreakRule | null = game.streak): Instant | null {
  if (rule === null) return null
  const pool = poolOf(game, rule)
  const zone = zoneOf(state.profile)
  const missAfter = (missed: StreakRule, kept: Period): Miss => {
    const period = nextMissable(game, missed, state, kept)
    return { rule: missed, period, ends: endOfDate(zone, lastDayOf(missed.frequency, game.weekStartsOn, period)) }
  }
  let misses: readonly Miss[] = pool.flatMap((each) => {
    const { kept } = streakOf(state, each.key)
    return kept === null ? [] : [missAfter(each, kept)]
  })
  if (misses.every((miss) => miss.rule !== rule)) return null
  let freezes = freezesOf(state, rule)
  for (let consumed = 0; consumed <= MOST_FREEZES_AHEAD; consumed += 1) {
    const next = misses.reduce((first, miss) => (miss.ends < first.ends ? miss : first))
    const from = firstDayOf(next.rule.frequency, game.weekStartsOn, next.period + 1)
    if (rule.freezes !== null && freezes !== null) freezes = earnFreezes(rule.freezes, freezes, from)
    if (rule.freezes === null || freezes === null || freezes.count === 0) {
      if (next.rule === rule) return next.ends
      misses = misses.filter((miss) => miss !== next)
      continue
    }
    if (areEarnedInTime(misses, rule, freezes, from)) return null
    freezes = { ...freezes, count: freezes.count - 1 }
    misses = misses.map((miss) => (miss === next ? missAfter(miss.rule, miss.period) : miss))
  }
  return null
}

const SHORTEST: Record<Frequency, number> = { daily: 1, weekly: 7, monthly: 28 }

/**
 * Whether each interval earns at least as many freezes as can be consumed in it, and as many are there now: then one is
 * always left.
 */
function areEarnedInTime(
  misses: readonly Miss[],
  { freezes: rule }: StreakRule,
  freezes: Freezes,
  from: number,
): boolean {
  if (rule === null || rule.autoEarn === null || freezes.nextEarned === null) return false
  const { interval, amount } = rule.autoEarn
  const most = misses.reduce((sum, miss) => sum + Math.ceil(interval / SHORTEST[miss.rule.frequency]), 0)
  return freezes.nextEarned < from + interval && Math.min(amount, rule.max, freezes.count) >= most
}
