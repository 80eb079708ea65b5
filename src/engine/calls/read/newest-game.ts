import { onNewestGame } from '../../on-newest-game.ts'
import type { Context, CurrentGame } from '../../types.ts'

/** No user has it. */
const NOBODY = ''

/**
 * The newest game that is stored, though another process stored it a moment ago: what was given there is to be read here. The
 * storage says which is the newest with any user that it is asked for, and all games are read only where it is another.
 */
export function newestGame(context: Context): Promise<CurrentGame> {
  const options = {}
  return onNewestGame(context, { tenant: NOBODY, user: NOBODY }, options, 'the game was read', (_, current) => current)
}
