import { GamificationError } from '../../src/errors.ts'
import type { CommitReport, Decide, StoredGame, StoredUser, UserRequest } from '../../src/storage.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import type { RankedChange } from '../sql/leaderboard-positions.ts'
import type { Connection } from './connection.ts'
import type { Write } from './database.ts'
import { countRanks } from './leaderboard-ranks.ts'
import type { TopCache } from './leaderboard-top-cache.ts'
import { loadEpoch, loadUser } from './load.ts'
import { queries } from './queries.ts'
import { saveUser } from './save.ts'
import type { CachedUser, StateCache } from './state-cache.ts'

/** Users and leaderboards as this process wrote them last, so that they need not be read again. */
export interface Caches {
  readonly users: StateCache
  readonly tops: TopCache
}

const REFUSED: unique symbol = Symbol('refused')

export async function commit(
  write: Write,
  caches: Caches,
  requests: readonly UserRequest[],
  decide: Decide,
  deadline?: number,
): Promise<CommitReport> {
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
    const { users } = await write(
      (connection) => saveAll(connection, caches, requests, decideOrRefuse),
      deadline,
      ({ saved, changes }) => {
        for (const [key, user] of saved) caches.users.put(key, user)
        caches.tops.follow(changes)
      },
    )
    return { failures: [], rounds: [{ users, asOf: 'before' }] }
  } catch (error) {
    const [refusal] = thrown
    throw refusal === undefined ? error : refusal.error
  }
}

interface Saved {
  readonly saved: readonly (readonly [UserKey, CachedUser])[]
  readonly users: readonly StoredUser[]
  readonly changes: readonly RankedChange[]
}

function saveAll(
  connection: Connection,
  { users: cache, tops }: Caches,
  requests: readonly UserRequest[],
  decide: Decide,
): Saved {
  const dataVersion = connection.dataVersion()
  cache.begin(dataVersion)
  tops.begin(dataVersion)
  const loaded = requests.map((request) => loadUser(connection, request, cache.get(request)))
  const answers = decide(loaded, loadEpoch(connection))
  if (answers.length !== loaded.length) {
    throw new GamificationError('internal', `decide answered ${answers.length} of ${loaded.length} users.`)
  }
  const saves = loaded.flatMap((user, index) => {
    const save = answers[index]
    return save ? [{ user, save }] : []
  })
  // The ranks of all users are counted before the first user is written.
  const users = saves.map(({ user: { tenant, user }, save }) => {
    return { tenant, user, ranks: countRanks(connection, { tenant, user }, save.ranks, tops) }
  })
  const written = saves.map(({ user, save }) => {
    return { user, state: save.after, told: save.told ?? user.told, ...saveUser(connection, user, save) }
  })
  const saved = written.map(({ user, state, version, told }) => [user, { state, version, told }] as const)
  return { saved, users, changes: written.flatMap(({ changes }) => changes) }
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
