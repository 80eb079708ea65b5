// @heavy: It takes more than three seconds.
// @early: It takes long for its size.
// The writes of a host's handler in the transaction that stores the checkpoint of its subscription.

import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import Database from 'better-sqlite3'
import { Kysely, PostgresDialect } from 'kysely'
import Libsql from 'libsql'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { findKey } from '../../src/sql/api-keys.ts'
import { putMessages } from '../../src/sql/messages.ts'
import { loadDocument, putDocument, toHandlerTransaction } from '../../src/sql/outbox.ts'
import { loadUser } from '../../src/sql/read-user.ts'
import { loadUserKeys } from '../../src/sql/user-lists.ts'
import { runSteps } from '../../src/storage/steps.ts'
import type { OpenTransaction, Storage } from '../../src/storage/storage.ts'
import { readState, store } from '../../src/testing/storage/case.ts'
import { document, message, readMessages } from '../../src/testing/storage/outbox-samples.ts'
import { ANN, BOB, eventOf, sampleEvent } from '../../src/testing/storage/samples.ts'
import { limit } from '../support/busy-machine.ts'
import { databaseUrl, useSchemas } from '../support/postgres.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'

const nextFile = useDatabaseFiles()
const nextSchema = useSchemas()
const pool = new pg.Pool({ connectionString: databaseUrl(), max: 8 })
let glite: PGlite
// It keeps the event loop busy for seconds while it starts.
beforeAll(async () => {
  glite = await PGlite.create()
}, 120_000)
afterAll(() => Promise.all([pool.end(), glite.close()]))

/** A statement of the handler. */
const query = <Row>(tx: OpenTransaction, text: string, values?: readonly unknown[]) =>
  toHandlerTransaction(tx).query<Row>(text, values)

const putMailer = async (tx: OpenTransaction): Promise<boolean> => runSteps(putDocument(tx, document('mailer')))

interface Host {
  readonly storage: Storage
  /** The host's own table. */
  readonly sent: string
  /** Parameters in the order of the statement. */
  place(n: number): string
}

async function onSqlite(storage: Storage): Promise<Host> {
  await storage.migrate()
  const host = { storage, sent: 'sent', place: () => '?' }
  await storage.openTransaction((tx) => query(tx, 'create table sent (id text primary key, n integer)'))
  return host
}

async function onPostgres(make: (schema: string) => Storage): Promise<Host> {
  const schema = nextSchema()
  const storage = make(schema)
  await storage.migrate()
  const sent = `"${schema}".sent`
  await storage.openTransaction((tx) => query(tx, `create table ${sent} (id text primary key, n integer)`))
  return { storage, sent, place: (n: number) => `$${n}` }
}

const HOSTS: Record<string, () => Promise<Host>> = {
  'better-sqlite3 in a file': () => onSqlite(sqlite(nextFile())),
  'node:sqlite in a file': () => onSqlite(sqlite(nextFile(), { driver: async () => DatabaseSync })),
  "a host's libsql in a file": () => onSqlite(sqlite(new Libsql(nextFile()))),
  'better-sqlite3 in memory': () => onSqlite(memory()),
  "a host's node:sqlite in memory": () => onSqlite(sqlite(new DatabaseSync(':memory:'))),
  "a host's libsql in memory": () => onSqlite(sqlite(new Libsql(':memory:'))),
  'a pool of pg': () => onPostgres((schema) => postgres(pool, { schema })),
  kysely: () => onPostgres((schema) => postgres(new Kysely({ dialect: new PostgresDialect({ pool }) }), { schema })),
  PGlite: () => onPostgres((schema) => postgres(glite, { schema, deadlineMs: 60_000 })),
}

async function opened(
  open: () => Promise<Host>,
): Promise<Host & { add(tx: OpenTransaction, id: string): Promise<unknown>; ids(): Promise<readonly string[]> }> {
  const host = await open()
  const { storage, sent, place } = host
  onTestFinished(() => storage.close())
  return {
    ...host,
    add: (tx, id) => query(tx, `insert into ${sent} (id, n) values (${place(1)}, ${place(2)})`, [id, 1]),
    ids: () =>
      storage.openTransaction(async (tx) => {
        const { rows } = await query<{ id: string }>(tx, `select id from ${sent} order by id`)
        return rows.map(({ id }) => id)
      }),
  }
}

describe.each(Object.entries(HOSTS))('The statements of a handler on %s', (_, open) => {
  test('are stored with how far the subscription is', async () => {
    const { storage, add, ids } = await opened(open)
    const seen = await storage.openTransaction(async (tx) => {
      expect(await add(tx, 'a')).toEqual({ rows: [] })
      await add(tx, 'b')
      await putMailer(tx)
      return query<{ id: string }>(tx, 'select 1 as id')
    })
    expect(seen.rows).toEqual([{ id: 1 }])
    expect(await ids()).toEqual(['a', 'b'])
    expect((await loadDocument(storage, 'subscription', 'mailer'))?.version).toBe(1)
  })

  test('are undone with it, by what the handler throws or by its own time', async () => {
    const { storage, add, ids } = await opened(open)
    const failure = new Error('no')
    const throwing = storage.openTransaction(async (tx) => {
      await add(tx, 'a')
      await putMailer(tx)
      throw failure
    })
    await expect(throwing).rejects.toBe(failure)
    const waiting = storage.until(performance.now() + 300).openTransaction(async (tx) => {
      await add(tx, 'b')
      await new Promise(() => undefined)
    })
    await expect(waiting).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('took longer'),
    })
    expect(await ids()).toEqual([])
    expect(await loadDocument(storage, 'subscription', 'mailer')).toBe(null)
  })

  test('fail with what the database says, and are not stored if the handler goes on', async () => {
    const { storage, add, ids } = await opened(open)
    await storage.openTransaction((tx) => add(tx, 'a'))
    const failing = storage.openTransaction((tx) => add(tx, 'a'))
    await expect(failing).rejects.not.toMatchObject({ name: 'GamificationError' })
    await expect(failing).rejects.toThrow(/unique|duplicate/i)
    expect(await ids()).toEqual(['a'])
  })

  test('cannot end the transaction', async () => {
    const { storage, add, ids } = await opened(open)
    for (const text of ['commit', ' ROLLBACK;', 'begin immediate', 'end']) {
      const ending = storage.openTransaction(async (tx) => {
        await add(tx, 'a')
        await query(tx, text)
      })
      await expect(ending).rejects.toMatchObject({
        code: 'storage_unusable',
        message: expect.stringContaining('leave out BEGIN'),
      })
    }
    await storage.openTransaction(async (tx) => {
      await query(tx, 'savepoint one')
      await add(tx, 'b')
      await query(tx, 'rollback to one')
      await add(tx, 'c')
    })
    expect(await ids()).toEqual(['c'])
  })

  test('are not begun before the first: until then the process writes as ever', async () => {
    const { storage, add, ids } = await opened(open)
    await storage.openTransaction(async (tx) => {
      await store(storage, ANN, { appended: [sampleEvent(1)] })
      expect((await readState(storage, ANN)).seq).toBe(1)
      await add(tx, 'a')
    })
    expect(await ids()).toEqual(['a'])
  })

  test('take turns with all other writes, and nothing is lost', async () => {
    const { storage, add, ids } = await opened(open)
    await Promise.all([
      ...['a', 'b', 'c'].map((id, index) =>
        storage.openTransaction(async (tx) => {
          await add(tx, id)
          await sleep(20)
          await runSteps(putMessages(tx, [{ ...message(index), tenant: '', user: null }]))
        }),
      ),
      ...[ANN, BOB].map((key) => store(storage, key, { appended: [eventOf(key, 1)] })),
    ])
    expect(await ids()).toEqual(['a', 'b', 'c'])
    expect(await loadUserKeys(storage)).toEqual([ANN, BOB])
    expect((await readMessages(storage)).length).toBe(3)
  })
})

describe('Reads beside an open transaction', () => {
  test.each(['better-sqlite3 in a file', 'node:sqlite in a file', "a host's libsql in a file", 'a pool of pg'])(
    'on %s are answered at once, without what is not stored yet',
    async (name) => {
      const { storage } = await opened(HOSTS[name] ?? (() => Promise.reject(new Error(name))))
      await storage.openTransaction(async (tx) => {
        await putMailer(tx)
        const began = performance.now()
        expect(await loadDocument(storage, 'subscription', 'mailer')).toBe(null)
        expect((await loadUser(storage, ANN)).state).toBe(null)
        expect(performance.now() - began).toBeLessThan(limit(500))
      })
      expect((await loadDocument(storage, 'subscription', 'mailer'))?.version).toBe(1)
    },
  )

  test.each(['better-sqlite3 in memory', "a host's node:sqlite in memory"])(
    'on %s, which has one connection, wait for its end',
    async (name) => {
      const { storage } = await opened(HOSTS[name] ?? (() => Promise.reject(new Error(name))))
      let isOpen = false
      let isOver = false
      const transaction = storage.openTransaction(async (tx) => {
        await putMailer(tx)
        isOpen = true
        await sleep(80)
        isOver = true
      })
      await expect.poll(() => isOpen, { interval: 5 }).toBe(true)
      const key = findKey(storage, 'prefix-a').then((found) => [isOver, found])
      const read = await loadDocument(storage, 'subscription', 'mailer')
      expect([isOver, read?.version]).toEqual([true, 1])
      expect(await key).toEqual([true, null])
      await transaction
    },
  )
})

describe('A transaction on SQLite that stays open', () => {
  test('holds up a write no longer than that has time, and never the event loop', async () => {
    const storage = sqlite(nextFile())
    await storage.migrate()
    onTestFinished(() => storage.close())
    let ticks = 0
    const timer = setInterval(() => (ticks += 1), 5)
    await storage.openTransaction(async (tx) => {
      await putMailer(tx)
      const began = performance.now()
      const late = storage.until(began + 200).commit([{ ...ANN, lookups: [] }], () => [null])
      await expect(late).rejects.toMatchObject({ code: 'unavailable' })
      expect(performance.now() - began).toBeLessThan(limit(1_000))
    })
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(10)
    await store(storage, ANN, { appended: [sampleEvent(1)] })
  })

  test('waits for another process that writes, with the event loop free, and keeps it from writing then', async () => {
    const file = nextFile()
    const storage = sqlite(file)
    await storage.migrate()
    onTestFinished(() => storage.close())
    const other = new Database(file, { timeout: 0 })
    onTestFinished(() => void other.close())
    other.exec('begin immediate')
    setTimeout(() => other.exec('commit'), 120)
    const began = performance.now()
    await storage.openTransaction(async (tx) => {
      await putMailer(tx)
      expect(performance.now() - began).toBeGreaterThan(100)
      expect(() => other.exec('begin immediate')).toThrow(/locked|busy/)
    })
    other.exec('begin immediate; commit')
  })

  test('is waited for by close', async () => {
    const file = nextFile()
    const storage = sqlite(file)
    await storage.migrate()
    let isOpen = false
    const transaction = storage.openTransaction(async (tx) => {
      await putMailer(tx)
      isOpen = true
      await sleep(50)
    })
    await expect.poll(() => isOpen, { interval: 5 }).toBe(true)
    await storage.close()
    await transaction
    await expect(storage.openTransaction(async () => undefined)).rejects.toMatchObject({ code: 'closed' })
    const again = sqlite(file)
    onTestFinished(() => again.close())
    expect((await loadDocument(again, 'subscription', 'mailer'))?.version).toBe(1)
  })

  test("in a host's memory is not joined by calls in the host's transactions", async () => {
    const host = new Database(':memory:')
    const storage = sqlite(host)
    await storage.migrate()
    await storage.openTransaction(async (tx) => {
      await putMailer(tx)
      const joined = storage.joinTransaction(host)
      expect(() => joined.begin?.(() => undefined)).toThrow(expect.objectContaining({ code: 'unavailable' }))
    })
    expect(storage.joinTransaction(host).begin?.(() => 1)).toEqual({ result: 1, isCommitted: true })
  })
})

test('On Postgres a statement that failed and was passed over undoes the transaction, and says so', async () => {
  const { storage, add, ids } = await opened(HOSTS['a pool of pg'] ?? (() => Promise.reject(new Error())))
  await storage.openTransaction((tx) => add(tx, 'a'))
  const passedOver = storage.openTransaction(async (tx) => {
    await add(tx, 'b')
    await add(tx, 'a').catch(() => undefined)
  })
  await expect(passedOver).rejects.toMatchObject({
    code: 'storage_unusable',
    message: expect.stringContaining('has failed before'),
  })
  expect(await ids()).toEqual(['a'])
  await storage.openTransaction(async (tx) => {
    await query(tx, 'savepoint one')
    await add(tx, 'a').catch(() => query(tx, 'rollback to one'))
    await add(tx, 'c')
  })
  expect(await ids()).toEqual(['a', 'c'])
})
