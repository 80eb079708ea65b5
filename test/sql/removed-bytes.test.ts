// @heavy: It takes more than three seconds.

import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { fromPg, postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, type DefinedGame, defineGame, type Gamification } from '../../src/index.ts'
import { databaseUrl, useEmptySchemas } from '../support/postgres.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'

const nextFile = useDatabaseFiles()
const nextSchema = useEmptySchemas()
const NOW = Date.parse('2026-03-10T12:00:00Z')
const TRACES = ['gone-7f3a', 'Zyxwv', 'zyxwv-town', 'device-zyxwv', 'key-zyxwv', 'reason-zyxwv']

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  userAttributes: ['town'],
  streak: { frequency: 'daily', metrics: { words: {} } },
  leaderboards: {
    all: { name: 'All', rankBy: 'metric', metric: 'words', start: '2026-01-01', maxParticipants: null },
    towns: {
      name: 'Towns',
      rankBy: 'metric',
      metric: 'words',
      start: '2026-01-01',
      maxParticipants: null,
      breakdown: ['town'],
    },
  },
}) as DefinedGame

/** Hundreds of users, so that blocks are split, and one of them on whom blocks come to begin. */
async function fill(engine: Gamification<DefinedGame>): Promise<void> {
  const { metrics, users, admin } = engine
  const event = (id: string, value: number, rest: object = {}): Promise<unknown> =>
    metrics.event('words' as never, { user: { id, ...rest }, value } as never)
  for (let round = 0; round < 6; round += 1) {
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => event(`user-${round}-${index}`, 1_000 - round * 60 - index)),
    )
  }
  await users.identify('gone-7f3a', {
    name: 'Zyxwv Name',
    email: 'Zyxwv@example.com',
    deviceTokens: ['device-zyxwv'],
    attributes: { town: 'zyxwv-town' } as never,
  })
  await metrics.event(
    'words' as never,
    { user: { id: 'gone-7f3a' }, value: 1_001, idempotencyKey: 'key-zyxwv' } as never,
  )
  // Up and down the order, while others split the blocks about it.
  for (let round = 0; round < 60; round += 1) {
    await event('gone-7f3a', round % 2 === 0 ? -40 : 37)
    await Promise.all(Array.from({ length: 8 }, (_, index) => event(`more-${round}-${index}`, 900 - round * 9)))
  }
  await users.suspend('gone-7f3a', { reason: 'reason-zyxwv' })
  await users.restore('gone-7f3a')
  await admin.applicationApiKeys.create([{ userId: 'gone-7f3a' }])
}

async function rankedUsers(engine: Gamification<DefinedGame>): Promise<readonly string[]> {
  const users: string[] = []
  for (let offset = 0; ; offset += 100) {
    const { rankings } = await engine.leaderboards.get('all' as never, { offset, limit: 100 })
    users.push(...rankings.map(({ userId }) => userId))
    if (rankings.length < 100) return users
  }
}

const open = (storage: ReturnType<typeof sqlite>): Gamification<DefinedGame> =>
  createGamification<DefinedGame>({ game, storage, clock: () => new Date(NOW) })

describe('Of a user who is deleted there is no byte', () => {
  test('in the file of SQLite after VACUUM, nor in its WAL after a checkpoint', async () => {
    const file = nextFile()
    const engine = open(sqlite(file))
    await engine.migrate()
    await fill(engine)
    const before = await rankedUsers(engine)
    await engine.users.delete('gone-7f3a')
    expect(await rankedUsers(engine)).toEqual(before.filter((id) => id !== 'gone-7f3a'))
    expect(await engine.verify()).toMatchObject({ drift: [] })
    await engine.close()
    const database = new Database(file)
    database.pragma('journal_mode = wal')
    database.exec('vacuum')
    database.pragma('wal_checkpoint(truncate)')
    const bytes = [readFileSync(file), readFileSync(`${file}-wal`)]
    for (const trace of TRACES) expect(bytes.map((each) => each.includes(trace))).toEqual([false, false])
    expect(bytes[0]?.includes('user-0-0')).toBe(true)
    database.close()
  }, 60_000)

  test.each(['at once', "in the host's transaction"])(
    'in any table of Postgres, deleted %s',
    async (how) => {
      const schema = nextSchema()
      const pool = new pg.Pool({ connectionString: databaseUrl(), max: 4 })
      const engine = open(postgres(pool, { schema }))
      try {
        await engine.migrate()
        await fill(engine)
        const before = await rankedUsers(engine)
        if (how === 'at once') await engine.users.delete('gone-7f3a')
        else {
          const client = await pool.connect()
          await client.query('begin')
          const tx = fromPg(client)
          await engine.metrics.event('words' as never, { user: { id: 'gone-7f3a' }, value: 5 } as never, { tx })
          await engine.users.delete('gone-7f3a', {}, { tx })
          // No statement waits for the host.
          await engine.metrics.event('words' as never, { user: { id: 'user-0-0' }, value: 1 } as never)
          await client.query('commit')
          client.release()
          await tx.committed()
          await expect.poll(async () => (await textOf(pool, schema)).includes('gone-7f3a')).toBe(false)
        }
        expect(await rankedUsers(engine)).toEqual(before.filter((id) => id !== 'gone-7f3a'))
        expect(await engine.verify()).toMatchObject({ drift: [] })
        const text = await textOf(pool, schema)
        for (const trace of TRACES) expect(text.includes(trace), trace).toBe(false)
        expect(text.includes('user-0-0')).toBe(true)
      } finally {
        await engine.close()
        await pool.end()
      }
    },
    60_000,
  )

  test("in the tables, deleted within the host's transaction on SQLite; rolled back, all of it is there", async () => {
    const database = new Database(':memory:')
    const engine = open(sqlite(database))
    await engine.migrate()
    await fill(engine)
    const before = await rankedUsers(engine)
    expect(() =>
      engine.within(database, ({ users }) => {
        users.delete('gone-7f3a')
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(await rankedUsers(engine)).toEqual(before)
    const deleted = engine.within(database, ({ users }) => users.delete('gone-7f3a', { keep: 'anonymous' }))
    const own = deleted.anonymousId ?? ''
    expect(await rankedUsers(engine)).toEqual(before.map((id) => (id === 'gone-7f3a' ? own : id)))
    expect(await engine.verify()).toMatchObject({ drift: [] })
    const tables = database.prepare<[], { name: string }>(`select name from sqlite_schema where type = 'table'`).all()
    const text = tables.map(({ name }) => JSON.stringify(database.prepare(`select * from "${name}"`).all())).join()
    for (const trace of TRACES) expect(text.includes(trace), trace).toBe(false)
    await engine.close()
    database.close()
  }, 60_000)
})

async function textOf(pool: pg.Pool, schema: string): Promise<string> {
  const { rows } = await pool.query<{ name: string }>('select tablename as name from pg_tables where schemaname = $1', [
    schema,
  ])
  const texts = await Promise.all(
    rows.map(async ({ name }) => {
      const found = await pool.query<{ text: string }>(`select t::text as text from "${schema}"."${name}" t`)
      return found.rows.map(({ text }) => text).join('\n')
    }),
  )
  return texts.join('\n')
}
