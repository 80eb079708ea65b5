import { type Day, isDateInZone, type Period, weekdayOf } from './calendar.ts'
import type { Change } from './change.ts'
import type { StreakRule } from './game.ts'
import { compareCodePoints } from './position.ts'
import { type EarlierDays, type Preferences, type UserState, zoneOf } from './state.ts'
import type { StreakName } from './streak-names.ts'

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
