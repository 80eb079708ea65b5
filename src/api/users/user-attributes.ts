import { GamificationError } from '../../errors.ts'
import { isText } from '../../game/json.ts'
import type { Game } from '../../rules/game.ts'
import { quoteName, unknownName } from '../../rules/names.ts'

/**
 * Reads `attribute:value,attribute:value`: split at `,`, then at the first `:`. Attributes that
 * came as such are only checked to be some of the game's.
 */
export function readUserAttributes(
  game: Game,
  given: string | ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const attributes = typeof given === 'string' ? new Map(given.split(',').map(readItem)) : given
  for (const name of attributes.keys()) knownUserAttribute(game, name)
  return attributes
}

/** The name of a user attribute that the game has. Throws `unknown_attribute`. */
export function knownUserAttribute({ userAttributes }: Pick<Game, 'userAttributes'>, name: string): string {
  if (userAttributes.has(name)) return name
  throw new GamificationError('unknown_attribute', unknownName('user attribute', name, userAttributes))
}

function readItem(item: string): readonly [name: string, value: string] {
  const colon = item.indexOf(':')
  if (colon >= 1 && isText(item)) return [item.slice(0, colon), item.slice(colon + 1)]
  const message = `Malformed userAttributes item ${quoteName(item)}: write attribute:value,attribute:value.`
  throw new GamificationError('invalid_request', message, { issues: [{ path: 'userAttributes', message }] })
}
