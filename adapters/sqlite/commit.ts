import { GamificationError } from '../../src/errors.ts'
import type { CommitFailure, Decide, StoredGame, UserKey, UserRequest } from '../../src/storage.ts'
import type { Connection } from './connection.ts'
import type { Write } from './handle.ts'
import { loadEpoch, loadUser } from './load.ts'
import { queries } from './queries.ts'
import { saveUser } from './save.ts'
import type { CachedUser, StateCache } from './state-cache.ts'

const REFUSED: unique symbol = Symbol('refused')

export async function commit(
  write: Write,
  cache: StateCache,
  requests: readonly UserRequest[],
  decide: Decide,
): Promise<readonly CommitFailure[]> {
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
    await write(
      (connection) => saveAll(connection, cache, requests, decideOrRefuse),
      (saved) => {
        for (const [key, user] of saved) cache.put(key, user)
      },
    )
    return []
  } catch (error) {
    const [refusal] = thrown
    throw refusal === undefined ? error : refusal.error
  }
}

type Saved = readonly (readonly [UserKey, CachedUser])[]

function saveAll(connection: Connection, cache: StateCache, requests: readonly UserRequest[], decide: Decide): Saved {
  cache.begin(connection.dataVersion())
  const loaded = requests.map((request) => loadUser(connection, request, cache.get(request)))
  const saves = decide(loaded, loadEpoch(connection))
  if (saves.length !== loaded.length) {
    throw new GamificationError('internal', `decide answered ${saves.length} of ${loaded.length} users.`)
  }
  const saved: [UserKey, CachedUser][] = []
  for (const [index, user] of loaded.entries()) {
    const save = saves[index]
    if (!save) continue
    saveUser(connection, user, save)
    saved.push([user, { state: save.after, version: user.version + 1 }])
  }
  return saved
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
