import { GamificationError } from '../../src/errors.ts'
import type { CommitReport, Decide, StoredGame, StoredUser, UserRequest } from '../../src/storage.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import type { RankedChange } from '../sql/leaderboard-positions.ts'
import type { Connection } from './connection.ts'
import type { DatabaseHandle } from './database.ts'
import { countRanks } from './leaderboard-ranks.ts'
import type { TopCache } from './leaderboard-top-cache.ts'
import { loadEpoch, loadUser } from './load.ts'
import { queries } from './queries.ts'
import { rowsOf, saveUser } from './save.ts'
import type { CachedUser, StateCache } from './state-cache.ts'
import { runAtOnce, type Steps } from './steps.ts'

/** What was written last, so that it need not be read again. */
export interface Caches {
  readonly users: StateCache
  readonly tops: TopCache
}

const REFUSED: unique symbol = Symbol('refused')
/** Rows: more take longer than one turn of the event loop may. */
const MOST_AT_ONCE = 1_000

export async function commit(
  { write, writeInTurns }: Pick<DatabaseHandle, 'write' | 'writeInTurns'>,
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

  let isLong = false
  const refuseLong = (rows: number): void => {
    isLong = rows > MOST_AT_ONCE
    if (isLong) throw REFUSED
  }
  try {
    const { users } = await write(
      (connection) => runAtOnce(saveAll(connection, { caches, check: refuseLong }, requests, decideOrRefuse)),
      deadline,
      ({ saved, changes }) => {
        for (const [key, user] of saved) caches.users.put(key, user)
        caches.tops.follow(changes)
      },
    ).catch((error) => {
      if (!isLong) throw error
      return saveInTurns(writeInTurns, caches, requests, decideOrRefuse, deadline)
    })
    return { failures: [], rounds: [{ users, asOf: 'before' }] }
  } catch (error) {
    const [refusal] = thrown
    throw refusal === undefined ? error : refusal.error
  }
}

/** Decides anew, since others may have written meanwhile; then nobody else writes until all is stored. */
async function saveInTurns(
  writeInTurns: DatabaseHandle['writeInTurns'],
  caches: Caches,
  requests: readonly UserRequest[],
  decide: Decide,
  deadline: number | undefined,
): Promise<Saved> {
  const saveOn = (connection: Connection): Steps<Saved> =>
    saveAll(connection, { caches: null, check: () => undefined }, requests, decide)
  const saved = await writeInTurns(saveOn, deadline)
  caches.users.begin(null)
  caches.tops.begin(null)
  return saved
}

interface Saved {
  readonly saved: readonly (readonly [UserKey, CachedUser])[]
  readonly users: readonly StoredUser[]
  readonly changes: readonly RankedChange[]
}

interface SaveAllOptions {
  /** null: on this connection nothing is remembered. */
  readonly caches: Caches | null
  /** Told how many rows there are to write, before the first; throws where they are too many. */
  check(rows: number): void
}

function* saveAll(
  connection: Connection,
  { caches, check }: SaveAllOptions,
  requests: readonly UserRequest[],
  decide: Decide,
): Steps<Saved> {
  const dataVersion = connection.dataVersion()
  caches?.users.begin(dataVersion)
  caches?.tops.begin(dataVersion)
  const loaded = requests.map((request) => loadUser(connection, request, caches?.users.get(request)))
  const answers = decide(loaded, loadEpoch(connection))
  if (answers.length !== loaded.length) {
    throw new GamificationError('internal', `decide answered ${answers.length} of ${loaded.length} users.`)
  }
  const saves = loaded.flatMap((user, index) => {
    const save = answers[index]
    return save ? [{ user, save }] : []
  })
  check(saves.reduce((sum, { save }) => sum + rowsOf(save), 0))
  // All are counted before the first is written.
  const users = saves.map(({ user: { tenant, user }, save }) => {
    return { tenant, user, ranks: countRanks(connection, { tenant, user }, save.ranks, caches?.tops) }
  })
  const saved: (readonly [UserKey, CachedUser])[] = []
  const changes: RankedChange[] = []
  for (const { user, save } of saves) {
    const written = yield* saveUser(connection, user, save)
    saved.push([user, { state: save.after, version: written.version, told: save.told ?? user.told }])
    changes.push(...written.changes)
  }
  return { saved, users, changes }
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
