import { setImmediate as nextTurn } from 'node:timers/promises'
import { GamificationError, type Issue, isGamificationError } from '../../errors.ts'
import { compileDefinition, type DefinedGame } from '../../game/define-game.ts'
import type { Json } from '../../game/json.ts'
import { readDefinition } from '../../game/read-definition.ts'
import { countValues, weightOf } from '../../game/weight.ts'

/** How many mistakes a refusal has, how many of them its message has, and how many bytes of JSON either may take. */
const MOST_ISSUES = 20
const MOST_IN_MESSAGE = 3
const MOST_BYTES = 7_000
/** A replayed line stays below about 25 ms, also after a year without an event. */
const MOST_WEIGHT = 1_000
/** Reading a definition takes one turn. A rule has about ten values. */
const MOST_VALUES = 20_000
/** About 50 MB. */
const MOST_PLACES = 500_000

/**
 * The game of a definition that came as JSON from outside. Throws `invalid_game` with the first mistakes, in less than
 * 16 KB, or if a replay under the game would cost too much. Yields to the event loop between its parts.
 */
export async function readGameDefinition(definition: unknown): Promise<DefinedGame> {
  checkCost(definition)
  try {
    await nextTurn()
    const stored = readDefinition(definition)
    await nextTurn()
    return compileDefinition(stored)
  } catch (error) {
    if (!isGamificationError(error)) throw error
    const { issues } = error
    const lines = issues.map(({ path, message }) => `${path || 'the definition'}: ${message}`)
    const shown = fitting(lines.slice(0, MOST_IN_MESSAGE))
    const more = issues.length > shown.length ? [`and ${issues.length - shown.length} more`] : []
    throw new GamificationError('invalid_game', `The game has mistakes: ${[...shown, ...more].join('; ')}`, {
      issues: fitting<Issue>(issues.slice(0, MOST_ISSUES)),
      cause: error,
    })
  }
}

/** Throws `invalid_game` if a preview of a posted game would keep too many places on leaderboards in memory. */
export function checkPlaces({ rules }: DefinedGame, users: number): void {
  const boards = rules.leaderboards.size
  if (boards * users <= MOST_PLACES) return
  throw new GamificationError(
    'invalid_game',
    `${boards} leaderboards and ${users} users have more than ${MOST_PLACES} places, the most that a what-if keeps over HTTP. Pass 'sample' or 'users', or call whatIf() in-process.`,
  )
}

/** The first items whose JSON is short enough together. */
function fitting<Item>(items: readonly Item[]): readonly Item[] {
  let bytes = 0
  return items.filter((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item))
    return bytes <= MOST_BYTES
  })
}

function checkCost(definition: unknown): void {
  // JSON of any shape; other shapes are refused afterwards.
  const json = definition as Json
  const help = 'Call whatIf() or apply() in-process, or use the command line, which have no such limit.'
  if (countValues(json, MOST_VALUES) > MOST_VALUES) {
    throw new GamificationError(
      'invalid_game',
      `The definition has more than ${MOST_VALUES} values, the most that one may have over HTTP. ${help}`,
    )
  }
  const weight = weightOf(json)
  if (weight <= MOST_WEIGHT) return
  const what =
    'A rule weighs 1, a daily streak 6, a time trigger 3 for each time in a day; see the page "The game as a whole".'
  throw new GamificationError(
    'invalid_game',
    `The game weighs ${weight}; over HTTP a definition may weigh at most ${MOST_WEIGHT}. ${what} ${help}`,
  )
}
