import { splitGame } from '../../../game/given-boosts.ts'
import { parse } from '../../../requests/input.ts'
import { gamesRequest } from '../../../requests/overview.ts'
import type { StoredGame } from '../../../storage.ts'
import { toInstantText } from '../../answers/user.ts'
import type { GamesResponse, StoredGameSummary } from '../../answers/wire/games.ts'
import type { Context } from '../../types.ts'

/** Every game that was put in force, the newest first. */
export async function listGames({ storage }: Context, request: unknown = {}): Promise<GamesResponse> {
  const { before = Number.POSITIVE_INFINITY, limit } = parse(gamesRequest, request, 'request')
  const stored = putInForce(await storage.games())
    .filter(({ epoch }) => epoch < before)
    .reverse()
  const page = stored.slice(0, limit)
  return { games: page.map(toGameSummary), before: stored.length > limit ? (page.at(-1)?.epoch ?? null) : null }
}

/** Without epochs of the same game that only changed boosts, or which messages are wanted. */
function putInForce(games: readonly StoredGame[]): readonly StoredGame[] {
  return games.filter(({ fingerprint, policy }, index) => {
    return policy !== 'forward' || fingerprint !== games[index - 1]?.fingerprint
  })
}

export function toGameSummary({ epoch, fingerprint, policy, createdAt, definition }: StoredGame): StoredGameSummary {
  // Without the boosts and the types of messages that are stored beside it, so that it can be defined again.
  const { definition: plain } = splitGame(JSON.parse(definition))
  return { epoch, fingerprint, policy, createdAt: toInstantText(createdAt), definition: { ...Object(plain) } }
}
