import { GamificationError } from '../errors.ts'
import { part, type Reader, type Statement } from '../storage/statements.ts'
import { type Steps, wait } from '../storage/steps.ts'
import type { StoredGame } from '../storage/storage.ts'
import { type Migration, type None, type SqlTraits, statement } from './database.ts'
import { ALL_GAMES } from './games.ts'
import type { Counters } from './queries.ts'
import type { MigrationsTable } from './tables.ts'

/** A migration that was applied, as the database has it. */
export type Applied = MigrationsTable

export const APPLIED: Statement<None, Applied> = statement('select * from laurels.migrations order by name')

/**
 * The migrations that are not among the `applied` ones. Throws `storage_unusable` if a migration was applied that this
 * code does not know, unless that one says that this code may still write the tables.
 */
export function pendingMigrations({ migrations }: SqlTraits, applied: readonly Applied[]): readonly Migration[] {
  const known = new Set(migrations.map(({ name }) => name))
  const newest = Math.max(...migrations.map(({ name }) => toNumber(name)))
  const refusing = applied.filter((other) => {
    const isCompatible = toNumber(other.name) > newest && other.compatible_from <= newest
    return !known.has(other.name) && !isCompatible
  })
  if (refusing.length > 0) {
    throw new GamificationError(
      'storage_unusable',
      `The tables were made by a newer laurels (migration ${refusing.map(({ name }) => name).join(', ')}), or by a pre-release. ` +
        'If a newer laurels made them, upgrade this process. If a pre-release made them, use an empty database.',
    )
  }
  const names = new Set(applied.map(({ name }) => name))
  return migrations.filter(({ name }) => !names.has(name))
}

function toNumber(name: string): number {
  return Number.parseInt(name, 10)
}

/** Throws `storage_unusable` unless this code may write the tables. `where` begins the message. */
export function requireMigrated(traits: SqlTraits, applied: readonly Applied[], where: string): void {
  if (pendingMigrations(traits, applied).length === 0) return
  throw new GamificationError('storage_unusable', `${where} lacks tables of laurels. Call migrate() first.`)
}

/**
 * Throws `storage_unusable` if objects that the migrations made are missing. Columns are `table.column`; a missing table
 * is named without its columns. `where` begins the message.
 */
export function requireNames(missing: readonly string[], where: string): void {
  const isOfMissing = (column: string): boolean => missing.some((name) => column.startsWith(`${name}.`))
  const lacking = missing.filter((name) => !isOfMissing(name))
  if (lacking.length === 0) return
  throw new GamificationError('storage_unusable', `${where} lacks ${lacking.join(', ')}. Restore it from a backup.`)
}

/**
 * The statements of the pending migrations, each with the row that says that it was applied. `migrate()` runs them in one
 * transaction. If you run them by hand, do the same.
 */
export function migrationStatements(traits: SqlTraits, applied: readonly Applied[]): readonly string[] {
  // The name is ours: it holds nothing that would have to be quoted.
  const record = ({ name, compatibleFrom }: Migration): string =>
    traits.qualifyNames(
      `insert into "laurels"."migrations" ("name", "compatible_from") values ('${name}', ${compatibleFrom})`,
    )
  const pending = pendingMigrations(traits, applied)
  return [traits.migrationsTable, ...pending.flatMap((migration) => [...migration.texts, record(migration)])]
}

/** The driver, the server and the role of a database, found out without reading a table. */
export interface Examination {
  readonly driver: string
  readonly server: string
  /**
   * The database's clock (`server`), and this process's clock before and after it was read, in milliseconds since 1970,
   * or `null` if the database has no clock.
   */
  readonly clock: { readonly server: number; readonly before: number; readonly after: number } | null
  /** The rights of the role, or `null` if the database has no roles. */
  readonly role: RoleExamination | null
}

export interface RoleExamination {
  readonly name: string
  readonly isSuperuser: boolean
  /** The rights that the role lacks to use the schema, such as `insert on users`. */
  readonly missing: readonly string[]
  /** The statements that grant it, for the owner of the schema. */
  readonly grants: readonly string[]
}

/** The content of a database, if it exists. */
export interface Findings {
  /** False if the database does not exist yet. */
  readonly exists: boolean
  readonly applied: readonly Applied[]
  readonly pending: readonly string[]
  /** null if no migration has been applied. */
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
export function* readContents({ read }: Pick<Reader, 'read'>): Steps<Contents> {
  const parts = {
    games: part(ALL_GAMES, {}),
    users: part(USERS, {}),
    logEntries: part(LOG_ENTRIES, {}),
    applicationKeys: part(APPLICATION_KEYS, {}),
    counters: part(COUNTERS, {}),
  }
  const { games, users, logEntries, applicationKeys, counters } = yield* wait(read(parts))
  return {
    games,
    users: users[0]?.count ?? 0,
    logEntries: logEntries[0]?.count ?? 0,
    applicationKeys: applicationKeys[0]?.count ?? 0,
    counters,
  }
}
