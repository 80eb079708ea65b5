import { GamificationError } from '../../src/errors.ts'
import type { Decide, StoredGame, UserRequest } from '../../src/storage.ts'
import type { Connection } from './connection.ts'
import type { Use } from './handle.ts'
import { loadEpoch, loadUser } from './load.ts'
import { queries } from './queries.ts'
import { saveUser } from './save.ts'

const REFUSED: unique symbol = Symbol('refused')

export async function commit(write: Use, requests: readonly UserRequest[], decide: Decide): Promise<void> {
  // What `decide` throws is kept aside, so that it is never taken for an error of the database.
  const thrown: { readonly error: unknown }[] = []
  const decideOrRefuse: Decide = (users, epoch) => {
    try {
      return decide(users, epoch)
    } catch (error) {
      thrown.push({ error })
      throw REFUSED
    }
  }

  try {
    await write((connection) => saveAll(connection, requests, decideOrRefuse))
  } catch (error) {
    const [refusal] = thrown
    throw refusal === undefined ? error : refusal.error
  }
}

function saveAll(connection: Connection, requests: readonly UserRequest[], decide: Decide): void {
  const loaded = requests.map((request) => loadUser(connection, request))
  const saves = decide(loaded, loadEpoch(connection))
  if (saves.length !== loaded.length) {
    throw new GamificationError('internal', `decide answered ${saves.length} of ${loaded.length} users.`)
  }
  for (const [index, user] of loaded.entries()) {
    const save = saves[index]
    if (save) saveUser(connection, user, save)
  }
}

export function addGame(connection: Connection, { createdAt, ...game }: StoredGame): boolean {
  const newest = loadEpoch(connection)
  if (game.epoch > newest + 1) {
    throw new GamificationError('internal', `Epoch ${game.epoch} does not follow epoch ${newest}.`)
  }
  if (game.epoch <= newest) return false
  connection.run(queries.games.insert, { ...game, created_at: createdAt })
  return true
}

export function loadGames(connection: Connection): StoredGame[] {
  return connection.all(queries.games.all, {}).map(({ created_at, ...game }) => ({ ...game, createdAt: created_at }))
}
