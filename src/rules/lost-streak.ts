import { type Day, firstDayOf, firstDayOfYear, type Instant, type Period, periodOf, yearOf } from './calendar.ts'
import type { Change } from './change.ts'
import type { Entry } from './entry.ts'
import type { Game, StreakRule } from './game.ts'
import { compareCodePoints } from './position.ts'
import type { StreakReset, UserState } from './state.ts'
import { about, streakOf } from './streak-names.ts'

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
