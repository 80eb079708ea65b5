// The migrator with a second migration, which only this test has: on a database with rows, while a process that does
// not know it continues recording.

import Database from 'better-sqlite3'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fromPg, postgres } from '../../adapters/postgres/index.ts'
import { POSTGRES_MIGRATIONS } from '../../adapters/postgres/schema.ts'
import { inSchema } from '../../adapters/postgres/sql-text.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { SQLITE_MIGRATIONS } from '../../adapters/sqlite/schema.ts'
import { createGamification, defineGame, type Gamification } from '../../src/index.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { databaseUrl, useSchemas } from '../support/postgres.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'

const nextFile = useDatabaseFiles()
const nextSchema = useSchemas()

const NAME = '0002-notes'
const game = defineGame({ metrics: { words: { name: 'Words' } } })

interface World {
  readonly open: () => Storage
  readonly count: (table: string) => Promise<number>
}

/** Adds the second migration for as long as `work` takes. */
async function withSecond<Answer>(work: () => Promise<Answer>, compatibleFrom = 2): Promise<Answer> {
  const sqliteList = SQLITE_MIGRATIONS as (typeof SQLITE_MIGRATIONS)[number][]
  const postgresList = POSTGRES_MIGRATIONS as (typeof POSTGRES_MIGRATIONS)[number][]
  sqliteList.push({
    name: NAME,
    compatibleFrom,
    texts: [
      'create table laurels_notes (user_id text not null primary key) strict, without rowid',
      'insert into laurels_notes select user_id from laurels_users',
    ],
  })
  postgresList.push({
    name: NAME,
    compatibleFrom,
    toTexts: (schema) =>
      [
        'create table "laurels".notes (user_id text not null primary key)',
        'insert into "laurels".notes select user_id from "laurels".users',
      ].map((text) => inSchema(text, schema)),
  })
  try {
    return await work()
  } finally {
    sqliteList.pop()
    postgresList.pop()
  }
}

const WORLDS: { readonly [name: string]: () => World } = {
  SQLite: () => {
    const file = nextFile()
    return {
      open: () => sqlite(file),
      count: async (table) => {
        const database = new Database(file)
        onTestFinished(() => void database.close())
        return Number(database.prepare(`select count(*) from laurels_${table}`).pluck().get())
      },
    }
  },
  Postgres: () => {
    const schema = nextSchema()
    return {
      open: () => postgres(databaseUrl(), { schema }),
      count: async (table) => {
        const client = new pg.Client({ connectionString: databaseUrl() })
        await client.connect()
        const { rows } = await client.query(`select count(*)::int as count from "${schema}".${table}`)
        await client.end()
        return rows[0].count
      },
    }
  },
}

const write = async (engine: Gamification<typeof game>, user: string): Promise<number> =>
  (await engine.metrics.event('words', { user: { id: user }, value: 10 })).total

describe.each(Object.entries(WORLDS))('A second migration on %s', (_, toWorld) => {
  test('runs on a database with rows while an older process records, and both find all events', async () => {
    const world = toWorld()
    const older = createGamification({ game, storage: world.open() })
    onTestFinished(() => older.close())
    expect((await older.migrate()).applied).toEqual(['0001-schema'])
    expect([await write(older, 'ann'), await write(older, 'ben')]).toEqual([10, 10])

    const newer = await withSecond(async () => {
      const writing = Array.from({ length: 20 }, () => write(older, 'ann'))
      const engine = createGamification({ game, storage: world.open() })
      onTestFinished(() => engine.close())
      expect((await engine.migrate()).applied).toEqual([NAME])
      await Promise.all(writing)
      expect((await engine.migrate()).applied).toEqual([])
      return engine
    })

    expect(await world.count('notes')).toBe(2)
    expect(await write(older, 'ann')).toBe(220)
    expect(await write(newer, 'ann')).toBe(230)
    expect(await write(older, 'ann')).toBe(240)
    expect(await newer.users.singleMetric('ann', 'words')).toMatchObject({ current: 240 })
  })

  test('is refused by name in a process that does not know it, whatever it calls first', async () => {
    const world = toWorld()
    await withSecond(async () => {
      const newer = createGamification({ game, storage: world.open() })
      onTestFinished(() => newer.close())
      await newer.migrate()
    })
    const refused = {
      code: 'storage_unusable',
      message: expect.stringContaining('The tables were made by a newer laurels (migration 0002-notes)'),
    }
    for (const first of ['event', 'health', 'migrate']) {
      const older = createGamification({ game, storage: world.open() })
      onTestFinished(() => older.close())
      if (first === 'event') await expect(write(older, 'ann')).rejects.toMatchObject(refused)
      if (first === 'migrate') await expect(older.migrate()).rejects.toMatchObject(refused)
      expect(await older.health()).toMatchObject({ status: 'failing', ...refused })
    }
    expect(await world.count('log')).toBe(0)
  })

  test('that the code before it may write is taken by a process that does not know it', async () => {
    const world = toWorld()
    await withSecond(async () => {
      const newer = createGamification({ game, storage: world.open() })
      onTestFinished(() => newer.close())
      await newer.migrate()
    }, 1)
    const older = createGamification({ game, storage: world.open() })
    onTestFinished(() => older.close())
    expect(await write(older, 'ann')).toBe(10)
    expect(await older.health()).toMatchObject({ status: 'ok' })
    expect(await older.migrate()).toMatchObject({ applied: [] })
  })

  test('that a running process does not know leaves it healthy', async () => {
    const world = toWorld()
    const older = createGamification({ game, storage: world.open() })
    onTestFinished(() => older.close())
    await older.migrate()
    await withSecond(async () => {
      const newer = createGamification({ game, storage: world.open() })
      onTestFinished(() => newer.close())
      await newer.migrate()
    })
    expect(await older.health()).toMatchObject({ status: 'ok' })
    expect(await write(older, 'ann')).toBe(10)
  })

  test('that is pending keeps a newer process from writing', async () => {
    const world = toWorld()
    const older = createGamification({ game, storage: world.open() })
    onTestFinished(() => older.close())
    await older.migrate()
    await withSecond(async () => {
      const refused = {
        code: 'storage_unusable',
        message: expect.stringMatching(/ lacks tables of laurels\. Call migrate\(\) first\.$/),
      }
      const newer = createGamification({ game, storage: world.open() })
      onTestFinished(() => newer.close())
      expect(await newer.health()).toMatchObject({ status: 'failing', ...refused })
      await expect(write(newer, 'ann')).rejects.toMatchObject(refused)
    })
    expect(await world.count('log')).toBe(0)
  })

  test('that fails leaves the schema as it was', async () => {
    const world = toWorld()
    const engine = createGamification({ game, storage: world.open() })
    onTestFinished(() => engine.close())
    await engine.migrate()
    await write(engine, 'ann')
    const broken = {
      name: NAME,
      compatibleFrom: 2,
      texts: ['create table laurels_notes (n integer)', 'no such statement'],
    }
    const sqliteList = SQLITE_MIGRATIONS as (typeof SQLITE_MIGRATIONS)[number][]
    const postgresList = POSTGRES_MIGRATIONS as (typeof POSTGRES_MIGRATIONS)[number][]
    sqliteList.push(broken)
    postgresList.push({
      name: NAME,
      compatibleFrom: 2,
      toTexts: (schema) => [inSchema('create table "laurels".notes (n int)', schema), 'no such statement'],
    })
    try {
      const newer = createGamification({ game, storage: world.open() })
      onTestFinished(() => newer.close())
      await expect(newer.migrate()).rejects.toThrow()
    } finally {
      sqliteList.pop()
      postgresList.pop()
    }
    await expect(world.count('notes')).rejects.toThrow()
    expect(await world.count('migrations')).toBe(1)
    expect(await write(engine, 'ann')).toBe(20)
  })
})

test('On Postgres a process is failing if a table or a function is missing', async () => {
  const schema = nextSchema()
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  onTestFinished(() => client.end())
  const engine = createGamification({ game, storage: postgres(databaseUrl(), { schema }) })
  onTestFinished(() => engine.close())
  await engine.migrate()
  await client.query(`drop function ${schema}.save; drop table ${schema}.snapshots`)
  expect(await engine.health()).toMatchObject({
    status: 'failing',
    code: 'storage_unusable',
    message: `The schema ${schema} lacks save, snapshots. Restore it from a backup.`,
  })
})

test("On Postgres the host's transaction is refused where the tables are not those of this code", async () => {
  const schema = nextSchema()
  await withSecond(async () => {
    const newer = createGamification({ game, storage: postgres(databaseUrl(), { schema }) })
    onTestFinished(() => newer.close())
    await newer.migrate()
  })
  // One connection, which the transaction has.
  const pool = new pg.Pool({ connectionString: databaseUrl(), max: 1 })
  onTestFinished(() => pool.end())
  const older = createGamification({ game, storage: postgres(pool, { schema }) })
  onTestFinished(() => older.close())
  const client = await pool.connect()
  onTestFinished(() => client.release())
  await client.query('begin')
  const call = older.metrics.event('words', { user: { id: 'ann' }, value: 10 }, { tx: fromPg(client) })
  await expect(call).rejects.toMatchObject({
    code: 'storage_unusable',
    message: expect.stringContaining('made by a newer laurels (migration 0002-notes)'),
  })
  await client.query('commit')
})
