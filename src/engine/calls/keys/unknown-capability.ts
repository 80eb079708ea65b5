import { hint, quote } from '../../../game/suggest.ts'
import { type ParsedCapability, parseCapability } from '../../../requests/capabilities.ts'
import type { Game } from '../../../rules/game.ts'

/** Says which capability names something that the game has not; null where it has all of them. */
export function unknownCapability(game: Game, can: readonly string[]): string | null {
  for (const [index, each] of can.entries()) {
    const parsed = parseCapability(each)
    if (parsed === null || !('key' in parsed) || parsed.key === null) continue
    const { what, keys } = keysOf(game, parsed.kind)
    if (!keys.includes(parsed.key)) {
      return `can[${index}]: unknown ${what} ${quote(parsed.key)}${hint(parsed.key, keys, 'leave it out')}`
    }
  }
  return null
}

function keysOf(
  game: Game,
  kind: Extract<ParsedCapability, { readonly key: unknown }>['kind'],
): { readonly what: string; readonly keys: readonly string[] } {
  switch (kind) {
    case 'events':
      return { what: 'metric', keys: [...game.metrics.keys()] }
    case 'attributes':
      return { what: 'user attribute', keys: [...game.userAttributes] }
    case 'achievements': {
      const completed = [...game.achievements.values()].filter(({ trigger }) => trigger === 'api')
      return { what: "achievement with the trigger 'api'", keys: completed.map(({ key }) => key) }
    }
    default:
      return kind satisfies never
  }
}
