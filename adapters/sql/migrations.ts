import { GamificationError } from '../../src/errors.ts'
import type { Counters, StoredGame } from '../../src/storage/storage.ts'
import { chain, type Eventually } from '../../src/storage/sync-or-async.ts'
import {
  type Migration,
  type None,
  part,
  type SqlTraits,
  type Statement,
  statement,
  type Together,
} from './database.ts'
import { ALL_GAMES } from './games.ts'

interface Named {
  readonly name: string
}

export const APPLIED: Statement<None, Named> = statement('select name from laurels.migrations order by name')

/**
 * The migrations that are not among the `applied` ones. Throws `storage_unusable` where the code does not know all of
 * these.
 */
export function pendingMigrations({ migrations }: SqlTraits, applied: readonly string[]): readonly Migration[] {
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = applied.filter((name) => !known.has(name))
  if (unknown.length > 0) {
    throw new GamificationError(
      'storage_unusable',
      `The tables were made by a newer laurels (migration ${unknown.join(', ')}), or by one from before its first release. ` +
        'Upgrade laurels in this process; where the tables are the older ones, begin with an empty database.',
    )
  }
  return migrations.filter(({ name }) => !applied.includes(name))
}

/**
 * The statements of the pending migrations, each with the row that says that it was applied. `migrate()` runs them in one
 * transaction. If you run them by hand, do the same.
 */
export function migrationStatements(traits: SqlTraits, applied: readonly string[]): readonly string[] {
  // The name is ours: it holds nothing that would have to be quoted.
  const record = (name: string): string =>
    traits.qualifyNames(`insert into "laurels"."migrations" ("name") values ('${name}')`)
  const pending = pendingMigrations(traits, applied)
  return [traits.migrationsTable, ...pending.flatMap(({ name, texts }) => [...texts, record(name)])]
}

/** The driver, the server and the role of a database, found out without reading a table. */
export interface Examination {
  readonly driver: string
  readonly server: string
  /**
   * The database's clock (`server`), and this process's clock before and after it was read, in milliseconds since 1970;
   * null: the database has no clock.
   */
  readonly clock: { readonly server: number; readonly before: number; readonly after: number } | null
  /** What the role may do; null where there are no roles. */
  readonly role: RoleExamination | null
}

export interface RoleExamination {
  readonly name: string
  readonly isSuperuser: boolean
  /** What the role lacks to use the schema, such as `insert on users`. */
  readonly missing: readonly string[]
  /** The statements that grant it, for the owner of the schema. */
  readonly grants: readonly string[]
}

/** What a database holds, where there is one. */
export interface Findings {
  /** False if the database does not exist yet. */
  readonly exists: boolean
  readonly applied: readonly string[]
  readonly pending: readonly string[]
  /** null where no migration has been applied. */
  readonly contents: Contents | null
}

/** Counts are over all tenants. */
export interface Contents {
  readonly games: readonly StoredGame[]
  readonly users: number
  readonly logEntries: number
  readonly counters: Counters
  readonly applicationKeys: number
}

interface Counted {
  readonly count: number
}

const countOf = (from: string): Statement<None, Counted> => statement(`select count(*) as count from ${from}`)
const USERS = countOf('laurels.users')
const LOG_ENTRIES = countOf('laurels.log')
const APPLICATION_KEYS = countOf(`laurels.api_keys where kind = 'application'`)
const COUNTERS = statement<None, Counters[number]>(
  'select kind, key, sum(count) as count from laurels.counters group by kind, key order by kind, key',
)

/** Reads whole tables, of all tenants. No call does so, only a person who inspects a database. */
export function readContents(together: Together): Eventually<Contents> {
  const parts = {
    games: part(ALL_GAMES, {}),
    users: part(USERS, {}),
    logEntries: part(LOG_ENTRIES, {}),
    applicationKeys: part(APPLICATION_KEYS, {}),
    counters: part(COUNTERS, {}),
  }
  return chain(together(parts), ({ games, users, logEntries, applicationKeys, counters }) => ({
    games,
    users: users[0]?.count ?? 0,
    logEntries: logEntries[0]?.count ?? 0,
    applicationKeys: applicationKeys[0]?.count ?? 0,
    counters,
  }))
}
