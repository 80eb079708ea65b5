import {
  type Day,
  type Frequency,
  firstDayOf,
  firstDayOfYear,
  HOUR,
  type Instant,
  isDateInZone,
  lastDayOf,
  localDate,
  type Period,
  periodBefore,
  periodOf,
  periodsBetween,
  type WeekStart,
  weekdayOf,
  yearOf,
} from './calendar.ts'
import type { AboutStreak, Change } from './change.ts'
import type { Entry, EventRecorded, PersonalStreak } from './entry.ts'
import { aggregationOf, type EvaluationMode, type FreezeRule, type Game, type StreakRule } from './game.ts'
import { compareCodePoints } from './position.ts'
import {
  type EarlierDays,
  type Freezes,
  hasStreak,
  NO_STREAK,
  type Pause,
  type PeriodSums,
  type Preferences,
  type StreakReset,
  type StreakState,
  type UserState,
  zoneOf,
} from './state.ts'
import { aggregate } from './total.ts'

export const LONGEST_PAUSE = 366

/** No rule looks back further than two months and what zones differ by. */
const KEPT_DAYS = 70

/** True if any date of a period is paused: then the period cannot be missed. */
export function isPaused(
  pauses: readonly Pause[],
  frequency: Frequency,
  weekStartsOn: WeekStart,
  period: Period,
): boolean {
  if (pauses.length === 0) return false
  const first = firstDayOf(frequency, weekStartsOn, period)
  const last = lastDayOf(frequency, weekStartsOn, period)
  return pauses.some(({ start, end }) => start <= last && end >= first)
}

export function addPause(pauses: readonly Pause[], { id, start, end }: Pause, today: Day): readonly Pause[] {
  return [...pauses.filter((each) => each.end >= today - KEPT_DAYS), { id, start, end }]
}

/** The pauses without one. Its dates before today stay, since past periods were judged by them. */
export function removePause(pauses: readonly Pause[], id: string, today: Day): readonly Pause[] {
  return pauses.flatMap((pause) => {
    if (pause.id !== id || pause.end < today) return [pause]
    return pause.start < today ? [{ ...pause, end: today - 1 }] : []
  })
}

/** Key of a named streak; nothing: the game's `streak`. */
export type StreakName = string | null | undefined

const THE_GAMES: AboutStreak = {}

export function ruleOf({ streak, streaks }: Game, key: StreakName): StreakRule | null {
  return key == null ? streak : (streaks.get(key) ?? null)
}

export function streakOf({ streak, streaks }: UserState, key: StreakName): StreakState {
  return key == null ? streak : (streaks.get(key)?.streak ?? NO_STREAK)
}

export function ownFreezesOf({ freezes, streaks }: UserState, key: StreakName): Freezes | null {
  return key == null ? freezes : (streaks.get(key)?.freezes ?? null)
}

export function freezesOf(state: UserState, { key, sharesFreezes }: StreakRule): Freezes | null {
  return sharesFreezes ? state.freezes : ownFreezesOf(state, key)
}

export function about({ key }: StreakRule): AboutStreak {
  return key === null ? THE_GAMES : { key }
}

export function isAbout(change: Change, key: StreakName): boolean {
  const about = 'key' in change ? change.key : undefined
  return (about ?? null) === (key ?? null)
}

/** Which days count: weekdays of a daily streak, or a number of dates of a week. */
type Days = Pick<StreakRule, 'on' | 'days'>

/** The days by the game and the user's own choice. They may hold only from tomorrow on. */
function newestDays(rule: StreakRule, { streak: own }: Preferences): Days {
  const on = rule.customization ? own?.on : undefined
  return on == null ? rule : { on, days: rule.days }
}

/** The days that hold on a date. */
export function daysOn(rule: StreakRule, { earlierDays, preferences }: UserState, date: Day): Days {
  const earlier = earlierDays.get(rule.key ?? '')?.find(({ until }) => date <= until)
  return earlier ?? newestDays(rule, preferences)
}

/** True if a period is a day off: it can extend the streak, and cannot be missed. */
export function isNeutral(rule: StreakRule, state: UserState, period: Period): boolean {
  if (rule.frequency !== 'daily') return false
  const { on } = daysOn(rule, state, period)
  return on !== null && !on.includes(weekdayOf(period))
}

/** True if a period can be missed: it is not neutral, and its date exists in the zone. */
export function canMiss(rule: StreakRule, state: UserState, period: Period): boolean {
  return rule.frequency !== 'daily' || (!isNeutral(rule, state, period) && isDateInZone(zoneOf(state.profile), period))
}

/** As many days as the history of a streak goes back. */
const HISTORY_DAYS = 400

interface DaysUnder {
  readonly rule: StreakRule
  readonly preferences: Preferences
}

/** All earlier days, with one streak's days replaced. */
export function withEarlierDays(
  all: UserState['earlierDays'],
  key: StreakName,
  earlier: readonly EarlierDays[],
): UserState['earlierDays'] {
  const name = key ?? ''
  if (earlier.length === 0 || all.get(name) === earlier) return all
  return new Map([...all, [name, earlier] as const].sort(([left], [right]) => compareCodePoints(left, right)))
}

/**
 * The earlier days of a streak after a change on a date: its old days apply until `until`, the date itself or a later
 * one. Returns the same array if the days stay.
 */
export function keepEarlierDays(
  known: readonly EarlierDays[],
  had: DaysUnder,
  has: DaysUnder,
  { today, until }: { readonly today: Day; readonly until: Day },
): readonly EarlierDays[] {
  const { on, days } = newestDays(had.rule, had.preferences)
  const newest = newestDays(has.rule, has.preferences)
  const isSame = String(on) === String(newest.on) && days === newest.days
  // Days that were chosen on this date never held.
  if (isSame || (known.at(-1)?.until ?? Number.NEGATIVE_INFINITY) >= until) return known
  return [...known.filter((each) => each.until >= today - HISTORY_DAYS), { until, on, days }]
}

/** The earlier days after a change of zone: they keep their distance from today. */
export function moveEarlierDays({ earlierDays }: UserState, by: number): readonly Change[] {
  if (by === 0 || earlierDays.size === 0) return []
  const moved = [...earlierDays].map(([key, all]) => {
    return [key, all.map((each) => ({ ...each, until: each.until + by }))] as const
  })
  return [{ type: 'earlierDaysChanged', earlierDays: new Map(moved) }]
}

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

const RESTORABLE_DAYS = 90

/** 90 days before a date, the week of 1 January of its year, or January of the year before. */
export function firstRestorable({ weekStartsOn }: Game, { frequency }: StreakRule, today: Day): Period {
  if (frequency === 'daily') return today - RESTORABLE_DAYS
  const year = yearOf(today) - (frequency === 'monthly' ? 1 : 0)
  return periodOf(frequency, weekStartsOn, firstDayOfYear(year))
}

/**
 * Restores a streak to the length at its last loss. Makes no change if none was lost, or if the streak is as long now.
 * A current period that counts already stays counted, and no period before it can be missed.
 */
export function restoreStreak(game: Game, rule: StreakRule, state: UserState, today: Day): readonly Change[] {
  const streak = streakOf(state, rule.key)
  if (streak.lost === null || streak.lost.length <= streak.length) return []
  const { missed: _, resetAt, ...lost } = streak.lost
  const { frequency } = rule
  const current = periodOf(frequency, game.weekStartsOn, today)
  // Only a streak that was reset can have counted in the current period.
  const before = Math.max(current - 1, lost.last ?? current - 1)
  const kept = Math.max(streak.kept ?? before, before)
  const last = streak.last ?? Math.min(lost.last ?? before, kept)
  const date = last < current ? null : firstDayOf(frequency, game.weekStartsOn, last)
  const restored = { ...streak, ...lost, last, kept, lost: null }
  const undone = resetAt === undefined ? [] : [undoReset(rule, state, resetAt)]
  return [{ type: 'streakRestored', ...about(rule), streak: restored, date }, ...undone]
}

const MOST_RESETS = 100

/** Ends a running streak at once, even if its current period counted. Its freezes stay. */
export function resetStreak(game: Game, rule: StreakRule, state: UserState, { at, dating }: Entry): readonly Change[] {
  const { length, last, started, firstAt, extendedAt } = streakOf(state, rule.key)
  if (length === 0) return []
  const period = periodOf(rule.frequency, game.weekStartsOn, dating.date)
  const lost = { length, last, missed: period, started, firstAt, extendedAt, resetAt: at }
  const reset = { date: firstDayOf(rule.frequency, game.weekStartsOn, period), at }
  const known = state.resets.get(rule.key ?? '') ?? []
  const resets = withResets(state, rule, [...known, reset].slice(-MOST_RESETS))
  return [{ type: 'streakReset', ...about(rule), length, lost, resets }]
}

function undoReset(rule: StreakRule, state: UserState, resetAt: Instant): Change {
  const known = state.resets.get(rule.key ?? '') ?? []
  const left = known.filter(({ at }) => at !== resetAt)
  return { type: 'resetsChanged', resets: withResets(state, rule, left) }
}

function withResets({ resets }: UserState, { key }: StreakRule, own: readonly StreakReset[]): UserState['resets'] {
  const others = [...resets].filter(([known]) => known !== (key ?? ''))
  const all = own.length === 0 ? others : [...others, [key ?? '', own] as const]
  return new Map(all.sort(([left], [right]) => compareCodePoints(left, right)))
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

/** The freezes of a user on the first date with freezes: the date of creation, or of the first game that has them. */
export function beginFreezes({ initial, autoEarn }: FreezeRule, today: Day): Freezes {
  return { count: initial, nextEarned: autoEarn === null ? null : today + autoEarn.interval }
}

/** The freezes, with those added that are earned on dates before `date`. The same object if none are. */
export function earnFreezes(rule: FreezeRule, freezes: Freezes, date: Day): Freezes {
  const { autoEarn } = rule
  const { nextEarned } = freezes
  if (autoEarn === null || nextEarned === null || nextEarned >= date) return freezes
  const times = Math.floor((date - 1 - nextEarned) / autoEarn.interval) + 1
  const { count } = addFreezes(rule, freezes, times * autoEarn.amount)
  return { count, nextEarned: nextEarned + times * autoEarn.interval }
}

/** Adds freezes up to the game's maximum. A user who has more than that, by an earlier game, keeps them. */
export function addFreezes({ max }: FreezeRule, freezes: Freezes, count: number): Freezes {
  return { ...freezes, count: Math.max(freezes.count, Math.min(max, freezes.count + count)) }
}

/** The freezes under a newer game: the count stays. Earning begins today if none were earned before. */
export function adoptFreezes(rule: FreezeRule | null, freezes: Freezes | null, today: Day): Freezes | null {
  if (rule === null) return freezes === null ? null : { ...freezes, nextEarned: null }
  if (freezes === null) return beginFreezes(rule, today)
  const nextEarned = rule.autoEarn === null ? null : (freezes.nextEarned ?? today + rule.autoEarn.interval)
  return { ...freezes, nextEarned }
}
