import { type RawBuilder, sql } from 'kysely'
import { GamificationError } from '../../src/errors.ts'
import type { Counters, StoredGame } from '../../src/storage/storage.ts'
import { type Migration, rawStatement, type SqlTraits, type Statement, statement, tableOf } from './database.ts'
import type { CountersTable } from './tables.ts'

export interface MigrationQueries {
  readonly applied: Statement<Readonly<Record<string, never>>, { readonly name: string }>
  readonly record: Statement<{ readonly name: string }, unknown>
}

export function migrationQueries(traits: SqlTraits): MigrationQueries {
  const { kysely } = traits
  return {
    applied: statement(traits, () => kysely.selectFrom('migrations').select('name').orderBy('name')),
    record: statement(traits, (bind) => kysely.insertInto('migrations').values({ name: bind('name') })),
  }
}

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
 * The statements of the pending migrations, each with the row that says that it was applied, as `migrate()` runs them, for
 * somebody who runs them in another way. They belong into one transaction.
 */
export function migrationStatements(traits: SqlTraits, applied: readonly string[]): readonly string[] {
  // The name is ours: it holds nothing that would have to be quoted.
  const record = (name: string): string =>
    traits.spell(`insert into "laurels"."migrations" ("name") values ('${name}')`)
  const pending = pendingMigrations(traits, applied)
  return [traits.migrationsTable, ...pending.flatMap(({ name, texts }) => [...texts, record(name)])]
}

type None = Readonly<Record<string, never>>

/** The driver, the server and the role of a database, found out without reading a table. */
export interface Examination {
  /** The driver with its version. */
  readonly driver: string
  /** The database with its version. */
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
  /** The statements that grant it, for whoever owns the schema. */
  readonly grants: readonly string[]
}

/** What a database holds, where there is one. */
export interface Findings {
  /** Whether a database is there; where none is, it can be made. */
  readonly exists: boolean
  /** Names of the migrations, in order. */
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
  /** How many application keys there are. */
  readonly applicationKeys: number
}

/**
 * Queries for what is in the tables, over all tenants. They read whole tables, so only people ask them, and no call
 * does.
 */
export interface InspectionQueries {
  readonly users: Statement<None, { readonly count: number }>
  readonly logEntries: Statement<None, { readonly count: number }>
  readonly counters: Statement<None, Omit<CountersTable, 'tenant_id'>>
  readonly applicationKeys: Statement<None, { readonly count: number }>
}

export function inspectionQueries(traits: SqlTraits): InspectionQueries {
  const count = (from: RawBuilder<unknown>): Statement<None, { readonly count: number }> =>
    rawStatement(traits, () => sql`select count(*) as count from ${from}`)
  return {
    users: count(tableOf('users')),
    logEntries: count(tableOf('log')),
    applicationKeys: count(sql`${tableOf('api_keys')} where kind = 'application'`),
    counters: rawStatement(
      traits,
      () =>
        sql`select kind, key, sum(count) as count from ${tableOf('counters')} group by kind, key order by kind, key`,
    ),
  }
}
