import { GamificationError } from '../../src/errors.ts'
import type { CommitReport, Decide, LoadedUser, StoredUser, UserRequest, UserSave } from '../../src/storage.ts'
import type { Connection } from './connection.ts'
import type { DatabaseHandle } from './database.ts'
import { rankCounter } from './leaderboard-ranks.ts'
import { loadEpoch, loadUser } from './load.ts'
import { saveUser } from './save.ts'
import type { StateCache } from './state-cache.ts'

const REFUSED: unique symbol = Symbol('refused')

export async function commit(
  { write }: Pick<DatabaseHandle, 'write'>,
  cache: StateCache,
  requests: readonly UserRequest[],
  decide: Decide,
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
      (connection) => saveAll(connection, cache, requests, decideOrRefuse),
      ({ committed }) => committed(),
    )
    return { failures: [], rounds: [{ users, asOf: 'before' }] }
  } catch (error) {
    const [refusal] = thrown
    throw refusal === undefined ? error : refusal.error
  }
}

interface SavedAll {
  readonly users: readonly StoredUser[]
  /** Called after the commit, before anything else can happen on the connection. */
  readonly committed: () => void
}

function saveAll(
  connection: Connection,
  cache: StateCache,
  requests: readonly UserRequest[],
  decide: Decide,
): SavedAll {
  cache.begin(connection.dataVersion())
  const loaded = requests.map((request) => loadUser(connection, request, cache.get(request)))
  const saves = savesOf(loaded, decide(loaded, loadEpoch(connection)))
  // The ranks of all users are counted before the first user is written.
  const countRanks = rankCounter(connection)
  const users = saves.map(({ user: { tenant, user }, save }) => {
    return { tenant, user, ranks: countRanks({ tenant, user }, save.ranks) }
  })
  const written = saves.map(({ user, save }) => {
    return { user, state: save.after, told: save.told ?? user.told, version: saveUser(connection, user, save) }
  })
  return {
    users,
    committed: () => {
      for (const { user, state, version, told } of written) cache.put(user, { state, version, told })
    },
  }
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
