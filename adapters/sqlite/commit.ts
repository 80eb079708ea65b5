import { GamificationError } from '../../src/errors.ts'
import type {
  CommitReport,
  Decide,
  LoadedUser,
  StoredGame,
  StoredUser,
  UserRequest,
  UserSave,
} from '../../src/storage.ts'
import { sizeOf } from '../sql/log-lines.ts'
import type { Connection } from './connection.ts'
import { type LargeWriter, type Turns, type Writing, type Written, writeAny } from './large-writes.ts'
import { countRanks } from './leaderboard-ranks.ts'
import type { TopCache } from './leaderboard-top-cache.ts'
import { loadEpoch, loadUser } from './load.ts'
import { queries } from './queries.ts'
import { saveUser, saveUserInTurns } from './save.ts'
import type { StateCache } from './state-cache.ts'

/** Users and leaderboards as this process wrote them last, so that they need not be read again. */
export interface Caches {
  readonly users: StateCache
  readonly tops: TopCache
}

const REFUSED: unique symbol = Symbol('refused')

export async function commit(
  database: LargeWriter,
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
  const saving: Writing<readonly StoredUser[]> = {
    atOnce: (connection, checkSize) => saveAll(connection, caches, requests, decideOrRefuse, checkSize),
    inTurns: (turns) => saveAllInTurns(turns, requests, decideOrRefuse),
  }

  try {
    const users = await writeAny(database, saving, deadline)
    return { failures: [], rounds: [{ users, asOf: 'before' }] }
  } catch (error) {
    const [refusal] = thrown
    throw refusal === undefined ? error : refusal.error
  }
}

function saveAll(
  connection: Connection,
  { users: cache, tops }: Caches,
  requests: readonly UserRequest[],
  decide: Decide,
  checkSize: (rows: number) => void,
): Written<readonly StoredUser[]> {
  const dataVersion = connection.dataVersion()
  cache.begin(dataVersion)
  tops.begin(dataVersion)
  const loaded = requests.map((request) => loadUser(connection, request, cache.get(request)))
  const saves = savesOf(loaded, decide(loaded, loadEpoch(connection)))
  checkSize(saves.reduce((rows, { save }) => rows + sizeOf(save), 0))
  // The ranks of all users are counted before the first user is written.
  const users = saves.map(({ user: { tenant, user }, save }) => {
    return { tenant, user, ranks: countRanks(connection, { tenant, user }, save.ranks, tops) }
  })
  const written = saves.map(({ user, save }) => {
    return { user, state: save.after, told: save.told ?? user.told, ...saveUser(connection, user, save) }
  })
  return {
    answer: users,
    committed: () => {
      for (const { user, state, version, told } of written) cache.put(user, { state, version, told })
      tops.follow(written.flatMap(({ changes }) => changes))
    },
  }
}

async function saveAllInTurns(
  turns: Turns,
  requests: readonly UserRequest[],
  decide: Decide,
): Promise<readonly StoredUser[]> {
  const connection = await turns.begin()
  const loaded = requests.map((request) => loadUser(connection, request))
  const saves = savesOf(loaded, decide(loaded, loadEpoch(connection)))
  const users = saves.map(({ user: { tenant, user }, save }) => {
    return { tenant, user, ranks: countRanks(connection, { tenant, user }, save.ranks) }
  })
  for (const { user, save } of saves) await saveUserInTurns(turns, user, save)
  return users
}

function savesOf(
  loaded: readonly LoadedUser[],
  answers: ReturnType<Decide>,
): readonly { readonly user: LoadedUser; readonly save: UserSave }[] {
  if (answers.length !== loaded.length) {
    throw new GamificationError('internal', `decide answered ${answers.length} of ${loaded.length} users.`)
  }
  return loaded.flatMap((user, index) => {
    const save = answers[index]
    return save ? [{ user, save }] : []
  })
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
