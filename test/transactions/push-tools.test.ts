// @heavy: It takes more than three seconds.
// @early: It takes long for its size.
// The effect of tools that push a schema on the tables of laurels, as docs/transactions-and-orms.md describes.

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { DataSource, EntitySchema } from 'typeorm'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { useDatabases } from '../adapters/postgres/races-database.ts'
import { blocksOf } from '../support/blocks.ts'
import type { Finished } from '../support/consumer.ts'
import { type HostProject, useHostProjects } from '../support/host-project.ts'

const nextProject = useHostProjects()
const nextDatabase = useDatabases()

const configOf = (file: string): string =>
  blocksOf('transactions-and-orms.md').find((block) => block.file === file)?.code ??
  expect.fail('There is no such block')

const schemaOf = (core: string, table: string): string => `
import { ${table}, text } from 'drizzle-orm/${core}'
export const notes = ${table}('notes', { id: text('id').primaryKey(), body: text('body') })
`

const TABLES = [
  ...[
    'api_keys',
    'awards',
    'challenge_windows',
    'completions',
    'counters',
    'deliveries',
    'documents',
    'games',
    'given_boosts',
  ],
  ...['leaderboard_blocks', 'leaderboard_entries', 'log', 'messages', 'migrations', 'movements'],
  ...[
    'outbox_head',
    'points',
    'redemptions',
    'reward_stock',
    'snapshots',
    'streak_pauses',
    'streak_periods',
    'tallies',
    'totals',
    'users',
  ],
].map((name) => `laurels_${name}`)

interface SqliteHost extends HostProject {
  readonly db: Database.Database
  push(): Promise<Finished>
  names(type: 'table' | 'view'): unknown
}

/** A file with the tables of laurels and a table of the host's, to which its schema has added a column. */
async function sqliteHost(config: string): Promise<SqliteHost> {
  const project = nextProject()
  project.write('schema.ts', schemaOf('sqlite-core', 'sqliteTable'))
  project.write('drizzle.config.ts', config)
  const file = join(project.directory, 'app.db')
  const storage = sqlite(file)
  await storage.migrate()
  await storage.close()
  const db = new Database(file)
  onTestFinished(() => void db.close())
  db.exec('create table notes (id text primary key not null)')
  return {
    ...project,
    db,
    push: () => project.program('drizzle-kit/bin.cjs', 'push', '--force'),
    names: (type) =>
      db
        .prepare(`select name from sqlite_master where type = ? and name not like 'sqlite_%' order by 1`)
        .pluck()
        .all(type),
  }
}

const columnsOf = ({ db }: SqliteHost): unknown =>
  db.prepare(`select name from pragma_table_info('notes')`).pluck().all()

const FILTERED = configOf('drizzle-on-sqlite.config.ts')
const UNFILTERED = FILTERED.replace(/^.*tablesFilter.*\n/m, '')

describe('drizzle-kit on SQLite', () => {
  test.each([
    ['with', FILTERED],
    ['without', UNFILTERED],
  ])('push %s the filter stops at the views, and has done nothing', async (_, config) => {
    const host = await sqliteHost(config)
    const views = host.names('view')
    const { code, out } = await host.push()
    expect([code, out]).toEqual([1, expect.stringContaining('Could not process view')])
    expect([host.names('table'), host.names('view')]).toEqual([[...TABLES, 'notes'], views])
    expect(columnsOf(host)).toEqual(['id'])
  })

  test('generate and migrate leave tables and views, without a filter', async () => {
    const host = await sqliteHost(UNFILTERED)
    host.db.exec('drop table notes')
    const views = host.names('view')
    for (const command of ['generate', 'migrate']) {
      expect(await host.program('drizzle-kit/bin.cjs', command)).toMatchObject({ code: 0 })
    }
    expect(host.names('table')).toEqual(['__drizzle_migrations', ...TABLES, 'notes'])
    expect(host.names('view')).toEqual(views)
  })
})

test('TypeORM with synchronize leaves tables and views on SQLite', async () => {
  const host = await sqliteHost(UNFILTERED)
  const views = host.names('view')
  const notes = new EntitySchema<{ id: string; body: string }>({
    name: 'notes',
    columns: { id: { type: 'text', primary: true }, body: { type: 'text', nullable: true } },
  })
  const database = join(host.directory, 'app.db')
  const source = new DataSource({ type: 'better-sqlite3', database, entities: [notes], synchronize: true })
  await source.initialize()
  await source.destroy()
  expect([host.names('table'), host.names('view')]).toEqual([[...TABLES, 'notes'], views])
  expect(columnsOf(host)).toEqual(['id', 'body'])
})

interface PostgresHost extends HostProject {
  readonly url: string
  /** Everything in the schema of laurels, as the catalogue has it. */
  ours(): Promise<unknown>
  columns(): Promise<unknown>
}

async function postgresHost(): Promise<PostgresHost> {
  const { url, query } = await nextDatabase()
  await query('create table notes (id text primary key)')
  const storage = postgres(url)
  await storage.migrate()
  await storage.close()
  return {
    ...nextProject(),
    url,
    ours: () =>
      query(`select relname as name, oid::int as id from pg_class where relnamespace = 'laurels'::regnamespace
        union all select proname, oid::int from pg_proc where pronamespace = 'laurels'::regnamespace order by 1, 2`),
    columns: async () =>
      (
        await query<{ name: string }>(`select attname as name from pg_attribute
          where attrelid = 'public.notes'::regclass and attnum > 0 order by attnum`)
      ).map(({ name }) => name),
  }
}

describe('on Postgres', () => {
  const config = configOf('drizzle-on-postgres.config.ts')

  test.each([
    ['with', config],
    ['without', config.replace(/^.*schemaFilter.*\n/m, '')],
  ])('drizzle-kit push %s the filter leaves the schema of laurels', async (_, text) => {
    const host = await postgresHost()
    const before = await host.ours()
    host.write('schema.ts', schemaOf('pg-core', 'pgTable'))
    const credentials = `{ url: ${JSON.stringify(host.url)} }`
    host.write('drizzle.config.ts', text.replace(/\{ url: .* \}/, credentials))
    const pushed = await host.program('drizzle-kit/bin.cjs', 'push', '--force')
    expect(pushed).toMatchObject({ code: 0, out: expect.stringContaining('Changes applied') })
    expect(await host.columns()).toEqual(['id', 'body'])
    expect(await host.ours()).toEqual(before)
  })

  test('prisma db push leaves the schema of laurels', async ({ skip }) => {
    if (!hasSchemaEngine()) return skip('Prisma has not fetched its schema engine, which comes from its own server.')
    const host = await postgresHost()
    const before = await host.ours()
    const datasource = `{ url: ${JSON.stringify(host.url)} }`
    host.write('prisma.config.ts', `export default { schema: 'schema.prisma', datasource: ${datasource} }`)
    host.write(
      'schema.prisma',
      'datasource db {\n  provider = "postgresql"\n}\nmodel notes {\n  id   String @id\n  body String?\n}\n',
    )
    expect(await host.program('prisma/build/index.js', 'db', 'push')).toMatchObject({ code: 0 })
    expect(await host.columns()).toEqual(['id', 'body'])
    expect(await host.ours()).toEqual(before)
  })
})

/** The program with which Prisma changes databases, where somebody has fetched it. */
function hasSchemaEngine(): boolean {
  if (process.env.PRISMA_SCHEMA_ENGINE_BINARY !== undefined) return true
  const engines = fileURLToPath(new URL('../../node_modules/@prisma/engines', import.meta.url))
  return existsSync(engines) && readdirSync(engines).some((name) => name.startsWith('schema-engine'))
}
