import type { Game, Leaderboard, LeaderboardChoice } from './game.ts'
import type { Preferences, UserState } from './state.ts'

type Board = Pick<Leaderboard, 'consent'>
type Defaults = Pick<Game, 'preferences'>

/**
 * The choice that applies to a user on a leaderboard, or on all if `board` is null. `own`: the user's own choice, or
 * `null` if there is none.
 */
function choiceOn(game: Defaults, own: LeaderboardChoice | null, board: Board | null): LeaderboardChoice {
  if (own === null && board?.consent === true) return 'hidden'
  return own ?? game.preferences.leaderboards
}

/** The user's choice, or the game's default. A leaderboard may ask for consent beside it. */
export function leaderboardChoice(game: Defaults, { leaderboards }: Preferences): LeaderboardChoice {
  return choiceOn(game, leaderboards, null)
}

/** The reason that leaves a user off a leaderboard: a choice of the user, missing consent, or the game's default. */
export type HiddenBy = 'gamification' | 'choice' | 'consent' | 'default'

/** Returns `null` if neither the user's own choices nor their absence leave the user off the leaderboard. */
export function hiddenBy(
  game: Defaults,
  { leaderboards, gamification }: Preferences,
  board: Board | null,
): HiddenBy | null {
  if (gamification === 'off') return 'gamification'
  if (choiceOn(game, leaderboards, board) !== 'hidden') return null
  if (leaderboards === 'hidden') return 'choice'
  return board?.consent === true ? 'consent' : 'default'
}

export function isHidden(game: Defaults, preferences: Preferences, board: Board | null): boolean {
  return hiddenBy(game, preferences, board) !== null
}

/**
 * The one decision whether a user is on a leaderboard, by support and by choice. If not, no row of it is stored.
 * `UserState.leaderboards` continues, so that a user who comes back ranks as before.
 */
export function isOffLeaderboard(
  game: Defaults,
  { preferences, suspended }: Pick<UserState, 'preferences' | 'suspended'>,
  board: Board | null,
): boolean {
  return suspended?.from.includes('leaderboards') === true || isHidden(game, preferences, board)
}

/**
 * True if others see a stored row without its user. If a newer game hides a user by default, the row stays until the
 * user's next entry, without the user.
 */
export function isMasked(game: Defaults, own: LeaderboardChoice | null, board: Board | null): boolean {
  return choiceOn(game, own, board) !== 'shown'
}

/** True if the user has turned the game off: then there is no message about the user. */
export function isTurnedOff({ preferences }: Pick<UserState, 'preferences'>): boolean {
  return preferences.gamification === 'off'
}

/** A state under its game. */
export interface Viewed {
  readonly game: Game
  readonly state: UserState
}

/** True if the rows of finished runs change too: only the log has them. */
export function changesVisibility(before: Viewed, after: Viewed): boolean {
  const isSame =
    before.game === after.game &&
    before.state.preferences === after.state.preferences &&
    before.state.suspended === after.state.suspended
  if (isSame) return false
  return [null, ...before.game.leaderboards.keys(), ...after.game.leaderboards.keys()].some((key) => {
    return isOff(before, key) !== isOff(after, key)
  })
}

function isOff({ game, state }: Viewed, key: string | null): boolean {
  return isOffLeaderboard(game, state, (key === null ? null : game.leaderboards.get(key)) ?? null)
}
