// @heavy: It takes more than three seconds.

import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { beforeAll, describe, expect, test } from 'vitest'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { findKey } from '../../../src/sql/api-keys.ts'
import { loadLog } from '../../../src/sql/log.ts'
import { loadCounters } from '../../../src/sql/queries.ts'
import { loadUser } from '../../../src/sql/read-user.ts'
import { loadUserKeys } from '../../../src/sql/user-lists.ts'
import { readState, store } from '../../../src/testing/storage/case.ts'
import { ANN, BOB, eventOf, sampleEvent } from '../../../src/testing/storage/samples.ts'
import { limit } from '../../support/busy-machine.ts'
import { compiled, runCompiled } from '../../support/compiled.ts'
import { SQLITE_NAMES } from '../../support/migrations.ts'
import { useDatabaseFiles } from '../../support/sqlite-files.ts'

const nextFile = useDatabaseFiles()

/** The longest time in which nothing else could run, in milliseconds, while `work` was under way. */
async function longestStall(work: Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  await work
  clearInterval(timer)
  return Math.max(longest, performance.now() - last)
}

describe('a database that somebody else holds', () => {
  test('is waited for, then unavailable; the event loop goes on, and nothing is stored', async () => {
    const file = nextFile()
    const storage = sqlite(file, { busyDeadlineMs: 600 })
    await storage.migrate()
    const other = new Database(file)
    other.exec('begin immediate')

    const began = performance.now()
    const writes = Array.from({ length: 20 }, (_, index) =>
      store(storage, { tenant: '', user: `user-${index}` }, { appended: [sampleEvent(1)] }),
    )
    const settled = Promise.allSettled(writes)
    expect(await longestStall(settled)).toBeLessThan(150)
    const took = performance.now() - began
    expect(took).toBeGreaterThan(590)
    expect(took).toBeLessThan(limit(1_500))
    for (const outcome of await settled) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
    }

    expect(await loadUserKeys(storage)).toEqual([])
    other.exec('rollback')
    await store(storage, ANN, { appended: [sampleEvent(1)] })
    expect((await readState(storage, ANN)).seq).toBe(1)
    other.close()
    await storage.close()
  })

  test('is written as soon as it is free', async () => {
    const file = nextFile()
    const storage = sqlite(file)
    await storage.migrate()
    const other = new Database(file)
    other.exec('begin immediate')
    const writes = [ANN, BOB].map((key) => store(storage, key, { appended: [eventOf(key, 1)] }))
    expect((await loadUser(storage, ANN)).state).toBe(null)
    await sleep(200)
    other.exec('commit')
    await Promise.all(writes)
    expect(await loadUserKeys(storage)).toEqual([ANN, BOB])
    other.close()
    await storage.close()
  })
})

describe("the host's own database in a file", () => {
  test('gets a second connection: a transaction of the host is neither joined nor broken', async () => {
    const host = new Database(nextFile())
    host.exec('create table orders (id integer)')
    const storage = sqlite(host, { busyDeadlineMs: 5_000 })
    await storage.migrate()

    host.exec('begin; insert into orders values (1)')
    const write = store(storage, ANN, { appended: [sampleEvent(1)] })
    await sleep(60)
    expect(host.inTransaction).toBe(true)
    expect((await loadUser(storage, ANN)).state).toBe(null)
    host.exec('rollback')
    await write
    expect(host.prepare('select count(*) from orders').pluck().get()).toBe(0)
    expect(host.prepare('select user_id from laurels_users').pluck().all()).toEqual(['ann'])

    await storage.close()
    expect(host.open).toBe(true)
    host.close()
  })
})

describe("the host's own database in memory", () => {
  test('is used between the transactions of the host, and stays open', async () => {
    const host = new Database(':memory:')
    host.exec('create table orders (id integer)')
    const storage = sqlite(host)
    await storage.migrate()

    host.exec('begin; insert into orders values (1)')
    const calls = [store(storage, ANN, { appended: [sampleEvent(1)] }), loadUser(storage, BOB)]
    await sleep(60)
    expect(host.prepare('select count(*) from laurels_users').pluck().get()).toBe(0)
    host.exec('rollback')
    await Promise.all(calls)
    expect(host.prepare('select count(*) from orders').pluck().get()).toBe(0)
    expect(host.prepare('select user_id from laurels_users').pluck().all()).toEqual(['ann'])

    await storage.close()
    expect(host.open).toBe(true)
    await expect(loadUser(storage, ANN)).rejects.toMatchObject({ code: 'closed' })
  })

  test('is unavailable while a transaction of the host goes on', async () => {
    const host = new Database(':memory:')
    const storage = sqlite(host, { busyDeadlineMs: 50 })
    await storage.migrate()
    expect(await findKey(storage, 'prefix-a')).toBe(null)
    host.exec('begin')
    await expect(loadUser(storage, ANN)).rejects.toMatchObject({ code: 'unavailable' })
    await expect(findKey(storage, 'prefix-a')).rejects.toMatchObject({ code: 'unavailable' })
    host.exec('commit')
    await store(storage, ANN, { appended: [sampleEvent(1)] })
    expect((await readState(storage, ANN)).seq).toBe(1)
  })

  test('while the host walks through rows it is unavailable on better-sqlite3; node:sqlite lets others write', async () => {
    const host = new Database(':memory:')
    const storage = sqlite(host, { busyDeadlineMs: 50 })
    await storage.migrate()
    const rows = host.prepare('select 1 union select 2').iterate()
    rows.next()
    const first = store(storage, ANN, { appended: [sampleEvent(1)] })
    if (process.env.LAURELS_TEST_SQLITE === 'node') {
      await first
      return
    }
    await expect(first).rejects.toMatchObject({ code: 'unavailable' })
    rows.return?.()
    await store(storage, ANN, { appended: [sampleEvent(1)] })
    expect((await readState(storage, ANN)).seq).toBe(1)
  })

  test('may ask for BigInt without our getting any', async () => {
    const host = new Database(':memory:').defaultSafeIntegers()
    const storage = sqlite(host)
    await storage.migrate()
    await store(storage, ANN, { appended: [sampleEvent(1)], counted: [{ kind: 'users', key: '', by: 1 }] })
    expect(await loadLog(storage, ANN)).toEqual([sampleEvent(1)])
    expect(await loadCounters(storage, '')).toEqual([{ kind: 'users', key: '', count: 1 }])
  })

  test('that the host has closed is unusable', async () => {
    const host = new Database(':memory:')
    const storage = sqlite(host)
    await storage.migrate()
    host.close()
    await expect(loadUser(storage, ANN)).rejects.toMatchObject({ code: 'storage_unusable' })
  })
})

describe('several processes', () => {
  beforeAll(() => void compiled(), 60_000)

  test('eight that migrate an empty file at once: one does, seven find it done', async () => {
    const file = nextFile()
    const script = `
      import { sqlite } from './adapters/sqlite/index.js'
      const storage = sqlite(process.argv[1])
      console.log(JSON.stringify(await storage.migrate()))
      await storage.close()`
    const runs = await Promise.all(Array.from({ length: 8 }, () => runCompiled(script, file)))
    const applied: unknown[] = runs.map(({ stdout }) => JSON.parse(stdout).applied)
    expect(applied.filter((names) => Array.isArray(names) && names.length === 0)).toHaveLength(7)
    expect(applied).toContainEqual(SQLITE_NAMES)
  }, 60_000)

  test('four that write one user at once lose nothing', async () => {
    const file = nextFile()
    const storage = sqlite(file)
    await storage.migrate()
    const script = `
      import { sqlite } from './adapters/sqlite/index.js'
      import { saveOf } from './src/testing/storage/case.js'
      import { sampleEvent } from './src/testing/storage/samples.js'
      const storage = sqlite(process.argv[1], { synchronous: 'NORMAL' })
      await Promise.all(Array.from({ length: 100 }, () =>
        storage.commit([{ tenant: '', user: 'ann', lookups: [] }], ([user]) => {
          const seq = (user.state?.seq ?? 0) + 1
          return [saveOf(user, { appended: [sampleEvent(seq)], counted: [{ kind: 'users', key: '', by: 1 }] })]
        })))
      await storage.close()`
    await Promise.all(Array.from({ length: 4 }, () => runCompiled(script, file)))
    expect((await readState(storage, ANN)).seq).toBe(400)
    expect((await loadLog(storage, ANN)).map(({ seq }) => seq)).toEqual(Array.from({ length: 400 }, (_, i) => i + 1))
    expect(await loadCounters(storage, '')).toEqual([{ kind: 'users', key: '', count: 400 }])
    await storage.close()
  }, 60_000)
})
