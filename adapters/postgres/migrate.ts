import { GamificationError, isGamificationError } from '../../src/errors.ts'
import { compiler, type SqlTraits } from '../../src/sql/database.ts'
import { APPLIED, type Applied, migrationStatements, pendingMigrations } from '../../src/sql/migrations.ts'
import type { MigrationReport } from '../../src/storage/storage.ts'
import type { Runner } from './runner.ts'
import type { Session } from './session.ts'
import { inSchema, quoteIdentifier } from './sql-text.ts'
import { postgresTraits } from './traits.ts'

/** Pending migrations have no shorter limit: one may write every row of a long log. */
const LONGEST_MS = 24 * 3_600_000

/**
 * Runs in one transaction under a lock. If eight processes start at once, one migrates and seven find it done. The
 * lock ends with the transaction, so it holds behind a PgBouncer too. The deadline of the call limits the waits for
 * locks and for the database; pending migrations then run without a limit.
 */
export async function migrate(
  runner: Runner,
  traits: SqlTraits,
  schema: string,
  partitions: number | undefined,
): Promise<MigrationReport> {
  try {
    return await migrateOnce(runner, traits, schema, partitions)
  } catch (error) {
    // A second run finds the result of the first.
    if (!isGamificationError(error) || error.code !== 'outcome_unknown') throw error
    return migrateOnce(runner, traits, schema, partitions)
  }
}

async function migrateOnce(
  runner: Runner,
  traits: SqlTraits,
  schema: string,
  partitions: number | undefined,
): Promise<MigrationReport> {
  const end = runner.deadline()
  const by = runner.until(() => end)
  const isPending = pendingMigrations(traits, await readApplied(by.rows, traits, schema)).length > 0
  return by.transaction(
    async (session) => {
      const waitMs = Math.max(1, Math.round(end - performance.now()))
      if (isPending) await session.query(`set local lock_timeout = ${waitMs}`, [])
      await session.query('select pg_advisory_xact_lock(hashtextextended($1, 0))::text', [`laurels ${schema}`])
      await checkEncoding(session)
      await createSchema(session, schema)
      const applied = await readApplied(session.query, traits, schema)
      const pending = pendingMigrations(traits, applied)
      if (applied.length > 0) requirePartitions(schema, partitions, await readPartitions(session.query, schema))
      // A role that may only use the schema gets an error for `create table if not exists` too.
      const texts = pending.length === 0 ? [] : migrationStatements(traits, applied)
      for (const text of texts) await session.query(text, [])
      return { applied: pending.map(({ name }) => name) }
    },
    isPending ? { longestMs: LONGEST_MS } : {},
  )
}

/** The migrations that were applied. Looks for their table first: it is an error to read a missing one. */
export async function readApplied(
  query: Session['query'],
  traits: SqlTraits,
  schema: string,
): Promise<readonly Applied[]> {
  if ((await query(FIND_MIGRATIONS_TABLE, [schema])).length === 0) return []
  const rows = (await query(compiler(traits)(APPLIED).text, [])) as readonly Applied[]
  // Drivers hand on numbers of 64 bits as texts.
  return rows.map(({ name, compatible_from }) => ({ name, compatible_from: Number(compatible_from) }))
}

/** How many partitions each table of a user has in a schema, as its tables say; 0 if they have none. */
export async function readPartitions(query: Session['query'], schema: string): Promise<number> {
  const [row] = (await query(FIND_PARTITIONS, [schema])) as readonly { readonly partitions: number }[]
  return Number(row?.partitions)
}

/** Throws `storage_unusable` if the option asks for another number of partitions than existing tables have. */
export function requirePartitions(schema: string, wanted: number | undefined, found: number): void {
  if (wanted === undefined || wanted === found) return
  const [state, remedy] =
    found === 0
      ? ['are not partitioned', 'Leave the option out']
      : [`have ${found} partitions each`, `Give it ${found} or leave it out`]
  throw new GamificationError(
    'storage_unusable',
    `The option partitions of postgres() is ${wanted}, but the tables of users in the schema ${schema} ${state}. ` +
      `migrate() moves no rows, so nothing was changed. ${remedy}, or move the rows by hand: see the page "Partitions".`,
  )
}

const FIND_PARTITIONS = `select coalesce(max((regexp_match(pg_get_expr(c.relpartbound, c.oid), 'modulus (\\d+)'))[1]::int), 0) as partitions
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relkind = 'r' and c.relispartition`

/** Throws for any encoding but UTF8: others cannot keep every text, and would refuse one some day. */
async function checkEncoding(session: Session): Promise<void> {
  const [row] = await session.query('show server_encoding', [])
  const encoding = Object.values(row ?? {})[0]
  if (encoding === 'UTF8') return
  const message = `The database has the encoding ${encoding}: laurels needs one with UTF8.`
  throw new GamificationError('storage_unusable', message)
}

const FIND_MIGRATIONS_TABLE = `select 1 as found from pg_tables where schemaname = $1 and tablename = 'migrations'`

/** Looks for the schema first: a role that may use it is perhaps not allowed to make one. */
async function createSchema(session: Session, schema: string): Promise<void> {
  const found = await session.query('select 1 from pg_namespace where nspname = $1', [schema])
  if (found.length === 0) await session.query(`create schema ${quoteIdentifier(schema)}`, [])
}

/**
 * Throws `storage_unusable` for a name of Postgres' own, and for one that is empty or longer than 63 bytes: Postgres
 * cuts longer names off, so two of them could meet.
 */
export function checkSchema(schema: string): string {
  if (schema === 'information_schema' || schema.startsWith('pg_')) {
    throw new GamificationError('storage_unusable', `The schema ${schema} is that of Postgres itself: name another.`)
  }
  if (schema !== '' && Buffer.byteLength(schema) <= 63 && !schema.includes('\0')) return schema
  throw new GamificationError('storage_unusable', 'The name of the schema must have 1 to 63 bytes.')
}

/**
 * The SQL that `migrate()` would run in a schema after the migrations `applied`, as one transaction to run by hand. It
 * ends in an error, and changes nothing, if another process has migrated in the meantime.
 */
export function postgresScript(
  schema: string,
  exists: boolean,
  applied: readonly Applied[],
  partitions: number | undefined,
): string {
  const statements = [
    // Set explicitly, because the database's default may differ: a copy has to see all rows that were committed before
    // its lock.
    'begin isolation level read committed',
    // The lock that `migrate()` takes.
    inSchema(`select pg_advisory_xact_lock(hashtextextended('laurels {schema}', 0))`, schema),
    CHECK_ENCODING,
    ...(exists ? [] : [`create schema ${quoteIdentifier(schema)}`]),
    ...migrationStatements(postgresTraits(schema, partitions), applied),
    'commit',
  ]
  return statements.map((text) => `${text};\n`).join('\n')
}

/** In another encoding than UTF8 not every text can be kept. */
const CHECK_ENCODING = `do $check$ begin
  if current_setting('server_encoding') <> 'UTF8' then
    raise exception 'The database has the encoding %: laurels needs one with UTF8.', current_setting('server_encoding');
  end if;
end $check$`
