import { type Day, firstDayOf, type Instant, isDateInZone, type Period, periodOf } from './calendar.ts'
import type { Change } from './change.ts'
import type { Entry } from './entry.ts'
import { evolve } from './evolve.ts'
import { earnFreezes } from './freeze.ts'
import type { Game, StreakRule } from './game.ts'
import { isPaused } from './pause.ts'
import { zoneOf } from './profile.ts'
import type { Freezes, UserState } from './state.ts'
import { todayAt } from './streak.ts'

/**
 * What the time from the newest entry until `at` did, under the zone, preferences, pauses and freezes in force until then
 * (freezes are consumed, pauses taken, a streak lost). The first step of every decision; reads call it too and throw the
 * result away. `entry` is the one that is being decided, if any.
 */
export function settle(game: Game, state: UserState, at: Instant, entry?: Entry): readonly Change[] {
  const { streak: rule } = game
  if (rule === null) return state.streak.length === 0 ? [] : [lose(state, null)]
  if (state.streak.length === 0 && (state.freezes?.nextEarned ?? null) === null) return []
  return settleUntil(game, rule, state, todayAt(state, at, entry))
}

/** The state as it reads at `at`. */
export function settled(game: Game, state: UserState, at: Instant): UserState {
  return settle(game, state, at).reduce(evolve, state)
}

/**
 * Goes through the periods that are over: at the local midnight that ends a missed one a freeze is consumed, or the
 * streak is lost. What is earned at that same midnight comes too late for it.
 */
function settleUntil(game: Game, rule: StreakRule, state: UserState, today: Day): readonly Change[] {
  const changes: Change[] = []
  let { freezes } = state
  const earnBefore = (date: Day): void => {
    if (rule.freezes === null || freezes === null) return
    const earned = earnFreezes(rule.freezes, freezes, date)
    if (earned === freezes) return
    changes.push({ type: 'freezesEarned', count: earned.count - freezes.count, freezes: earned })
    freezes = earned
  }
  const { length } = state.streak
  for (const period of endedPeriods(game, rule, state, today)) {
    const date = firstDayOf(rule.frequency, game.weekStartsOn, period)
    if (isPaused(state.pauses, rule.frequency, game.weekStartsOn, period)) {
      changes.push({ type: 'streakPaused', period, date, length })
      continue
    }
    earnBefore(firstDayOf(rule.frequency, game.weekStartsOn, period + 1))
    if (rule.freezes === null || freezes === null || freezes.count === 0) {
      changes.push(lose(state, period))
      break
    }
    freezes = { ...(freezes satisfies Freezes), count: freezes.count - 1 }
    changes.push({ type: 'streakFrozen', period, date, length, freezes })
  }
  earnBefore(today + 1)
  return changes
}

/** The periods before the current one that are not settled yet and could be missed, oldest first. */
function* endedPeriods(game: Game, rule: StreakRule, state: UserState, today: Day): Generator<Period> {
  const { length, kept } = state.streak
  if (length === 0 || kept === null) return
  const zone = zoneOf(state.profile)
  const current = periodOf(rule.frequency, game.weekStartsOn, today)
  for (let period = kept + 1; period < current; period += 1) {
    if (rule.frequency !== 'daily' || isDateInZone(zone, period)) yield period
  }
}

function lose({ streak }: UserState, missed: Period | null): Change {
  const { length, last, started, firstAt, extendedAt } = streak
  return { type: 'streakLost', length, lost: { length, last, missed, started, firstAt, extendedAt } }
}
