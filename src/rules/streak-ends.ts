import {
  type Day,
  endOfDate,
  type Frequency,
  firstDayOf,
  type Instant,
  lastDayOf,
  type Period,
  periodOf,
  type WeekStart,
} from './calendar.ts'
import type { Change } from './change.ts'
import { earnFreezes } from './freezes.ts'
import type { FreezePool, Game, StreakRule } from './game.ts'
import { makeHeap, sinkFirst } from './heap.ts'
import { isPaused } from './pauses.ts'
import { type Freezes, type StreakState, type UserState, zoneOf } from './state.ts'
import { canMiss } from './streak-days.ts'
import { about, freezesOf, streakOf } from './streak-names.ts'

/** An effect of time alone on streaks that use the same freezes. */
type Ending =
  | Extract<Change, { readonly type: 'streakPaused' | 'streakFrozen' | 'streakLost' }>
  | Extract<Change, { readonly type: 'freezesEarned' | 'freezesGranted' }>
type Lost = Extract<Change, { readonly type: 'streakLost' }>

/** The periods of one streak that are over and could be missed, one after the other. */
interface EndedPeriods {
  readonly rule: StreakRule
  readonly streak: StreakState
  /** The next of them. */
  period: Period
  /** The instant at which it ends; infinite: none is left. */
  next: Instant
  readonly index: number
  /** None is left from this period on. */
  readonly current: Period
}

const NEVER: Instant = Number.POSITIVE_INFINITY

/** The periods before the current one that are not settled yet: none if no streak runs. `today`: null for all time. */
function beginPeriods(game: Game, rule: StreakRule, index: number, state: UserState, today: Day | null): EndedPeriods {
  const streak = streakOf(state, rule.key)
  const current = today === null ? NEVER : periodOf(rule.frequency, game.weekStartsOn, today)
  const ended = { rule, streak, period: streak.kept ?? current, next: NEVER, index, current }
  if (streak.length > 0) goOn(game, ended, state)
  return ended
}

/** Continues to the next period that can be missed. */
function goOn({ weekStartsOn }: Game, ended: EndedPeriods, state: UserState): void {
  const { rule, current } = ended
  do ended.period += 1
  while (ended.period < current && !canMiss(rule, state, ended.period))
  ended.next = ended.period < current ? endOf(rule, weekStartsOn, ended.period, zoneOf(state.profile)) : NEVER
}

/** By the instant, not by the date: a date that the zone left out ends with the one before. */
function endOf({ frequency }: StreakRule, weekStartsOn: WeekStart, period: Period, zone: string): Instant {
  return endOfDate(zone, lastDayOf(frequency, weekStartsOn, period))
}

/**
 * False if no period before today was missed, and no freeze was earned. Nearly every settle ends here, so this check
 * makes no object.
 */
export function mayHaveEnded({ weekStartsOn }: Game, pool: FreezePool, state: UserState, today: Day): boolean {
  for (const { key, frequency } of pool) {
    const { length, kept } = streakOf(state, key)
    if (length > 0 && kept !== null && kept + 1 < periodOf(frequency, weekStartsOn, today)) return true
  }
  const [first] = pool
  if (first.freezes === null) return false
  const nextEarned = freezesOf(state, first)?.nextEarned ?? null
  return nextEarned !== null && nextEarned <= today
}

/**
 * Goes through the periods of all streaks that use the same freezes, in the order in which they end, up to `today` or,
 * without it, as far as the caller reads. At the local midnight that ends a missed period a freeze is consumed, or the
 * streak is lost. Freezes earned at that same midnight come too late for it.
 */
export function* endingsOf(game: Game, pool: FreezePool, state: UserState, today: Day | null): Generator<Ending, void> {
  const [first] = pool
  const rule = first.freezes
  let freezes = freezesOf(state, first)
  function* earnBefore(date: Day): Generator<Ending, void> {
    if (rule === null || freezes === null) return
    const earned = earnFreezes(rule, freezes, date)
    if (earned === freezes) return
    const count = earned.count - freezes.count
    freezes = earned
    yield { type: 'freezesEarned', ...about(first), count, freezes }
  }
  // By the end of the period; at one instant, in the order of the pool.
  const heap = makeHeap(pool.map((each, index) => beginPeriods(game, each, index, state, today)))
  for (let [ended] = heap; ended !== undefined && ended.next < NEVER; sinkFirst(heap), [ended] = heap) {
    const { rule: streakRule, streak, period } = ended
    const { frequency } = streakRule
    const { length } = streak
    const which = about(streakRule)
    const date = firstDayOf(frequency, game.weekStartsOn, period)
    goOn(game, ended, state)
    if (isPaused(state.pauses, frequency, game.weekStartsOn, period)) {
      yield { type: 'streakPaused', ...which, period, date, length }
      continue
    }
    yield* earnBefore(firstDayOf(frequency, game.weekStartsOn, period + 1))
    if (rule === null || freezes === null || freezes.count === 0) {
      ended.next = NEVER
      yield { ...lose(streak, period), ...which }
      continue
    }
    freezes = { ...(freezes satisfies Freezes), count: freezes.count - 1 }
    const shared = streakRule.sharesFreezes ? { isShared: true as const } : null
    yield { type: 'streakFrozen', ...which, period, date, length, freezes, ...shared }
  }
  if (today !== null) yield* earnBefore(today + 1)
}

export function lose(streak: StreakState, missed: Period | null): Lost {
  const { length, last, started, firstAt, extendedAt } = streak
  return { type: 'streakLost', length, lost: { length, last, missed, started, firstAt, extendedAt } }
}

/** The number of freezes to look ahead. A streak that outlives them counts as never lost. */
const MOST_FREEZES_AHEAD = 4_000

/**
 * The instants from which the streaks that use the same freezes are lost if none of them is extended again, by key. A
 * streak is absent if it is never lost, or not running.
 */
export function endsOfPool(game: Game, pool: FreezePool, state: UserState): ReadonlyMap<string | null, Instant> {
  const ends = new Map<string | null, Instant>()
  const running = new Map(pool.filter(({ key }) => streakOf(state, key).length > 0).map((rule) => [rule.key, rule]))
  let consumed = 0
  for (const ending of endingsOf(game, pool, state, null)) {
    const rule = running.get('key' in ending ? (ending.key ?? null) : null)
    if (rule === undefined) continue
    if (ending.type === 'streakFrozen') {
      consumed += 1
      if (consumed > MOST_FREEZES_AHEAD || areEarnedInTime(game, [...running.values()], rule, ending)) break
    }
    if (ending.type !== 'streakLost' || ending.lost.missed === null) continue
    ends.set(rule.key, endOf(rule, game.weekStartsOn, ending.lost.missed, zoneOf(state.profile)))
    running.delete(rule.key)
  }
  return ends
}

const SHORTEST: Record<Frequency, number> = { daily: 1, weekly: 7, monthly: 28 }

/** True if each interval earns as many freezes as it can consume, and there were as many: one is always left. */
function areEarnedInTime(
  { weekStartsOn }: Game,
  running: readonly StreakRule[],
  { frequency, freezes: rule }: StreakRule,
  frozen: Extract<Change, { readonly type: 'streakFrozen' }>,
): boolean {
  const { count, nextEarned } = frozen.freezes
  if (rule === null || rule.autoEarn === null || nextEarned === null) return false
  const { interval, amount } = rule.autoEarn
  const most = running.reduce((sum, each) => sum + Math.ceil(interval / SHORTEST[each.frequency]), 0)
  const isNear = nextEarned < firstDayOf(frequency, weekStartsOn, frozen.period + 1) + interval
  return isNear && Math.min(amount, rule.max, count + 1) >= most
}
