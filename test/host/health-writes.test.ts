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
import { databaseUrl, useEmptySchemas } from '../support/postgres.ts'

const game = defineGame({ metrics: { words: { name: 'Words' } } })
const nextSchema = useEmptySchemas()

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

describe('Postgres', () => {
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
    const schema = nextSchema()
    const role = `laurels_reader_${randomBytes(4).toString('hex')}`
    await on(postgres(poolOf({}), { schema })).migrate()
    await query(
      `create role ${role} login password 'hush'`,
      `grant usage on schema "${schema}" to ${role}`,
      `grant select on all tables in schema "${schema}" to ${role}`,
    )
    onTestFinished(() => query(`drop owned by ${role}`, `drop role ${role}`))
    const url = new URL(databaseUrl())
    url.username = role
    url.password = 'hush'
    const engine = on(postgres(poolOf({ connectionString: url.href }), { schema }))
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
  function newFile(): string {
    const directory = mkdtempSync(join(tmpdir(), 'laurels-health-'))
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
    return join(directory, 'app.db')
  }

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
