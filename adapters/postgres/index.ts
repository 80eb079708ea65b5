import { compiler } from '../../src/sql/database.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { createCommitter } from './commit.ts'
import {
  addressOf,
  checkPostgresOptions,
  checkPostgresSource,
  openPool,
  type PostgresDriver,
  type PostgresKysely,
  type PostgresPGlite,
  type PostgresPool,
} from './driver.ts'
import { checkSchema } from './migrate.ts'
import { createRunner } from './runner.ts'
import { kyselySessions, pgliteSessions, poolSessions, type Sessions, withSettings } from './session.ts'
import { postgresStorage } from './storage.ts'
import { createTableCheck } from './table-check.ts'
import { postgresTraits } from './traits.ts'

export type {
  PGliteTransaction,
  PostgresClient,
  PostgresDriver,
  PostgresKysely,
  PostgresPGlite,
  PostgresPool,
} from './driver.ts'
export { type DrizzleTransaction, fromDrizzle } from './transactions/drizzle.ts'
export { fromKnex, type KnexTransaction } from './transactions/knex.ts'
export { fromKysely, fromPg, type TransactionClient } from './transactions/pg.ts'
export { fromPostgresJs, type PostgresJsTransaction } from './transactions/postgres-js.ts'
export { fromPrisma, type PrismaTransaction } from './transactions/prisma.ts'
export { fromTypeORM, type TypeORMQueryRunner, type TypeORMTransaction } from './transactions/typeorm.ts'

/** A connection string, or the host's own pool of pg, instance of kysely, or PGlite. */
export type PostgresSource = string | { readonly href: string } | PostgresPool | PostgresKysely | PostgresPGlite

export interface PostgresOptions {
  /** The schema of every table and function. Default: `laurels`. */
  readonly schema?: string
  /**
   * In how many partitions `migrate()` creates the log and each other table of a user: 2 to 64. All rows of a user are
   * in one partition. Default: no partitions. On existing tables it must be their number, or be left out: `migrate()`
   * moves no rows between partitions.
   */
  readonly partitions?: number
  /**
   * The most milliseconds that a call waits for the database. Then it rejects with `unavailable`, and nothing is
   * saved. Default: 10,000.
   */
  readonly deadlineMs?: number
  /** Loads pg and opens a pool, if a bundler has to do it in its own way. */
  readonly driver?: PostgresDriver
}

/** The longest time that a timer of Node can wait. */
const LONGEST_DEADLINE_MS = 2 ** 31 - 1

/**
 * Keeps everything in Postgres, in a schema of its own. Given the host's own pool, kysely instance or PGlite, that one
 * is used and never closed. The time in which a PGlite starts does not count for a call's deadline. The storage keeps
 * no state in a connection, so it runs behind a PgBouncer in transaction mode.
 *
 * Nothing is opened before the first call. Throws `storage_unusable` for a source that no connection can come from, and
 * `invalid_request` for a wrong option.
 */
export function postgres(source: PostgresSource, options: PostgresOptions = {}): Storage {
  checkPostgresSource(source)
  checkPostgresOptions(options)
  const { driver = openPool } = options
  const deadlineMs = Math.min(options.deadlineMs ?? 10_000, LONGEST_DEADLINE_MS)
  const schema = checkSchema(options.schema ?? 'laurels')
  const { partitions } = options
  const traits = postgresTraits(schema, partitions)
  const sessions = withSettings(toSessions(source, (url) => driver(url, deadlineMs)))
  const unhurried = createRunner(sessions, deadlineMs)
  const committer = createCommitter(unhurried, traits, schema, deadlineMs)
  const tables = createTableCheck(traits, schema, partitions)
  return postgresStorage({
    schema,
    traits,
    compile: compiler(traits),
    tables,
    written: committer.forget,
    sessions,
    deadlineMs,
    unhurried,
    committer,
    partitions,
  })
}

function toSessions(source: PostgresSource, driver: (url: string) => Promise<PostgresPool>): Sessions {
  const address = addressOf(source)
  if (typeof source === 'string') return poolSessions(() => driver(source), true, address)
  if ('href' in source) return poolSessions(() => driver(source.href), true, address)
  if (isKysely(source)) return kyselySessions(source)
  if ('waitReady' in source) return pgliteSessions(source)
  return poolSessions(() => Promise.resolve(source), false, address)
}

/** A pool may have a member `connection` too, which is no function. */
function isKysely(source: PostgresPool | PostgresKysely | PostgresPGlite): source is PostgresKysely {
  return 'connection' in source && typeof source.connection === 'function'
}
