import type { StorageAudit } from '../../src/storage/audit.ts'
import type { Owner, Storage } from '../../src/storage/storage.ts'
import { sqlKeys } from './api-keys.ts'
import { sqlAwards } from './awards.ts'
import { compiler, type SqlDatabase, type SqlTraits } from './database.ts'
import { sqlGames } from './games.ts'
import { sqlEntries } from './leaderboards.ts'
import { sqlLog } from './log.ts'
import { sqlOutbox } from './outbox.ts'
import { sqlOverview } from './overview.ts'
import type { Queries } from './queries.ts'
import { readUser } from './read-user.ts'
import { sqlUserLists } from './user-lists.ts'
import { toUserColumns } from './user-rows.ts'

interface OwnersRead {
  readonly tenant_id: string
  /** A JSON list. */
  readonly ids: string
}

interface BoostsPage {
  readonly tenant_id: string
  readonly system: string
  readonly skip: number
  readonly limit: number
}

type Shared = Omit<
  Storage,
  | ('name' | 'deadlineMs' | 'until' | 'migrate' | 'checkWritable' | 'commit' | 'leaderboardPage' | 'ranks')
  | ('transaction' | 'joinTransaction' | 'close' | keyof StorageAudit)
>

/** What every SQL database does in the same way. Compiles the statements once, for any number of deadlines. */
export function sqlStorage(traits: SqlTraits, queries: Queries): (database: SqlDatabase) => Shared {
  const sql = compiler(traits)
  const owners = {
    pauses: sql<OwnersRead, Owner>(
      `select pause_id as id, user_id as "user" from laurels.streak_pauses
        where tenant_id = :tenant_id and pause_id in ${traits.jsonList(':ids')}`,
    ),
    boosts: sql<OwnersRead, Owner>(
      `select boost_id as id, user_id as "user" from laurels.given_boosts
        where tenant_id = :tenant_id and boost_id in ${traits.jsonList(':ids')}`,
    ),
  }
  const boosts = sql<BoostsPage, Owner>(
    `select boost_id as id, user_id as "user" from laurels.given_boosts
      where tenant_id = :tenant_id and system = :system order by boost_id limit :limit offset :skip`,
  )
  const [keys, lists, log, awards] = [sqlKeys(traits), sqlUserLists(traits), sqlLog(traits), sqlAwards(traits)]
  const [overview, outbox] = [sqlOverview(traits), sqlOutbox(traits)]
  return (database) => ({
    ...sqlGames(queries.games, database),
    ...keys(queries.users, database),
    ...lists(database),
    ...log(queries.log, database),
    ...awards(database),
    ...sqlEntries(queries.entries, database),
    ...overview(database),
    ...outbox(queries.messages, database),
    readUser: async (key, options = {}) => readUser(queries, (parts) => database.together(parts), key, options),
    readSnapshot: async (key, until) =>
      (await database.all(queries.snapshots.newest, { ...toUserColumns(key), until }))[0] ?? null,
    counters: (tenant) => database.all(queries.counters.ofTenant, { tenant_id: tenant }),
    findOwners: (tenant, of, ids) => database.all(owners[of], { tenant_id: tenant, ids: JSON.stringify(ids) }),
    listBoosts: (tenant, page) => database.all(boosts, { tenant_id: tenant, ...page }),
    clearTenant: (tenant) =>
      database.transaction(async (tx) => {
        for (const statement of queries.removal.ofTenant) await tx.run(statement, { tenant_id: tenant })
      }),
  })
}
