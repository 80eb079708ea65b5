import type { StorageAudit } from '../storage/audit.ts'
import { wait } from '../storage/steps.ts'
import type { Owner, Storage } from '../storage/storage.ts'
import { API_KEYS } from './api-keys.ts'
import { AWARDS } from './awards.ts'
import { bound, type MembersOf, type MethodsOf, membersOf } from './calls.ts'
import { type SqlDatabase, type SqlTraits, statement } from './database.ts'
import { GAMES } from './games.ts'
import { LEADERBOARD_ENTRIES } from './leaderboards.ts'
import { LOG } from './log.ts'
import { OUTBOX } from './outbox.ts'
import { OVERVIEW } from './overview.ts'
import { CLEAR_TENANT, COUNTERS_OF_TENANT } from './queries.ts'
import { readSnapshot, readUser } from './read-user.ts'
import { USER_LISTS } from './user-lists.ts'

/** `ids`: a JSON list. */
const ownersIn = (table: string, id: string) =>
  statement<{ readonly tenant: string; readonly ids: string }, Owner>(
    ({ jsonList }: SqlTraits) => `select ${id} as id, user_id as "user" from laurels.${table}
      where tenant_id = :tenant and ${id} in ${jsonList(':ids')}`,
  )
const OWNERS = { pauses: ownersIn('streak_pauses', 'pause_id'), boosts: ownersIn('given_boosts', 'boost_id') }

const BOOSTS = statement<{ readonly tenant: string } & Parameters<Storage['listBoosts']>[1], Owner>(
  `select boost_id as id, user_id as "user" from laurels.given_boosts
    where tenant_id = :tenant and system = :system order by boost_id limit :limit offset :skip`,
)

type Shared = Omit<
  Storage,
  | (
      | 'name'
      | 'deadlineMs'
      | 'until'
      | 'migrate'
      | 'checkTables'
      | 'checkWritable'
      | 'commit'
      | 'leaderboardPage'
      | 'ranks'
    )
  | ('transaction' | 'openTransaction' | 'joinTransaction' | 'close' | keyof StorageAudit)
>

const SHARED: MethodsOf<SqlDatabase, Shared> = {
  ...GAMES,
  ...API_KEYS,
  ...USER_LISTS,
  ...LOG,
  ...AWARDS,
  ...LEADERBOARD_ENTRIES,
  ...OVERVIEW,
  ...OUTBOX,
  readUser,
  readSnapshot,
  counters: ({ all }, tenant) => all(COUNTERS_OF_TENANT, { tenant }),
  findOwners: ({ all }, tenant, of, ids) => all(OWNERS[of], { tenant, ids: JSON.stringify(ids) }),
  listBoosts: ({ all }, tenant, page) => all(BOOSTS, { tenant, ...page }),
  clearTenant: ({ transaction }, tenant) =>
    transaction(function* (tx) {
      for (const statement of CLEAR_TENANT) yield* wait(tx.run(statement, { tenant }))
    }),
}

/** The part of a storage that is the same for every SQL database. */
export function sqlStorage(database: SqlDatabase): Shared {
  return bound(() => database, SHARED)
}

/** The members of `sqlStorage`, for a storage whose context has the database. */
export function sqlMembers<Context>(databaseOf: (context: Context) => SqlDatabase): MembersOf<Context, Shared> {
  return membersOf(databaseOf, SHARED)
}
