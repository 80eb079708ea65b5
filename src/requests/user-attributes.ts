import { GamificationError } from '../errors.ts'
import { isText } from '../game/text.ts'
import type { Game } from '../rules/game.ts'

/** Reads `attribute:value,attribute:value`: split at `,`, then at the first `:` (decisions, section 4). */
export function readUserAttributes(game: Game, text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>()
  for (const item of text.split(',')) {
    const colon = item.indexOf(':')
    if (colon < 1 || !isText(item)) {
      const message = `Malformed userAttributes item ${JSON.stringify(item)}: write attribute:value,attribute:value.`
      throw new GamificationError('invalid_request', message, { issues: [{ path: 'userAttributes', message }] })
    }
    const name = item.slice(0, colon)
    if (!game.userAttributes.has(name)) {
      const known = [...game.userAttributes].map((attribute) => JSON.stringify(attribute)).join(', ')
      const message = `Unknown user attribute ${JSON.stringify(name)}: the game has ${known === '' ? 'none' : known}.`
      throw new GamificationError('unknown_attribute', message)
    }
    attributes.set(name, item.slice(colon + 1))
  }
  return attributes
}
