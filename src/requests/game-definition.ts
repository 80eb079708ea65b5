import { GamificationError, isGamificationError } from '../errors.ts'
import { type DefinedGame, defineGame } from '../game/define-game.ts'
import type { GameDefinition } from '../game/definition.ts'

/** How many mistakes are told, and how many of them in the message. */
const MOST_ISSUES = 20
const MOST_IN_MESSAGE = 3

/** The game of a definition that came as JSON. Throws `invalid_game` with the first mistakes. */
export function readGameDefinition(definition: unknown): DefinedGame {
  try {
    // Checked by defineGame, whatever it is.
    return defineGame(definition as GameDefinition)
  } catch (error) {
    if (!isGamificationError(error)) throw error
    const { issues } = error
    const told = issues.slice(0, MOST_IN_MESSAGE).map(({ path, message }) => `${path || 'the definition'}: ${message}`)
    const more = issues.length > told.length ? [`and ${issues.length - told.length} more`] : []
    throw new GamificationError('invalid_game', `The game has mistakes: ${[...told, ...more].join('; ')}`, {
      issues: issues.slice(0, MOST_ISSUES),
      cause: error,
    })
  }
}
