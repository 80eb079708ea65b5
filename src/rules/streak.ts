import type { Frequency } from './calendar.ts'
import {
  type Day,
  firstDayOf,
  firstDayOfYear,
  isDateInZone,
  lastDayOf,
  localDate,
  type Period,
  periodBefore,
  periodOf,
  periodsBetween,
  yearOf,
} from './calendar.ts'
import type { Change } from './change.ts'
import type { Entry, EventRecorded, PersonalStreak } from './entry.ts'
import type { EvaluationMode, Game, StreakRule } from './game.ts'
import { isPaused } from './pause.ts'
import { zoneOf } from './profile.ts'
import { type Freezes, hasStreak, type PeriodSums, type StreakState, type UserState } from './state.ts'
import { about, ownFreezesOf, streakOf } from './streaks.ts'
import { add } from './total.ts'

const HOUR = 3_600_000
const SPANS: Record<Frequency, number> = { daily: 24 * HOUR, weekly: 7 * 24 * HOUR, monthly: 28 * 24 * HOUR }
const KEPT_PERIODS = 2

/** The streak as it is read at some instant; the dates are null while the length is 0. */
export interface StreakView {
  readonly length: number
  readonly frequency: Frequency
  readonly started: Day | null
  readonly periodStart: Day | null
  readonly periodEnd: Day | null
  /** The last date on which it can still be extended. */
  readonly expires: Day | null
}

/**
 * A streak of the game's, with the user's own mode and metrics where the game lets users have them; null where the game
 * has none, or the user wants none.
 */
export function streakRuleFor(rule: StreakRule | null, { preferences }: UserState): StreakRule | null {
  const personal = preferences.streak
  if (!hasStreak(preferences)) return null
  if (rule === null || personal === null || !rule.customization) return rule
  const { metrics = rule.metrics } = personal
  const evaluationMode = personalMode(personal) ?? rule.evaluationMode
  return { ...rule, evaluationMode, metrics }
}

/** The user's own evaluation mode: `OR` for own metrics without a mode. undefined: that of the game. */
export function personalMode({ evaluationMode, metrics }: PersonalStreak): EvaluationMode | undefined {
  return evaluationMode ?? (metrics === undefined ? undefined : 'OR')
}

/** The date at an instant in the user's zone; that of the entry itself where it was dated in this zone. */
export function todayAt(state: UserState, at: number, entry?: Entry): Day {
  const zone = zoneOf(state.profile)
  return entry?.dating.zone === zone ? entry.dating.date : localDate(zone, at)
}

/** Today, by the zone before and by the new one. */
export interface ZoneMove {
  readonly oldZone: string
  readonly before: Day
  readonly after: Day
}

/** Shifts a streak when a change of zone moves today, so that it is as far from today as it was. */
export function moveStreak(
  game: Game,
  rule: StreakRule,
  state: UserState,
  { oldZone, before, after }: ZoneMove,
): readonly Change[] {
  const streak = streakOf(state, rule.key)
  const own = ownFreezesOf(state, rule.key)
  const { frequency } = rule
  const { weekStartsOn } = game
  const from = periodOf(frequency, weekStartsOn, before)
  const to = periodOf(frequency, weekStartsOn, after)
  const kept = streak.kept === null ? null : moveKept(frequency, oldZone, zoneOf(state.profile), streak.kept, from, to)
  const freezes = moveFreezes(own, after - before)
  // Sums of periods before the current one are dropped: no event on the dates of the new zone can add to them.
  const recent = streak.open.filter(({ period }) => period >= from)
  if (kept === streak.kept && from === to && freezes === own && recent.length === streak.open.length) return []

  const last = streak.last === null || kept === null || streak.kept === null ? null : streak.last + kept - streak.kept
  const open = recent.map((sums) => ({ ...sums, period: sums.period + to - from }))
  return [{ type: 'streakMoved', ...about(rule), streak: { ...streak, last, kept, open }, freezes }]
}

function moveFreezes(freezes: Freezes | null, days: number): Freezes | null {
  if (freezes === null || freezes.nextEarned === null || days === 0) return freezes
  return { ...freezes, nextEarned: freezes.nextEarned + days }
}

function moveKept(
  frequency: Frequency,
  oldZone: string,
  newZone: string,
  kept: Period,
  from: Period,
  to: Period,
): Period {
  if (kept >= from) return to + kept - from
  let distance = periodsBetween(frequency, oldZone, kept, from) + 1
  let period = to
  while (distance > 0) {
    period -= 1
    if (frequency !== 'daily' || distance > 2 || isDateInZone(newZone, period)) distance -= 1
  }
  return period
}

/** Adds an event to the sums of its period. */
export function sumPeriod(
  { weekStartsOn }: Game,
  rule: StreakRule,
  state: UserState,
  { dating, metric, value }: Entry & EventRecorded,
): readonly Change[] {
  if (!hasStreak(state.preferences)) return []
  const period = periodOf(rule.frequency, weekStartsOn, dating.date)
  const { open } = streakOf(state, rule.key)
  const index = open.findIndex((sums) => sums.period === period)
  const known = index === -1 ? undefined : open[index]
  const sums = new Map(known?.sums)
  sums.set(metric, add(sums.get(metric) ?? 0, value))
  const summed: PeriodSums = { period, sums }
  if (known !== undefined) return [{ type: 'periodSummed', ...about(rule), open: open.with(index, summed) }]
  const ascending = [...open, summed].sort((left, right) => left.period - right.period)
  return [{ type: 'periodSummed', ...about(rule), open: ascending.slice(-KEPT_PERIODS) }]
}

/** Whether the event's period now counts, and what that does to the streak. */
export function extendStreak(
  { weekStartsOn }: Game,
  theGames: StreakRule,
  state: UserState,
  { dating, at }: Entry,
): readonly Change[] {
  const rule = streakRuleFor(theGames, state)
  if (rule === null) return []
  const period = periodOf(rule.frequency, weekStartsOn, dating.date)
  const { length, last, firstAt, open } = streakOf(state, rule.key)
  if (last !== null && period <= last) return []
  const sums = open.find((candidate) => candidate.period === period)?.sums
  if (sums === undefined || !isReached(rule, sums)) return []

  const start = firstDayOf(rule.frequency, weekStartsOn, period)
  const which = about(rule)
  if (length === 0 || firstAt === null) return [{ type: 'streakStarted', ...which, at, period, date: start, length: 1 }]
  // Zone changes may make dates pass faster than time does; the length may not.
  const longest = 2 + Math.floor((at - firstAt + 3 * HOUR) / SPANS[rule.frequency])
  if (length + 1 > longest) return [{ type: 'streakHeld', ...which, period, date: start, length }]
  return [{ type: 'streakExtended', ...which, at, period, date: start, length: length + 1 }]
}

function isReached(rule: StreakRule, sums: ReadonlyMap<string, number>): boolean {
  for (const [metric, threshold] of rule.metrics) {
    const sum = sums.get(metric) ?? 0
    const reached = threshold === null ? sum > 0 : sum >= threshold
    if (reached && rule.evaluationMode === 'OR') return true
    if (!reached && rule.evaluationMode === 'AND') return false
  }
  return rule.evaluationMode === 'AND' && rule.metrics.size > 0
}

const RESTORABLE_DAYS = 90

/**
 * The earliest missed period over which a lost streak is restored on a date: 90 days before it, the week of 1 January
 * of its year, or January of the year before.
 */
export function firstRestorable({ weekStartsOn }: Game, { frequency }: StreakRule, today: Day): Period {
  if (frequency === 'daily') return today - RESTORABLE_DAYS
  const year = yearOf(today) - (frequency === 'monthly' ? 1 : 0)
  return periodOf(frequency, weekStartsOn, firstDayOfYear(year))
}

/**
 * Gives a streak back the length that it had when it was last lost; no change where none was lost, or the streak is as
 * long by now. A current period that counts already stays counted, and no period before it can be missed any more.
 */
export function restoreStreak(game: Game, rule: StreakRule, state: UserState, today: Day): readonly Change[] {
  const streak = streakOf(state, rule.key)
  if (streak.lost === null || streak.lost.length <= streak.length) return []
  const { missed: _, ...lost } = streak.lost
  const { frequency } = rule
  const current = periodOf(frequency, game.weekStartsOn, today)
  const before = current - 1
  const kept = Math.max(streak.kept ?? before, before)
  const last = streak.last ?? Math.min(lost.last ?? before, kept)
  const date =
    streak.last === null || streak.last < current ? null : firstDayOf(frequency, game.weekStartsOn, streak.last)
  return [{ type: 'streakRestored', ...about(rule), streak: { ...streak, ...lost, last, kept, lost: null }, date }]
}

/** A streak as of `today`. The state must be settled until then. */
export function viewStreak(
  game: Game,
  state: UserState,
  today: Day,
  rule: StreakRule | null = game.streak,
): StreakView {
  const frequency = rule?.frequency ?? 'daily'
  const { length, last, kept, started }: StreakState = streakOf(state, rule?.key)
  if (rule === null || length === 0 || last === null || kept === null || started === null) {
    return { length: 0, frequency, started: null, periodStart: null, periodEnd: null, expires: null }
  }
  const { weekStartsOn } = game
  const period = periodOf(frequency, weekStartsOn, today)
  const earliest = periodBefore(frequency, zoneOf(state.profile), last, length - 1)
  return {
    length,
    frequency,
    // A move to the west shifts the last period back; the start lies at least `length - 1` periods before it.
    started: Math.min(started, firstDayOf(frequency, weekStartsOn, earliest)),
    periodStart: firstDayOf(frequency, weekStartsOn, period),
    periodEnd: lastDayOf(frequency, weekStartsOn, period),
    expires: lastDayOf(frequency, weekStartsOn, nextMissable(game, rule, state, kept)),
  }
}

/** The first period after one that can be missed: it is not paused, and exists in the user's zone. */
export function nextMissable(game: Game, { frequency }: StreakRule, state: UserState, after: Period): Period {
  const zone = zoneOf(state.profile)
  let next = after + 1
  for (;;) {
    if (!isPaused(state.pauses, frequency, game.weekStartsOn, next)) {
      const exists = frequency !== 'daily' || isDateInZone(zone, next)
      if (exists) return next
    }
    next += 1
  }
}
