import { type Day, endOfDate, firstDayOf, type Instant, lastDayOf, type Period, periodOf } from './calendar.ts'
import type { Change } from './change.ts'
import type { Entry } from './entry.ts'
import { evolveAll } from './evolve.ts'
import type { FreezePool, Game, StreakRule } from './game.ts'
import { makeHeap, sinkFirst } from './heap.ts'
import { type Freezes, type StreakState, type UserState, zoneOf } from './state.ts'
import { about, canMiss, earnFreezes, freezesOf, isPaused, streakOf, todayAt } from './streak.ts'
import { payTimers } from './time-points.ts'

/** The periods of one streak that are over and could be missed, one after the other. */
interface EndedPeriods {
  readonly rule: StreakRule
  readonly streak: StreakState
  /** The next of them. */
  period: Period
  /** The instant at which it ended; infinite: none is left. */
  next: Instant
  readonly place: number
  readonly current: Period
}

/** The periods before the current one that are not settled yet: none if no streak runs. */
function beginPeriods(game: Game, rule: StreakRule, place: number, state: UserState, today: Day): EndedPeriods {
  const streak = streakOf(state, rule.key)
  const current = periodOf(rule.frequency, game.weekStartsOn, today)
  const period = streak.length === 0 ? current : (streak.kept ?? current)
  const ended = { rule, streak, period, next: NEVER, place, current }
  goOn(game, ended, state)
  return ended
}

/** Goes on to the next period that can be missed. */
function goOn({ weekStartsOn }: Game, ended: EndedPeriods, { profile, preferences }: UserState): void {
  const { rule, current } = ended
  const zone = zoneOf(profile)
  do ended.period += 1
  while (ended.period < current && !canMiss(rule, zone, preferences, ended.period))
  // By the instant, not by the date: a date that the zone left out ends with the one before.
  const isLeft = ended.period < current
  ended.next = isLeft ? endOfDate(zone, lastDayOf(rule.frequency, weekStartsOn, ended.period)) : NEVER
}

const NEVER: Instant = Number.POSITIVE_INFINITY

/**
 * What the time from the newest entry until `at` did: what time triggers paid, and what became of the streak. The first
 * step of every decision; reads call it too and throw the result away. `entry`: the one that is decided, if any.
 */
export function settle(game: Game, state: UserState, at: Instant, entry?: Entry): readonly Change[] {
  return settleTo(game, state, at, todayAt(state, at, entry), entry)
}

/** `settle`, with the local date at `at`. */
export function settleTo(game: Game, state: UserState, at: Instant, today: Day, entry?: Entry): readonly Change[] {
  const paid = game.timedSystems.length === 0 ? [] : payTimers(game, state, at, today, entry)
  return [...paid, ...settleStreaks(game, state, today)]
}

/** What became of the streaks until a date: freezes are consumed, pauses taken, streaks lost. */
export function settleStreaks(game: Game, state: UserState, today: Day): readonly Change[] {
  const changes: Change[] = []
  loseWithoutRule(changes, game, state)
  for (const pool of game.freezePools) settlePool(changes, game, pool, state, today)
  return changes
}

export function settled(game: Game, state: UserState, at: Instant): UserState {
  return evolveAll(state, settle(game, state, at))
}

function loseWithoutRule(changes: Change[], game: Game, { streak, streaks }: UserState): void {
  if (game.streak === null && streak.length > 0) changes.push(lose(streak, null))
  for (const [key, named] of streaks) {
    if (!game.streaks.has(key) && named.streak.length > 0) changes.push({ ...lose(named.streak, null), key })
  }
}

/**
 * Goes through the periods that are over, of all streaks that use the same freezes, in the order in which they ended.
 * At the local midnight that ends a missed period a freeze is consumed, or the streak is lost. Freezes earned at that
 * same midnight come too late for it.
 */
function settlePool(changes: Change[], game: Game, pool: FreezePool, state: UserState, today: Day): void {
  const [owner] = pool
  const rule = owner.freezes
  let freezes = freezesOf(state, owner)
  const earnBefore = (date: Day): void => {
    if (rule === null || freezes === null) return
    const earned = earnFreezes(rule, freezes, date)
    if (earned === freezes) return
    changes.push({ type: 'freezesEarned', ...about(owner), count: earned.count - freezes.count, freezes: earned })
    freezes = earned
  }
  const settlePeriod = (ended: EndedPeriods): void => {
    const { rule: streakRule, streak, period } = ended
    const { frequency } = streakRule
    const { length } = streak
    const which = about(streakRule)
    const date = firstDayOf(frequency, game.weekStartsOn, period)
    goOn(game, ended, state)
    if (isPaused(state.pauses, frequency, game.weekStartsOn, period)) {
      changes.push({ type: 'streakPaused', ...which, period, date, length })
      return
    }
    earnBefore(firstDayOf(frequency, game.weekStartsOn, period + 1))
    if (rule === null || freezes === null || freezes.count === 0) {
      changes.push({ ...lose(streak, period), ...which })
      ended.next = NEVER
      return
    }
    freezes = { ...(freezes satisfies Freezes), count: freezes.count - 1 }
    const shared = streakRule.sharesFreezes ? { isShared: true as const } : null
    changes.push({ type: 'streakFrozen', ...which, period, date, length, freezes, ...shared })
  }
  // By the end of the period; at one instant, in the order of the pool.
  const heap = makeHeap(pool.map((each, place) => beginPeriods(game, each, place, state, today)))
  for (let [ended] = heap; ended !== undefined && ended.next < NEVER; [ended] = heap) {
    settlePeriod(ended)
    sinkFirst(heap)
  }
  earnBefore(today + 1)
}

function lose(streak: StreakState, missed: Period | null): Extract<Change, { type: 'streakLost' }> {
  const { length, last, started, firstAt, extendedAt } = streak
  return { type: 'streakLost', length, lost: { length, last, missed, started, firstAt, extendedAt } }
}
