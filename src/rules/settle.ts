import type { Day, Instant } from './calendar.ts'
import { lapseClaims } from './challenge-claims.ts'
import type { Change } from './change.ts'
import type { Entry } from './entry.ts'
import { evolveAll } from './evolve.ts'
import type { Game } from './game.ts'
import type { UserState } from './state.ts'
import { todayAt } from './streak.ts'
import { endingsOf, lose, mayHaveEnded } from './streak-ends.ts'
import { payTimers } from './time-points.ts'
import { passWallets } from './wallet-changes.ts'

/**
 * Applies what happened without a call between the newest entry and `at`: payments by time, consumed freezes, lost
 * streaks, rewards that were not claimed, points that expired. The first step of every decision; reads call it too and
 * throw the result away. `entry` is the entry to decide, if any.
 */
export function settle(game: Game, state: UserState, at: Instant, entry?: Entry): readonly Change[] {
  return settleTo(game, state, at, todayAt(state, at, entry), entry)
}

/** `settle`, with the local date at `at`. */
export function settleTo(game: Game, state: UserState, at: Instant, today: Day, entry?: Entry): readonly Change[] {
  const ended = settleStreaks(game, state, today)
  const paid = game.timedSystems.length === 0 ? ended : [...payTimers(game, state, at, today, entry), ...ended]
  const passed = state.wallets.size === 0 ? paid : [...paid, ...passWallets(game, state, { at, today })]
  return state.challenges.size === 0 ? passed : [...passed, ...lapseClaims(state, today)]
}

/** Settles the streaks until a date: consumes freezes, applies pauses, and ends lost streaks. */
export function settleStreaks(game: Game, state: UserState, today: Day): readonly Change[] {
  const changes: Change[] = []
  loseWithoutRule(changes, game, state)
  for (const pool of game.freezePools) {
    if (mayHaveEnded(game, pool, state, today)) changes.push(...endingsOf(game, pool, state, today))
  }
  return changes
}

export function settled(game: Game, state: UserState, at: Instant): UserState {
  return evolveAll(state, settle(game, state, at))
}

function loseWithoutRule(changes: Change[], game: Game, { streak, streaks }: UserState): void {
  if (game.streak === null && streak.length > 0) changes.push(lose(streak, null))
  if (streaks.size === 0) return
  for (const [key, named] of streaks) {
    if (!game.streaks.has(key) && named.streak.length > 0) changes.push({ ...lose(named.streak, null), key })
  }
}
