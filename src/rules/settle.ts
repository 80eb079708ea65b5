import type { Day, Instant } from './calendar.ts'
import type { Change } from './change.ts'
import type { Entry } from './entry.ts'
import { evolveAll } from './evolve.ts'
import type { Game } from './game.ts'
import type { UserState } from './state.ts'
import { todayAt } from './streak.ts'
import { endingsOf, lose } from './streak-ends.ts'
import { payTimers } from './time-points.ts'

/**
 * What the time from the newest entry until `at` did: what time triggers paid, and what became of the streak. The first
 * step of every decision; reads call it too and throw the result away. `entry`: the one that is decided, if any.
 */
export function settle(game: Game, state: UserState, at: Instant, entry?: Entry): readonly Change[] {
  return settleTo(game, state, at, todayAt(state, at, entry), entry)
}

/** `settle`, with the local date at `at`. */
export function settleTo(game: Game, state: UserState, at: Instant, today: Day, entry?: Entry): readonly Change[] {
  const paid = game.timedSystems.length === 0 ? [] : payTimers(game, state, at, today, entry)
  return [...paid, ...settleStreaks(game, state, today)]
}

/** What became of the streaks until a date: freezes are consumed, pauses taken, streaks lost. */
export function settleStreaks(game: Game, state: UserState, today: Day): readonly Change[] {
  const changes: Change[] = []
  loseWithoutRule(changes, game, state)
  for (const pool of game.freezePools) changes.push(...endingsOf(game, pool, state, today))
  return changes
}

export function settled(game: Game, state: UserState, at: Instant): UserState {
  return evolveAll(state, settle(game, state, at))
}

function loseWithoutRule(changes: Change[], game: Game, { streak, streaks }: UserState): void {
  if (game.streak === null && streak.length > 0) changes.push(lose(streak, null))
  for (const [key, named] of streaks) {
    if (!game.streaks.has(key) && named.streak.length > 0) changes.push({ ...lose(named.streak, null), key })
  }
}
