import {
  type Day,
  type Frequency,
  firstDayOf,
  type Instant,
  isDateInZone,
  lastDayOf,
  localDate,
  type Period,
  periodBefore,
  periodOf,
  toDateText,
} from '../rules/calendar.ts'
import type { Change } from '../rules/change.ts'
import { evolveAll } from '../rules/evolve.ts'
import type { Game, StreakRule } from '../rules/game.ts'
import { settle, settled } from '../rules/settle.ts'
import { type UserState, zoneOf } from '../rules/state.ts'
import { currentStreak } from '../rules/streak.ts'
import { isNeutral } from '../rules/streak-days.ts'
import { freezesOf, isAbout, ruleOf, type StreakName, streakOf } from '../rules/streak-names.ts'
import type { CurrentStreak, Streak, StreakHistoryItem, StreakPause } from '../shapes/streaks.ts'
import type { StreakPeriod } from '../storage/rows.ts'
import { toInstantText } from './users.ts'

function toText(day: Day | null): string | null {
  return day === null ? null : toDateText(day)
}

/** A streak as it reads at an instant; an expired one has length 0 without anything written. */
export function toStreak(game: Game, state: UserState, at: Instant, key: StreakName = null): Streak {
  return toSettledStreak(game, settled(game, state, at), at, key)
}

function toSettledStreak(game: Game, state: UserState, at: Instant, key: StreakName): Streak {
  const rule = ruleOf(game, key)
  const shown = currentStreak(game, state, localDate(zoneOf(state.profile), at), rule)
  return {
    length: shown.length,
    frequency: shown.frequency,
    started: toText(shown.started),
    periodStart: toText(shown.periodStart),
    periodEnd: toText(shown.periodEnd),
    expires: toText(shown.expires),
    ...toFreezes(rule, state),
  }
}

function toFreezes(streak: StreakRule | null, state: UserState): Partial<Streak> {
  const rule = streak?.freezes ?? null
  if (streak === null || rule === null) return {}
  const fields = { freezes: freezesOf(state, streak)?.count ?? 0, maxFreezes: rule.max }
  if (rule.autoEarn === null) return fields
  const { interval, amount } = rule.autoEarn
  return { ...fields, freezeAutoEarnInterval: interval, freezeAutoEarnAmount: amount }
}

/** When a streak, settled until then, was last made longer; null while the length is 0. */
export function toExtended(game: Game, state: UserState, key: StreakName = null): string | null {
  const { length, extendedAt } = streakOf(state, key)
  return ruleOf(game, key) === null || length === 0 || extendedAt === null ? null : toInstantText(extendedAt)
}

export function toPauses({ pauses, profile }: UserState, at: Instant): readonly StreakPause[] {
  const today = localDate(zoneOf(profile), at)
  return pauses
    .filter(({ end }) => end >= today)
    .map(({ id, start, end }) => ({ id, start: toDateText(start), end: toDateText(end) }))
}

/** Both states must be settled until `at`. */
export function toCurrentStreak(
  game: Game,
  before: UserState | null,
  after: UserState,
  at: Instant,
  key: StreakName = null,
): CurrentStreak {
  const streak = toSettledStreak(game, after, at, key)
  const previous = before === null ? 0 : streakOf(before, key).length
  return { ...streak, extended: streak.length > previous }
}

/** The named streaks, in the game's order. Absent if the game has none. Both states must be settled until `at`. */
export function toCurrentStreaks(
  game: Game,
  before: UserState | null,
  after: UserState,
  at: Instant,
): { readonly streaks?: { readonly [key: string]: CurrentStreak } } {
  if (game.streaks.size === 0) return {}
  const streaks = [...game.streaks.keys()].map((key) => [key, toCurrentStreak(game, before, after, at, key)] as const)
  return { streaks: Object.fromEntries(streaks) }
}

/**
 * The last `count` periods up to the current one, oldest first, without dates that do not exist in the user's zone.
 * `counted`: rows of periods; of several for one period, the last one holds.
 */
export function toStreakHistory(
  game: Game,
  state: UserState,
  at: Instant,
  counted: readonly StreakPeriod[],
  count: number,
  key: StreakName = null,
): readonly StreakHistoryItem[] {
  const rule = ruleOf(game, key)
  if (rule === null) return []
  const { frequency } = rule
  const { weekStartsOn } = game
  const periods = new Map<Period, StreakPeriod>()
  for (const row of counted) periods.set(periodOf(frequency, weekStartsOn, row.start), row)
  const changes = settle(game, state, at)
  for (const change of changes) {
    const row = isAbout(change, key) ? toPeriodRow(change) : null
    if (row !== null) periods.set(periodOf(frequency, weekStartsOn, row.start), row)
  }
  const current = periodOf(frequency, weekStartsOn, localDate(zoneOf(state.profile), at))
  const later = evolveAll(state, changes)
  const live = streakOf(later, key).length
  const resets = new Map(
    (later.resets.get(key ?? '') ?? []).map((reset) => [periodOf(frequency, weekStartsOn, reset.date), reset]),
  )
  const endedIn = (period: Period): boolean => {
    const reset = resets.get(period)
    return reset !== undefined && reset.ranAgain !== true
  }
  const isOff = (period: Period): boolean => isNeutral(rule, state, period)
  /** A day off keeps the length of the date before it. */
  const lengthIn = (period: Period): number => {
    let known = period
    while (!periods.has(known) && (isOff(known) || !existsIn(frequency, zoneOf(state.profile), known))) known -= 1
    return endedIn(known) ? 0 : (periods.get(known)?.length ?? 0)
  }
  const toItem = (period: Period): StreakHistoryItem => {
    const row = periods.get(period)
    const periodStart = toDateText(firstDayOf(frequency, weekStartsOn, period))
    const periodEnd = toDateText(lastDayOf(frequency, weekStartsOn, period))
    const isLive = period === current && (row === undefined || endedIn(period))
    const length = isLive ? live : lengthIn(period)
    const reset = resets.get(period)
    const resetAt = reset === undefined ? {} : { resetAt: toInstantText(reset.at) }
    const usedPause = row?.kind === 'paused'
    const neutral = isOff(period) ? ({ neutral: true } as const) : {}
    const usedFreeze = rule.freezes === null ? {} : { usedFreeze: row?.kind === 'frozen' }
    return { periodStart, periodEnd, length, ...usedFreeze, usedPause, ...neutral, ...resetAt }
  }
  return lastPeriods(frequency, zoneOf(state.profile), current, count).map(toItem)
}

function existsIn(frequency: Frequency, zone: string, period: Period): boolean {
  return frequency !== 'daily' || isDateInZone(zone, period)
}

function lastPeriods(frequency: Frequency, zone: string, current: Period, count: number): readonly Period[] {
  const first = periodBefore(frequency, zone, current, count - 1)
  const periods = Array.from({ length: current - first + 1 }, (_, index) => first + index)
  return periods.length === count ? periods : periods.filter((period) => isDateInZone(zone, period))
}

export function toPeriodRow(change: Change): StreakPeriod | null {
  switch (change.type) {
    case 'streakStarted':
    case 'streakExtended':
    case 'streakHeld':
      return { start: change.date, length: change.length, kind: 'counted' }
    case 'streakFrozen':
      return { start: change.date, length: change.length, kind: 'frozen' }
    case 'streakPaused':
      return { start: change.date, length: change.length, kind: 'paused' }
    case 'streakRestored':
      return change.date === null ? null : { start: change.date, length: change.streak.length, kind: 'counted' }
    default:
      return null
  }
}
