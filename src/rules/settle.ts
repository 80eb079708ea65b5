import type { Instant } from './calendar.ts'
import type { Change } from './change.ts'
import type { Entry } from './entry.ts'
import { evolve } from './evolve.ts'
import type { Game } from './game.ts'
import type { UserState } from './state.ts'
import { settleStreak, todayAt } from './streak.ts'

/**
 * What the time from the newest entry until `at` did, under the zone and preferences in force until then. The first
 * step of every decision; reads call it too and throw the result away. `entry` is the one that is being decided, if any.
 */
export function settle(game: Game, state: UserState, at: Instant, entry?: Entry): readonly Change[] {
  if (state.streak.length === 0) return []
  return settleStreak(game, state, todayAt(state, at, entry))
}

/** The state as it reads at `at`. */
export function settled(game: Game, state: UserState, at: Instant): UserState {
  return settle(game, state, at).reduce(evolve, state)
}
