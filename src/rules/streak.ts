import {
  type Day,
  type Frequency,
  firstDayOf,
  HOUR,
  type Instant,
  isDateInZone,
  lastDayOf,
  localDate,
  type Period,
  periodBefore,
  periodOf,
  periodsBetween,
} from './calendar.ts'
import type { Change } from './change.ts'
import type { Entry, EventRecorded, PersonalStreak } from './entry.ts'
import { aggregationOf, type EvaluationMode, type Game, type StreakRule } from './game.ts'
import { isPaused } from './pauses.ts'
import { hasStreak, type PeriodSums, type StreakState, type UserState, zoneOf } from './state.ts'
import { canMiss, daysOn, isNeutral } from './streak-days.ts'
import { about, ownFreezesOf, streakOf } from './streak-names.ts'
import { aggregate } from './total.ts'

const SPANS: Record<Frequency, number> = { daily: 24 * HOUR, weekly: 7 * 24 * HOUR, monthly: 28 * 24 * HOUR }
const KEPT_PERIODS = 2
const KEPT_DATES = 14

/** The streak as read at some instant; the dates are null while the length is 0. */
export interface CurrentStreak {
  readonly length: number
  readonly frequency: Frequency
  readonly started: Day | null
  readonly periodStart: Day | null
  readonly periodEnd: Day | null
  readonly expires: Day | null
}

/**
 * The streak by which an event on a date is judged, or `null` if there is none, or it is off. It has the number of days
 * of that date, and the user's own mode and metrics if the game allows them.
 */
export function streakRuleOn(rule: StreakRule | null, state: UserState, date: Day): StreakRule | null {
  const { preferences } = state
  const personal = preferences.streak
  if (rule === null || !hasStreak(preferences)) return null
  const { days } = daysOn(rule, state, date)
  const dated = days === rule.days ? rule : { ...rule, days }
  if (personal === null || !rule.customization) return dated
  const { metrics = rule.metrics } = personal
  return { ...dated, evaluationMode: personalMode(personal) ?? rule.evaluationMode, metrics }
}

/** The user's own evaluation mode: `OR` for own metrics without a mode. Undefined for the game's mode. */
export function personalMode({ evaluationMode, metrics }: PersonalStreak): EvaluationMode | undefined {
  return evaluationMode ?? (metrics === undefined ? undefined : 'OR')
}

/** The date at an instant in the user's zone. If the entry was dated in this zone, the entry's date. */
export function todayAt(state: UserState, at: number, entry?: Entry): Day {
  const zone = zoneOf(state.profile)
  return entry?.dating.zone === zone ? entry.dating.date : localDate(zone, at)
}

/**
 * True if a move takes the periods of a streak along with today. Weeks that are judged by their dates stay in place:
 * such a week takes days, and the move may leave only hours of it.
 */
export function movesWithToday({ days }: StreakRule): boolean {
  return days === null
}

/** Shifts a streak when a change of zone moves today, so that its distance to today does not change. */
export function moveStreak(
  game: Game,
  rule: StreakRule,
  state: UserState,
  move: { readonly oldZone: string; readonly before: Day; readonly after: Day },
): readonly Change[] {
  const streak = streakOf(state, rule.key)
  const own = ownFreezesOf(state, rule.key)
  const { oldZone, before, after } = move
  const from = periodOf(rule.frequency, game.weekStartsOn, before)
  const to = periodOf(rule.frequency, game.weekStartsOn, after)
  const moved = movesWithToday(rule)
    ? moveWithToday(streak, rule, state, { oldZone, from, to })
    : moveDates(game, rule, state, { before, after })
  const earned = own?.nextEarned ?? null
  const isMoved = own !== null && earned !== null && after !== before
  const freezes = isMoved ? { ...own, nextEarned: earned + after - before } : own
  if (moved.kept === streak.kept && freezes === own && moved.open === streak.open) return []
  return [{ type: 'streakMoved', ...about(rule), streak: { ...streak, ...moved }, freezes }]
}

type Moved = Pick<StreakState, 'last' | 'kept' | 'open'>

/** `from`, `to`: the current period in the old zone and in the new one. */
interface PeriodMove {
  readonly oldZone: string
  readonly from: Period
  readonly to: Period
}

function moveWithToday(streak: StreakState, rule: StreakRule, state: UserState, move: PeriodMove): Moved {
  const { from, to } = move
  const kept = streak.kept === null ? null : moveKept(streak.kept, rule, state, move)
  const last = streak.last === null || kept === null || streak.kept === null ? null : streak.last + kept - streak.kept
  // Sums of periods before the current one are dropped, since no event on the dates of the new zone can add to them.
  const open = streak.open.filter(({ period }) => period >= from)
  if (from === to) return { last, kept, open: open.length === streak.open.length ? streak.open : open }
  return { last, kept, open: open.map(({ period, sums }) => ({ period: period + to - from, sums })) }
}

/**
 * Weeks stay where they are in the calendar. A week cannot be missed if a move to the east ended it, or left too few of
 * its dates. It still counts if the user does enough in it. Dates keep their distance from today, so that one day in
 * two zones is one date, and each stays in its week.
 */
function moveDates(
  game: Game,
  theGames: StreakRule,
  state: UserState,
  { before, after }: { readonly before: Day; readonly after: Day },
): Moved {
  const { last, kept, open } = streakOf(state, theGames.key)
  if (before === after) return { last, kept, open }
  const moved = open.map((date) => ({ ...date, period: date.period + after - before }))
  const rule = streakRuleOn(theGames, state, before) ?? theGames
  const week = periodOf(rule.frequency, game.weekStartsOn, after)
  const isCut = canStillCount(game, rule, open, before) && !canStillCount(game, rule, moved, after)
  return { last, kept: kept === null ? null : Math.max(kept, isCut ? week : week - 1), open: moved }
}

/** True if the dates that are left of a week are enough with those on which the condition held. */
function canStillCount(game: Game, rule: StreakRule, open: readonly PeriodSums[], today: Day): boolean {
  const week = periodOf(rule.frequency, game.weekStartsOn, today)
  const earlier = open.filter(({ period }) => period < today)
  const left = lastDayOf(rule.frequency, game.weekStartsOn, week) - today + 1
  return rule.days === null || datesReached(game, rule, earlier, week) + left >= rule.days
}

function moveKept(kept: Period, rule: StreakRule, state: UserState, { oldZone, from, to }: PeriodMove): Period {
  const { frequency } = rule
  if (kept >= from) return to + kept - from
  // The streak is settled, so only neutral dates lie between.
  if (isNeutral(rule, state, kept + 1) || isNeutral(rule, state, from - 1)) return to - 1
  const newZone = zoneOf(state.profile)
  let distance = periodsBetween(frequency, oldZone, kept, from) + 1
  let period = to
  while (distance > 0) {
    period -= 1
    if (frequency !== 'daily' || distance > 2 || isDateInZone(newZone, period)) distance -= 1
  }
  return period
}

export function sumPeriod(
  game: Game,
  rule: StreakRule,
  state: UserState,
  { dating, at, metric, value }: Entry & EventRecorded,
): readonly Change[] {
  if (!hasStreak(state.preferences)) return []
  const current = periodOf(rule.frequency, game.weekStartsOn, dating.date)
  const period = rule.days === null ? current : dating.date
  const { open } = streakOf(state, rule.key)
  // After a move one date may have sums in two weeks.
  const index = open.findIndex((sums) => sums.period === period && (sums.within?.week ?? current) === current)
  const known = index === -1 ? undefined : open[index]
  const sums = new Map(known?.sums)
  sums.set(metric, aggregate(aggregationOf(game, metric), sums.get(metric), value))
  const within = { week: current, newest: at }
  const summed: PeriodSums = rule.days === null ? { period, sums } : { period, sums, within }
  if (known !== undefined) return [{ type: 'periodSummed', ...about(rule), open: open.with(index, summed) }]
  const ascending = [...open, summed].sort((left, right) => left.period - right.period)
  return [
    { type: 'periodSummed', ...about(rule), open: ascending.slice(-(rule.days === null ? KEPT_PERIODS : KEPT_DATES)) },
  ]
}

/** Makes a streak longer if its period counts by an event of one of its metrics, or by a change of the user's own goal. */
export function extendStreak(game: Game, theGames: StreakRule, state: UserState, entry: Entry): readonly Change[] {
  const rule = streakRuleOn(theGames, state, entry.dating.date)
  if (rule === null || (entry.kind === 'eventRecorded' && !rule.metrics.has(entry.metric))) return []
  const { dating, at } = entry
  const { weekStartsOn } = game
  const period = periodOf(rule.frequency, weekStartsOn, dating.date)
  const { length, last, firstAt, open } = streakOf(state, rule.key)
  if (last !== null && period <= last) return []
  if (!isCounted(game, rule, open, period)) return []

  const start = firstDayOf(rule.frequency, weekStartsOn, period)
  const which = about(rule)
  if (length === 0 || firstAt === null) return [{ type: 'streakStarted', ...which, at, period, date: start, length: 1 }]
  if (length + 1 > mostWithin(rule.frequency, at - firstAt))
    return [{ type: 'streakHeld', ...which, period, date: start, length }]
  return [{ type: 'streakExtended', ...which, at, period, date: start, length: length + 1 }]
}

/** How many periods time can have touched. Zone changes may make dates pass faster. */
function mostWithin(frequency: Frequency, elapsed: number): number {
  return 2 + Math.floor((elapsed + 3 * HOUR) / SPANS[frequency])
}

/** True if a metric's aggregate is enough. Without a threshold any event is, but of a sum only one above 0. */
export function isEnough(game: Game, metric: string, sum: number | undefined, threshold: number | null): boolean {
  if (sum === undefined) return false
  const aggregation = aggregationOf(game, metric)
  if (threshold === null) return aggregation !== 'sum' || sum > 0
  return aggregation === 'min' ? sum <= threshold : sum >= threshold
}

/** On how many dates of a week the condition of a streak held. Dates that passed faster than time does not count. */
export function datesReached(game: Game, rule: StreakRule, open: readonly PeriodSums[], week: Period): number {
  const counted: Instant[] = []
  for (const { sums, within } of open) {
    if (within?.week !== week || !isReached(game, rule, sums)) continue
    const { newest } = within
    const isInTime = counted.every((earlier, index) => counted.length - index < mostWithin('daily', newest - earlier))
    if (isInTime) counted.push(newest)
  }
  return counted.length
}

function isCounted(game: Game, rule: StreakRule, open: readonly PeriodSums[], period: Period): boolean {
  if (rule.days !== null) return datesReached(game, rule, open, period) >= rule.days
  const sums = open.find((candidate) => candidate.period === period)?.sums
  return sums !== undefined && isReached(game, rule, sums)
}

function isReached(game: Game, rule: StreakRule, sums: ReadonlyMap<string, number>): boolean {
  for (const [metric, threshold] of rule.metrics) {
    const reached = isEnough(game, metric, sums.get(metric), threshold)
    if (reached && rule.evaluationMode === 'OR') return true
    if (!reached && rule.evaluationMode === 'AND') return false
  }
  return rule.evaluationMode === 'AND' && rule.metrics.size > 0
}

/** A streak as of `today`. The state must be settled until then. */
export function currentStreak(
  game: Game,
  state: UserState,
  today: Day,
  rule: StreakRule | null = game.streak,
): CurrentStreak {
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

/** The first period after one that can be missed: it is not paused or neutral, and exists in the user's zone. */
export function nextMissable(game: Game, rule: StreakRule, state: UserState, after: Period): Period {
  const { frequency } = rule
  let next = after + 1
  for (;;) {
    if (!isPaused(state.pauses, frequency, game.weekStartsOn, next)) {
      if (canMiss(rule, state, next)) return next
    }
    next += 1
  }
}
