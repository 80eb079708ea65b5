import { AUDITED_TABLES, type AuditedTable, sqlAudit } from '../../src/sql/audit.ts'
import { compiler, statement } from '../../src/sql/database.ts'
import type { DerivedName } from '../../src/sql/derived-tables.ts'
import { sqlStorage } from '../../src/sql/storage.ts'
import type { StorageAudit } from '../../src/storage/audit.ts'
import type { Statement } from '../../src/storage/statements.ts'
import { wait } from '../../src/storage/steps.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { type Committer, createCommitter } from './commit.ts'
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
import { auditBlocks, readPage, readRanks } from './leaderboards.ts'
import { checkSchema, migrate } from './migrate.ts'
import { createRunner, createStartGuard, type Runner, type StartGuard } from './runner.ts'
import { kyselySessions, pgliteSessions, poolSessions, type Sessions, withSettings } from './session.ts'
import { databaseOn } from './sql-database.ts'
import { createTableCheck, type TableCheck } from './table-check.ts'
import { postgresTraits } from './traits.ts'
import { joinPostgres, type TransactionOptions } from './transaction.ts'

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
   * For how many milliseconds a call tries to reach the database, before it rejects with `unavailable`. Default:
   * 10,000.
   */
  readonly deadlineMs?: number
  /** Loads pg and opens a pool, if a bundler has to do it in its own way. */
  readonly driver?: PostgresDriver
}

/** Leaves most connections of a pool to events. */
const AUDITS_AT_ONCE = 4
/** Counting reads rows of all users, which may take longer than a call may. */
const COUNTING_MS = 600_000
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
  const access = { schema, traits, compile: compiler(traits), tables, written: committer.forget }
  const auditing = sqlAudit({
    traits,
    database: databaseOn(unhurried, access),
    counting: databaseOn(
      unhurried.until(() => performance.now() + COUNTING_MS),
      access,
    ),
    auditsAtOnce: AUDITS_AT_ONCE,
    auditBlocks: (group, options) => auditBlocks(unhurried, schema, group, options),
    insertRows: function* (tx, { table }, rows) {
      if (rows.length > 0) yield* wait(tx.run(INSERTS[table.name], { rows: JSON.stringify(rows) }))
    },
  })
  const startGuard = createStartGuard(sessions)
  const parts = {
    ...access,
    sessions,
    deadlineMs,
    unhurried,
    startGuard,
    committer,
    auditing,
    partitions,
  }
  return storageBy(parts, unhurried, () => undefined)
}

interface StorageParts extends TransactionOptions {
  readonly sessions: Sessions
  readonly partitions: number | undefined
  readonly deadlineMs: number
  readonly unhurried: Runner
  readonly startGuard: StartGuard
  readonly committer: Committer
  readonly auditing: StorageAudit
  readonly tables: TableCheck
}

/** `end`: the deadline of the storage's calls; without it each has its own time. */
function storageBy(parts: StorageParts, runner: Runner, end: () => number | undefined): Storage {
  const { deadlineMs, schema, partitions, traits, sessions, committer, auditing, tables, unhurried, startGuard } = parts
  const database = databaseOn(runner, parts)
  return startGuard.guard({
    ...sqlStorage(database),
    name: 'postgres',
    deadlineMs,
    until: (deadline) => {
      const later = startGuard.until(deadline)
      return storageBy(parts, unhurried.until(later), later)
    },
    migrate: () => migrate(runner, traits, schema, partitions),
    checkTables: () => tables.checkTables(runner.rows),
    checkWritable: () => tables.checkWritable(runner),
    commit: (requests, decide) => committer.commit(requests, decide, end()),
    leaderboardPage: (tenant, key, page) => readPage(runner, schema, tenant, key, page),
    ranks: (user, requests) => readRanks(runner, schema, user, requests),
    transaction: database.transaction,
    openTransaction: database.openTransaction,
    joinTransaction: (host) => joinPostgres(parts, host),
    ...auditing,
    repair: (key, ...given) => auditing.repair(key, ...given).finally(() => committer.forget(key)),
    close: async () => {
      await committer.close()
      await sessions.close()
    },
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

/** Inserts rows as the table or its view shows them, given as JSON. */
function insertOf({
  name,
  shown,
  bytes,
  columns,
}: AuditedTable['table']): Statement<{ readonly rows: string }, unknown> {
  const values = columns.map((column) => (bytes.includes(column) ? `"laurels".id_bytes(e.${column})` : `e.${column}`))
  return statement(`insert into laurels.${name} (${columns.join(', ')}) select ${values.join(', ')}
    from json_populate_recordset(null::laurels.${shown}, :rows::text::json) e`)
}

// `fromEntries` cannot say that there is one for each table.
const INSERTS = Object.fromEntries(AUDITED_TABLES.map(({ table }) => [table.name, insertOf(table)])) as {
  readonly [Name in DerivedName]: ReturnType<typeof insertOf>
}
