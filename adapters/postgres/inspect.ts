import { gameQueries, toGames } from '../sql/games.ts'
import { type Findings, type InspectionQueries, inspectionQueries } from '../sql/inspection.ts'
import { type MigrationQueries, migrationQueries, pendingMigrations } from '../sql/migrations.ts'
import type { Statement } from '../sql/statement.ts'
import type { SqlTraits } from '../sql/traits.ts'
import { addressOf } from './address.ts'
import { openPool } from './driver.ts'
import { checkSchema } from './migrate.ts'
import { createRunner, type Reader } from './runner.ts'
import { poolSessions } from './session.ts'
import { withSettings } from './settled-sessions.ts'
import { postgresTraits } from './traits.ts'

const DEADLINE_MS = 10_000

/** What a schema holds. Makes nothing and changes nothing; throws where `postgres()` could not be used either. */
export async function inspect(url: string, schema: string): Promise<Findings> {
  const traits = postgresTraits(checkSchema(schema))
  const sessions = withSettings(poolSessions(() => openPool(url, DEADLINE_MS), true, addressOf(url)))
  try {
    return await read(createRunner(sessions, DEADLINE_MS), traits, schema)
  } finally {
    await sessions.close()
  }
}

async function read(reader: Reader, traits: SqlTraits, schema: string): Promise<Findings> {
  const exists = (await reader.all(findSchema, { schema })).length > 0
  const isStarted = (await reader.all(findMigrationsTable, { schema })).length > 0
  const { applied: appliedNames }: MigrationQueries = migrationQueries(traits)
  const applied = isStarted ? (await reader.all(appliedNames, {})).map(({ name }) => name) : []
  const pending = pendingMigrations(traits, applied).map(({ name }) => name)
  return { exists, applied, pending, contents: applied.length === 0 ? null : await readContents(reader, traits) }
}

type Find = Statement<{ readonly schema: string }, unknown>

const findSchema: Find = {
  text: 'select 1 as found from pg_namespace where nspname = $1',
  toValues: ({ schema }) => [schema],
}

// Asked before the table is read, because it is an error to read a missing table.
const findMigrationsTable: Find = {
  text: `select 1 as found from pg_tables where schemaname = $1 and tablename = 'migrations'`,
  toValues: ({ schema }) => [schema],
}

async function readContents(reader: Reader, traits: SqlTraits): Promise<Findings['contents']> {
  const queries: InspectionQueries = inspectionQueries(traits)
  const [users] = await reader.all(queries.users, {})
  const [entries] = await reader.all(queries.logEntries, {})
  const [keys] = await reader.all(queries.applicationKeys, {})
  return {
    games: toGames(await reader.all(gameQueries(traits).all, {})),
    users: users?.count ?? 0,
    logEntries: entries?.count ?? 0,
    counters: await reader.all(queries.counters, {}),
    applicationKeys: keys?.count ?? 0,
  }
}
