// Health where reads are answered and writes are not.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, defineGame, type Storage } from '../../src/index.ts'
import { STORAGES } from '../support/engine.ts'
import { databaseUrl, useEmptySchemas, useSchemas } from '../support/postgres.ts'

const game = defineGame({ metrics: { words: { name: 'Words' } } })
const nextSchema = useEmptySchemas()
// Tests that damage a schema.
const nextOwnSchema = useSchemas()

function on(storage: Storage) {
  const engine = createGamification({ game, storage })
  onTestFinished(() => engine.close())
  return engine
}

function poolOf(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ connectionString: databaseUrl(), max: 2, ...config })
  onTestFinished(() => pool.end())
  return pool
}

async function query(...texts: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  try {
    for (const text of texts) await client.query(text)
  } finally {
    await client.end()
  }
}

function newFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'laurels-health-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return join(directory, 'app.db')
}

interface World {
  readonly storage: Storage
  /** As messages have the database. */
  readonly name: string
  readonly tableOf: (name: string) => string
  readonly run: (text: string) => Promise<void>
}

const WORLDS: { readonly [name: string]: () => World } = {
  SQLite: () => {
    const file = newFile()
    return {
      storage: sqlite(file),
      name: file,
      tableOf: (name) => `laurels_${name}`,
      run: async (text) => {
        const other = new Database(file)
        other.exec(text)
        other.close()
      },
    }
  },
  Postgres: () => {
    const schema = nextOwnSchema()
    return {
      storage: postgres(poolOf({}), { schema }),
      name: `The schema ${schema}`,
      tableOf: (name) => `"${schema}".${name}`,
      run: query,
    }
  },
}

/** As a message has the table. */
const toName = (table: string): string => table.replace(/^.*\./, '')

describe.each(Object.entries(WORLDS))('On %s a process is failing', (_, toWorld) => {
  async function open(): Promise<World & { readonly engine: ReturnType<typeof on> }> {
    const world = toWorld()
    const engine = on(world.storage)
    await engine.migrate()
    expect(await engine.health()).toMatchObject({ status: 'ok' })
    return { ...world, engine }
  }

  test('if a column was dropped by hand', async () => {
    const { engine, name, tableOf, run } = await open()
    await run(`alter table ${tableOf('users')} drop column streak_kept_period`)
    expect(await engine.health()).toMatchObject({
      status: 'failing',
      code: 'storage_unusable',
      message: `${name} lacks ${toName(tableOf('users'))}.streak_kept_period. Restore it from a backup.`,
    })
  })

  test('if tables and views were dropped by hand, which are named without their columns', async () => {
    const { engine, name, tableOf, run } = await open()
    await run(`drop view ${tableOf('view_retention')}; drop table ${tableOf('counters')}`)
    expect(await engine.health()).toMatchObject({
      status: 'failing',
      code: 'storage_unusable',
      message: `${name} lacks ${toName(tableOf('counters'))}, ${toName(tableOf('view_retention'))}. Restore it from a backup.`,
    })
  })

  test('if a stored game is not JSON', async () => {
    const { engine, tableOf, run } = await open()
    await run(`update ${tableOf('games')} set definition = '{'`)
    expect(await engine.health()).toMatchObject({
      status: 'failing',
      code: 'invalid_game',
      message: 'The stored game of epoch 1 cannot be read: The game is not JSON. Restore it from a backup.',
    })
  })
})

/** An engine on a migrated schema, with a new role that has these grants. */
async function asRole(name: string, grantsOf: (schema: string, role: string) => readonly string[]) {
  const schema = nextSchema()
  const role = `laurels_${name}_${randomBytes(4).toString('hex')}`
  await on(postgres(poolOf({}), { schema })).migrate()
  await query(`create role ${role} login password 'hush'`, ...grantsOf(schema, role))
  onTestFinished(() => query(`drop owned by ${role}`, `drop role ${role}`))
  const url = new URL(databaseUrl())
  url.username = role
  url.password = 'hush'
  return on(postgres(poolOf({ connectionString: url.href }), { schema }))
}

/** The grants of a process that serves users. */
const toServe = (schema: string, role: string): readonly string[] => [
  `grant usage on schema "${schema}" to ${role}`,
  `grant select, insert, update, delete on all tables in schema "${schema}" to ${role}`,
  `grant execute on all functions in schema "${schema}" to ${role}`,
  `revoke insert, update on "${schema}".api_keys, "${schema}".games from ${role}`,
  `grant update (seen_at) on "${schema}".games to ${role}`,
]

describe('Postgres', () => {
  test('whose role can make neither keys nor games is healthy, and serves users', async () => {
    const engine = await asRole('web', toServe)
    expect(await engine.health()).toMatchObject({ status: 'ok', isNewestGame: true, message: null })
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 3 })
    await engine.metrics.event('words', { user: { id: 'guest' }, value: 4 })
    await engine.users.merge({ from: 'guest', into: 'ann' })
    expect(await engine.users.singleMetric('ann', 'words')).toMatchObject({ current: 7 })
    await engine.users.delete('ann')
    await expect(engine.adminKeys.create()).rejects.toMatchObject({
      code: 'storage_unusable',
      message: expect.stringContaining('permission denied for table api_keys'),
    })
  })

  test('whose role cannot note that its game is in use is failing', async () => {
    const engine = await asRole('web', (schema, role) => toServe(schema, role).slice(0, -1))
    expect(await engine.health()).toMatchObject({
      status: 'failing',
      code: 'storage_unusable',
      message: expect.stringMatching(/^The Postgres role laurels_web_\w+ lacks update on games\. Grant them: /),
    })
  })

  test('that is read-only is failing, before and after a write was refused', async () => {
    const schema = nextSchema()
    await on(postgres(poolOf({}), { schema })).migrate()
    const engine = on(
      postgres(poolOf({ options: '-c default_transaction_read_only=on' }), { schema, deadlineMs: 1_000 }),
    )
    const readOnly = {
      status: 'failing',
      code: 'unavailable',
      message: 'Postgres takes no writes: its transactions are read-only. Connect to the primary.',
    }
    expect(await engine.health()).toMatchObject(readOnly)
    await expect(engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })).rejects.toMatchObject({
      code: 'unavailable',
    })
    expect(await engine.health()).toMatchObject(readOnly)
  })

  test('whose role may only read is failing, and the message names what is missing', async () => {
    const engine = await asRole('reader', (schema, role) => [
      `grant usage on schema "${schema}" to ${role}`,
      `grant select on all tables in schema "${schema}" to ${role}`,
    ])
    expect(await engine.health()).toMatchObject({
      status: 'failing',
      code: 'storage_unusable',
      message: expect.stringMatching(
        /^The Postgres role laurels_reader_\w+ lacks delete on \w+ and \d+ more rights\. Grant them: npx laurels doctor prints the statements\.$/,
      ),
    })
    await expect(engine.workOnce()).rejects.toMatchObject({
      code: 'storage_unusable',
      message: expect.stringMatching(/^The Postgres role laurels_reader_\w+ lacks /),
    })
  })
})

describe('A SQLite file', () => {
  test('that another process writes at the moment is healthy', async () => {
    const file = newFile()
    const engine = on(sqlite(file))
    await engine.migrate()
    const other = new Database(file)
    onTestFinished(() => void other.close())
    other.exec('BEGIN IMMEDIATE')
    expect(await engine.health()).toMatchObject({ status: 'ok' })
  })
})

test.each(STORAGES)('health() after migrate() is ok, on $name', async ({ create }) => {
  const engine = on(create())
  await engine.migrate()
  expect(await engine.health()).toMatchObject({ status: 'ok', code: null })
})
