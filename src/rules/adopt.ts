import type { Day } from './calendar.ts'
import type { Change } from './change.ts'
import { adoptFreezes } from './freeze.ts'
import type { Game } from './game.ts'
import { isRunOf } from './leaderboard.ts'
import { levelFor } from './level.ts'
import { keepDateSums } from './limit.ts'
import { type LeaderboardEntry, NO_STREAK, type StreakState, type UserState } from './state.ts'

/**
 * What the first entry under a newer game does before anything else. Marks stay, so that a new trigger does not pay the
 * past: one on a metric's total goes on from the metric's mark, one with filters starts a tally of its own at 0,
 * and what a limit has not looked at before does not count for it.
 */
export function adopt(oldGame: Game, newGame: Game, state: UserState, epoch: number, today: Day): readonly Change[] {
  const streak = adoptStreak(oldGame, newGame, state.streak)
  const leaderboards = keepLeaderboards(newGame, state.leaderboards)
  const freezes = adoptFreezes(newGame, state.freezes, today)
  const dateSums = keepDateSums(newGame, state.dateSums)
  const changes: Change[] = [{ type: 'gameAdopted', epoch, streak, freezes, leaderboards, dateSums }]
  for (const system of newGame.points.values()) {
    const balance = state.points.get(system.key)
    const level = levelFor(system, balance?.total ?? 0)?.key ?? null
    if (level !== (balance?.level ?? null)) changes.push({ type: 'levelChanged', system: system.key, level })
  }
  return changes
}

/** Periods of another kind cannot be compared: the streak starts again, its longest is kept. */
function adoptStreak(oldGame: Game, newGame: Game, streak: StreakState): StreakState {
  const frequency = newGame.streak?.frequency
  const isSameWeek = frequency !== 'weekly' || oldGame.weekStartsOn === newGame.weekStartsOn
  const isSameCalendar = oldGame.streak?.frequency === frequency && isSameWeek
  return isSameCalendar ? streak : { ...NO_STREAK, longest: streak.longest }
}

/** Entries of runs as the new game has them. One of a leaderboard that is gone may go on when it comes back. */
function keepLeaderboards(newGame: Game, leaderboards: UserState['leaderboards']): UserState['leaderboards'] {
  const kept = new Map<string, readonly LeaderboardEntry[]>()
  for (const [key, entries] of leaderboards) {
    const leaderboard = newGame.leaderboards.get(key)
    const own = entries.filter(({ run }) => leaderboard === undefined || isRunOf(leaderboard, run))
    if (own.length > 0) kept.set(key, own)
  }
  return kept
}
