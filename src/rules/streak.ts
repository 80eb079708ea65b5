import {
  type Day,
  endOfDate,
  firstDayOf,
  type Instant,
  isDateInZone,
  lastDayOf,
  localDate,
  type Period,
  periodOf,
  periodsBetween,
} from './calendar.ts'
import type { Change } from './change.ts'
import type { Entry } from './entry.ts'
import type { Frequency, Game, StreakRule } from './game.ts'
import { zoneOf } from './profile.ts'
import type { PeriodSums, StreakState, UserState } from './state.ts'
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

/** The game's streak, with the user's own mode and metrics where the game lets users have them. */
function streakRuleFor(game: Game, state: UserState): StreakRule | null {
  const personal = state.preferences.streak
  if (game.streak === null || personal === null || !game.streak.customization) return game.streak
  return { ...game.streak, evaluationMode: personal.evaluationMode, metrics: personal.metrics }
}

function isAlive(game: Game, state: UserState, today: Day): boolean {
  const { length, last } = state.streak
  if (game.streak === null || length === 0 || last === null) return false
  const { frequency } = game.streak
  const period = periodOf(frequency, game.weekStartsOn, today)
  return periodsBetween(frequency, zoneOf(state.profile), last, period) === 0
}

/** The date at an instant in the user's zone; that of the entry itself where it was dated in this zone. */
export function todayAt(state: UserState, at: number, entry?: Entry): Day {
  const zone = zoneOf(state.profile)
  return entry?.dating.zone === zone ? entry.dating.date : localDate(zone, at)
}

/** What the time since the newest entry did to the streak (specification 2.4; decisions, section 5). */
export function settleStreak(game: Game, state: UserState, today: Day): readonly Change[] {
  if (state.streak.length === 0 || isAlive(game, state, today)) return []
  return [{ type: 'streakLost', length: state.streak.length }]
}

/** The user's zone, and so today's date, changed from `before` to `after`: distances from today stay. */
export function moveStreak(game: Game, state: UserState, oldZone: string, before: Day, after: Day): readonly Change[] {
  if (game.streak === null) return []
  const { streak } = state
  const { frequency } = game.streak
  const { weekStartsOn } = game
  const from = periodOf(frequency, weekStartsOn, before)
  const to = periodOf(frequency, weekStartsOn, after)
  const last = streak.last === null ? null : moveLast(frequency, oldZone, zoneOf(state.profile), streak.last, from, to)
  if (last === streak.last && from === to) return []

  const open = streak.open.map((sums) => ({ ...sums, period: sums.period + to - from }))
  return [{ type: 'streakMoved', streak: { ...streak, last, open } }]
}

function moveLast(
  frequency: Frequency,
  oldZone: string,
  newZone: string,
  last: Period,
  from: Period,
  to: Period,
): Period {
  if (last >= from) return to + last - from
  let distance = periodsBetween(frequency, oldZone, last, from) + 1
  let period = to
  while (distance > 0) {
    period -= 1
    if (frequency !== 'daily' || distance > 2 || isDateInZone(newZone, period)) distance -= 1
  }
  return period
}

/** Adds an event to the sums of its period. */
export function sumPeriod(game: Game, state: UserState, date: Day, metric: string, value: number): readonly Change[] {
  if (game.streak === null) return []
  const period = periodOf(game.streak.frequency, game.weekStartsOn, date)
  const { open } = state.streak
  const index = open.findIndex((sums) => sums.period === period)
  const known = index === -1 ? undefined : open[index]
  const sums = new Map(known?.sums)
  sums.set(metric, add(sums.get(metric) ?? 0, value))
  const summed: PeriodSums = { period, sums }
  if (known !== undefined) return [{ type: 'periodSummed', open: open.with(index, summed) }]
  const ascending = [...open, summed].sort((left, right) => left.period - right.period)
  return [{ type: 'periodSummed', open: ascending.slice(-KEPT_PERIODS) }]
}

/** Whether the event's period now counts, and what that does to the streak. */
export function extendStreak(game: Game, state: UserState, date: Day, at: number): readonly Change[] {
  const rule = streakRuleFor(game, state)
  if (rule === null) return []
  const period = periodOf(rule.frequency, game.weekStartsOn, date)
  const { length, last, firstAt, open } = state.streak
  if (last !== null && period <= last) return []
  const sums = open.find((candidate) => candidate.period === period)?.sums
  if (sums === undefined || !isReached(rule, sums)) return []

  const start = firstDayOf(rule.frequency, game.weekStartsOn, period)
  if (length === 0 || firstAt === null) return [{ type: 'streakStarted', at, period, date: start, length: 1 }]
  // Zone changes may make dates pass faster than time does; the length may not.
  const longest = 2 + Math.floor((at - firstAt + 3 * HOUR) / SPANS[rule.frequency])
  if (length + 1 > longest) return [{ type: 'streakHeld', period, date: start, length }]
  return [{ type: 'streakExtended', at, period, date: start, length: length + 1 }]
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

/** The streak as of an instant; nothing is written (specification 2.4). The state is one that `settle` has seen. */
export function viewStreak(game: Game, state: UserState, today: Day): StreakView {
  const frequency = game.streak?.frequency ?? 'daily'
  const { length, last, started }: StreakState = state.streak
  if (game.streak === null || length === 0 || last === null || started === null) {
    return { length: 0, frequency, started: null, periodStart: null, periodEnd: null, expires: null }
  }
  const period = periodOf(frequency, game.weekStartsOn, today)
  return {
    length,
    frequency,
    // A move to the west may have taken the last counted period before the date it all started on.
    started: Math.min(started, firstDayOf(frequency, game.weekStartsOn, last)),
    periodStart: firstDayOf(frequency, game.weekStartsOn, period),
    periodEnd: lastDayOf(frequency, game.weekStartsOn, period),
    expires: lastDayOf(frequency, game.weekStartsOn, nextPeriod(frequency, zoneOf(state.profile), last)),
  }
}

/** The instant from which a streak that nobody extends any more is lost. The state's length is not 0. */
export function aliveUntil(game: Game, state: UserState): Instant | null {
  const { last } = state.streak
  if (game.streak === null || last === null) return null
  const { frequency } = game.streak
  const zone = zoneOf(state.profile)
  return endOfDate(zone, lastDayOf(frequency, game.weekStartsOn, nextPeriod(frequency, zone, last)))
}

function nextPeriod(frequency: Frequency, zone: string, last: Period): Period {
  let next = last + 1
  while (frequency === 'daily' && !isDateInZone(zone, next)) next += 1
  return next
}
