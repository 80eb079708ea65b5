import { GamificationError, type Issue, isGamificationError } from '../../errors.ts'
import { type DefinedGame, defineGame } from '../../game/define-game.ts'
import type { GameDefinition } from '../../game/definition.ts'
import { entriesOf, itemsOf, type Maybe, propertyOf } from '../../game/json.ts'

/** How many mistakes a refusal has, how many of them its message has, and how many bytes of JSON either may take. */
const MOST_ISSUES = 20
const MOST_IN_MESSAGE = 3
const MOST_BYTES = 7_000
/** Replaying a log costs about this many rules for each of its lines. */
const MOST_RULES = 2_000
/** What adds up the days of a window costs as much as so many rules. */
const WINDOW = 10

/**
 * The game of a definition that came as JSON from outside. Throws `invalid_game` with the first mistakes, in less than
 * 16 KB, or if the game has more rules than a replay can be asked for.
 */
export function readGameDefinition(definition: unknown): DefinedGame {
  checkCost(definition)
  try {
    // Checked by defineGame, whatever it is.
    return defineGame(definition as GameDefinition)
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

/** The first items whose JSON is short enough together. */
function fitting<Item>(items: readonly Item[]): readonly Item[] {
  let bytes = 0
  return items.filter((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item))
    return bytes <= MOST_BYTES
  })
}

function checkCost(definition: unknown): void {
  const rules = countRules(definition)
  if (rules <= MOST_RULES) return
  const what = 'triggers, leaderboards, streaks, boosts, criteria and parts of composite achievements'
  const help = 'Call whatIf() or apply() in-process, or use the command line, which have no such limit.'
  throw new GamificationError(
    'invalid_game',
    `The game has ${rules} ${what}; over HTTP a definition may have at most ${MOST_RULES} together. ${help}`,
  )
}

/** Looks into data that may have any shape: what has another one is refused afterwards. */
function countRules(definition: unknown): number {
  const game = definition as Maybe
  let rules = entriesOf(propertyOf(game, 'leaderboards')).length + entriesOf(propertyOf(game, 'streaks')).length
  if (propertyOf(game, 'streak') !== undefined) rules += 1
  for (const [, system] of entriesOf(propertyOf(game, 'points'))) {
    rules += itemsOf(propertyOf(system, 'triggers')).length + entriesOf(propertyOf(system, 'boosts')).length
  }
  for (const [, achievement] of entriesOf(propertyOf(game, 'achievements'))) {
    const criteria = itemsOf(propertyOf(achievement, 'of'))
    rules += itemsOf(propertyOf(achievement, 'achievements')).length + criteria.length
    for (const each of [achievement, ...criteria]) if (propertyOf(each, 'within') !== undefined) rules += WINDOW
  }
  return rules
}
