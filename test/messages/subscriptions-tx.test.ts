import Database from 'better-sqlite3'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { DefinedGame, Gamification, Storage } from '../../src/index.ts'
import { createGamification, defineGame } from '../../src/index.ts'
import { limit } from '../support/busy-machine.ts'
import { databaseUrl, useEmptySchemas } from '../support/postgres.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'

// Handlers that write in the same database: what they write and how far they are is stored together, or neither.

const game = defineGame({ metrics: { words: { name: 'Words' } } })
const nextFile = useDatabaseFiles()
const nextSchema = useEmptySchemas()

interface Place {
  readonly name: string
  /** Opens the same database with each call, beside a table `mails`. */
  create(): Promise<{
    open(): Storage
    table: string
    insert: string
    mails(): Promise<readonly string[]>
    end(): Promise<void>
  }>
}

const PLACES: readonly Place[] = [
  {
    name: 'sqlite',
    create: async () => {
      const file = nextFile()
      const database = new Database(file)
      database.pragma('journal_mode = WAL')
      database.exec('CREATE TABLE mails (id INTEGER PRIMARY KEY, user_id TEXT NOT NULL)')
      return {
        open: () => sqlite(file),
        table: 'mails',
        insert: 'INSERT INTO mails (user_id) VALUES (?)',
        mails: async () => database.prepare<[], string>('SELECT user_id FROM mails ORDER BY id').pluck().all(),
        end: async () => void database.close(),
      }
    },
  },
  {
    name: 'postgres',
    create: async () => {
      const schema = nextSchema()
      const pool = new pg.Pool({ connectionString: databaseUrl(), max: 2 })
      const table = `mails_${schema.replaceAll(/\W/g, '_')}`
      await pool.query(`CREATE TABLE ${table} (id bigserial PRIMARY KEY, user_id text NOT NULL)`)
      return {
        open: () => postgres(databaseUrl(), { schema }),
        table,
        insert: `INSERT INTO ${table} (user_id) VALUES ($1)`,
        mails: async () =>
          (await pool.query(`SELECT user_id FROM ${table} ORDER BY id`)).rows.map(({ user_id }) => user_id),
        end: async () => {
          await pool.query(`DROP TABLE ${table}`)
          await pool.end()
        },
      }
    },
  },
]

describe.each(PLACES)('What a handler writes by tx, on $name', ({ create }) => {
  const ends: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  async function start(): Promise<{
    open(): Promise<Gamification<DefinedGame>>
    at(instant: string): void
    place: Awaited<ReturnType<Place['create']>>
  }> {
    const place = await create()
    ends.push(() => place.end())
    let now = '2026-03-10T12:00:00.000Z'
    return {
      place,
      at: (instant) => {
        now = instant
      },
      open: async () => {
        const engine = createGamification<DefinedGame>({ game, storage: place.open(), clock: () => new Date(now) })
        ends.push(() => engine.close())
        await engine.migrate()
        return engine
      },
    }
  }

  test('is there once, though the handler throws after it', async () => {
    const { open, at, place } = await start()
    const engine = await open()
    let attempts = 0
    await engine.subscribe('mailer', { types: ['user.created'] }, async (messages, { tx }) => {
      attempts += 1
      for (const { userId } of messages) await tx.query(place.insert, [userId])
      if (attempts < 3) throw new Error('The process is about to end')
    })
    await engine.users.create({ id: 'ann' })
    expect(await engine.workOnce()).toMatchObject({ handled: 0, failed: 1 })
    expect(await place.mails()).toEqual([])
    at('2026-03-10T12:01:00.000Z')
    await engine.workOnce()
    at('2026-03-10T12:02:00.000Z')
    expect(await engine.workOnce()).toMatchObject({ handled: 1, failed: 0 })
    expect(await place.mails()).toEqual(['ann'])
    expect(await engine.workOnce()).toMatchObject({ handled: 0 })
  })

  test('is not there where another process has taken the subscription meanwhile', async () => {
    const { open, at, place } = await start()
    const [engine, other] = [await open(), await open()]
    let takeOver: () => Promise<unknown> = async () => undefined
    await engine.subscribe('mailer', { types: ['user.created'] }, async (messages) => {
      // Half a minute passes, and nothing was heard of this process.
      at('2026-03-10T12:00:31.000Z')
      await takeOver()
      expect(messages).toHaveLength(1)
    })
    await other.subscribe('mailer', { types: ['user.created'] }, async (messages, { tx }) => {
      for (const { userId } of messages) await tx.query(place.insert, [userId])
    })
    takeOver = () => other.workOnce()
    await engine.users.create({ id: 'ann' })
    expect(await engine.workOnce()).toMatchObject({ handled: 0, failed: 0 })
    expect(await place.mails()).toEqual(['ann'])
    await engine.users.create({ id: 'bob' })
    expect(await engine.workOnce()).toMatchObject({ handled: 0 })
    expect(await other.workOnce()).toMatchObject({ handled: 1 })
    expect(await place.mails()).toEqual(['ann', 'bob'])
  })

  test('one that has used tx may not record by the engine, which would wait for the transaction', async () => {
    const { open, place } = await start()
    const engine = await open()
    const event = () => engine.metrics.event('words', { user: { id: 'zoe' }, value: 1 })
    const refusals: unknown[] = []
    let isFirst = true
    await engine.subscribe('mailer', { types: ['user.created'] }, async (messages, { tx }) => {
      // Before the first query of tx it may.
      if (isFirst) await event()
      isFirst = false
      for (const { userId } of messages) await tx.query(place.insert, [userId])
      await event().catch((error: unknown) => refusals.push(error))
    })
    await engine.users.create({ id: 'ann' })
    const began = performance.now()
    await engine.workOnce()
    expect(performance.now() - began).toBeLessThan(limit(5_000))
    expect(refusals[0]).toMatchObject({
      code: 'invalid_request',
      message:
        'The handler has used tx, and this call would wait for that transaction. Make the call before the first query of tx, or in another subscription.',
    })
    expect(await place.mails()).toEqual(['ann', 'zoe'])
    // Outside of the handler the same process records as ever.
    expect(await event()).toMatchObject({ total: 2 })
  })

  test('work hands over at once what its process commits, and ends with the signal', async () => {
    const { open } = await start()
    const engine = await open()
    const handed: string[] = []
    const first = Promise.withResolvers<void>()
    await engine.subscribe('mailer', { types: ['user.created'] }, (messages) => {
      handed.push(...messages.map(({ userId }) => userId ?? ''))
      first.resolve()
    })
    const ending = new AbortController()
    const working = engine.work({ signal: ending.signal, pollMs: 60_000 })
    await new Promise((resolve) => setTimeout(resolve, 300))
    await engine.users.create({ id: 'ann' })
    await first.promise
    ending.abort()
    await working
    expect(handed).toEqual(['ann'])
    const until = engine.work()
    await engine.close()
    await until
  })
})
