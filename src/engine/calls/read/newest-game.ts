import { onNewestGame } from '../../on-newest-game.ts'
import type { Context, CurrentGame } from '../../types.ts'

/** An id that no user has. */
const NOBODY = ''

/**
 * The newest game that is stored, even where another process stored it a moment ago, so that boosts given there are
 * seen here. The storage says its epoch with any user that it is asked for; all games are read only where that is
 * another one.
 */
export function newestGame(context: Context): Promise<CurrentGame> {
  const options = {}
  return onNewestGame(context, { tenant: NOBODY, user: NOBODY }, options, 'the game was read', (_, current) => current)
}
