import { writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { type SqliteDriver, sqlite } from '../../../adapters/sqlite/index.ts'
import { addGame, loadGames } from '../../../src/sql/games.ts'
import { loadLog } from '../../../src/sql/log.ts'
import { loadUser } from '../../../src/sql/read-user.ts'
import { readState, store } from '../../../src/testing/storage/case.ts'
import { ANN, BOB, sampleEvent } from '../../../src/testing/storage/samples.ts'
import { SQLITE_NAMES } from '../../support/migrations.ts'
import { useDatabaseFiles } from '../../support/sqlite-files.ts'

const nextFile = useDatabaseFiles()

const withCode = (code: string): Error => Object.assign(new Error('as the driver says it'), { code })

async function migrated(): Promise<string> {
  const file = nextFile()
  const storage = sqlite(file)
  await storage.migrate()
  await store(storage, ANN, { appended: [sampleEvent(1)] })
  await storage.close()
  return file
}

describe('a file that cannot be used is refused with what is wrong and how to mend it', () => {
  const unusable = (...words: string[]) => ({
    code: 'storage_unusable',
    message: expect.stringMatching(new RegExp(words.map((word) => `(?=[^]*${word})`).join(''))),
  })

  test('a file that is no database', async () => {
    const file = nextFile()
    writeFileSync(file, 'Dear diary, '.repeat(1_000))
    const refusal = unusable(file, 'not a SQLite database', 'another path')
    await expect(sqlite(file).migrate()).rejects.toMatchObject({ ...refusal, cause: expect.any(Error) })
    await expect(loadUser(sqlite(file), ANN)).rejects.toMatchObject(refusal)
  })

  test('a path whose directory does not exist', async () => {
    const file = join(dirname(nextFile()), 'nowhere', 'app.db')
    await expect(sqlite(file).migrate()).rejects.toMatchObject(unusable(file, 'directory does not exist', 'Make it'))
  })

  test('a path that is a directory', async () => {
    const refusal = unusable(dirname(nextFile()), 'is a directory: give the path of a file in it')
    await expect(sqlite(dirname(nextFile())).migrate()).rejects.toMatchObject(refusal)
  })

  test('a file that may only be read', async () => {
    const file = await migrated()
    class ReadOnly extends Database {
      constructor(path: string, options: { timeout: number }) {
        super(path, { ...options, readonly: true })
      }
    }
    const storage = sqlite(file, { driver: async () => ReadOnly })
    await expect(store(storage, ANN, { appended: [sampleEvent(2)] })).rejects.toMatchObject(
      unusable(file, 'permissions'),
    )
    await storage.close()
  })

  test('a database without the tables', async () => {
    const storage = sqlite(nextFile())
    await expect(loadUser(storage, ANN)).rejects.toMatchObject(unusable('migrate\\(\\)'))
    await expect(storage.commit([], () => [])).rejects.toMatchObject(unusable('migrate\\(\\)'))
    await storage.migrate()
    await expect(loadGames(storage)).resolves.toEqual([])
    await storage.close()
  })

  test('a driver whose SQLite is too old', async () => {
    class Old extends Database {
      override prepare(text: string): never {
        return super.prepare(text.replace('sqlite_version()', "'3.40.1'")) as never
      }
    }
    const storage = sqlite(nextFile(), { driver: async () => Old })
    const message = 'The driver has SQLite 3.40.1, which is too old: give sqlite() a driver that has 3.41 or newer.'
    const refused = expect.objectContaining({ code: 'storage_unusable', message })
    await expect(storage.migrate()).rejects.toEqual(refused)
    await expect(loadUser(storage, ANN)).rejects.toEqual(refused)
    await storage.close()
  })

  test('a database whose text is UTF-16: ids would be other bytes, and rank in another order', async () => {
    const file = nextFile()
    const host = new Database(file)
    host.exec(`pragma encoding = 'UTF-16le'; create table notes (id text primary key)`)
    host.close()
    const storage = sqlite(file)
    const refusal = unusable('UTF-16le', 'UTF-8', 'new file')
    await expect(storage.migrate()).rejects.toMatchObject(refusal)
    await expect(loadUser(storage, ANN)).rejects.toMatchObject(refusal)
    await storage.close()
  })

  test('a table of the host that refers to one of ours, which a migration may replace', async () => {
    const file = nextFile()
    const host = new Database(file)
    host.exec(
      'create table notes (id text primary key, entry text references laurels_log (entry_id) on delete cascade)',
    )
    host.close()
    const storage = sqlite(file)
    await expect(storage.migrate()).rejects.toMatchObject(unusable('notes', 'laurels_log', 'foreign key'))
    await storage.close()
  })

  test('tables made by a newer version', async () => {
    const file = await migrated()
    new Database(file).exec(`insert into laurels_migrations values ('9999-of-tomorrow', 9999)`).close()
    const refusal = unusable('newer laurels', '9999-of-tomorrow', 'upgrade this process')
    const storage = sqlite(file)
    await expect(storage.migrate()).rejects.toMatchObject(refusal)
    await expect(loadUser(storage, ANN)).rejects.toMatchObject(refusal)
    await expect(store(storage, ANN, { appended: [sampleEvent(2)] })).rejects.toMatchObject(refusal)
    await storage.close()
  })

  test('a path that is empty, as of a variable that is not set', () => {
    expect(() => sqlite('')).toThrow(`Give sqlite() the path of a file, or ':memory:'.`)
  })

  test('a driver of the host that is not there', async () => {
    const cause = withCode('ERR_MODULE_NOT_FOUND')
    const storage = sqlite(nextFile(), { driver: () => Promise.reject(cause) })
    const refusal = { ...unusable('driver given to sqlite'), cause }
    await expect(storage.migrate()).rejects.toMatchObject(refusal)
    await expect(storage.close()).resolves.toBeUndefined()
  })

  test.each([
    ['was built for another Node', withCode('ERR_DLOPEN_FAILED')],
    ['was not built at all', Object.assign(new Error('Could not locate'), { tries: ['build/better_sqlite3.node'] })],
  ])('a driver that %s; once it is there the next call succeeds', async (_, cause) => {
    let isBuilt = false
    class Unbuilt extends Database {
      constructor(path: string, options: { timeout: number }) {
        super(path, options)
        if (!isBuilt) throw cause
      }
    }
    const storage = sqlite(nextFile(), { driver: async () => Unbuilt })
    await expect(storage.migrate()).rejects.toMatchObject({ ...unusable('npm install better-sqlite3@13'), cause })
    isBuilt = true
    await expect(storage.migrate()).resolves.toMatchObject({ applied: SQLITE_NAMES })
    await storage.close()
  })
})

describe('the file', () => {
  test('keeps everything when it is opened again', async () => {
    const storage = sqlite(await migrated())
    expect(await storage.migrate()).toEqual({ applied: [] })
    expect(await loadLog(storage, ANN)).toEqual([sampleEvent(1)])
    expect((await loadUser(storage, ANN)).version).toBeGreaterThan(0)
    await storage.close()
  })

  test('is named by a path, a file URL, or a file: text, and found after the directory was changed', async () => {
    const file = await migrated()
    const local = relative(process.cwd(), file)
    const sources = [file, pathToFileURL(file), pathToFileURL(file).href, local, `file:${local}`]
    for (const source of sources) {
      const storage = sqlite(source)
      expect((await readState(storage, ANN)).seq).toBe(1)
      await storage.close()
    }
  })

  test.each([
    [{}, 2],
    [{ synchronous: 'FULL' }, 2],
    [{ synchronous: 'NORMAL' }, 1],
  ] as const)('is written with write-ahead log and, given %o, synchronous at %i', async (options, level) => {
    const opened: Database.Database[] = []
    class Watched extends Database {
      constructor(path: string, given: { timeout: number }) {
        super(path, given)
        opened.push(this)
      }
    }
    const driver = async (): Promise<SqliteDriver> => Watched
    const storage = sqlite(nextFile(), { ...options, driver })
    await storage.migrate()
    const pragmas = ['journal_mode', 'synchronous', 'wal_autocheckpoint', 'busy_timeout']
    expect(pragmas.map((name) => opened[0]?.pragma(name, { simple: true }))).toEqual(['wal', level, 4_000, 20])
    await storage.close()
    expect(opened.map(({ open }) => open)).toEqual([false])
  })

  test('can be queried by the host', async () => {
    const file = nextFile()
    const storage = sqlite(file)
    await storage.migrate()
    await store(storage, ANN, {
      appended: [sampleEvent(1, { value: 750, attributes: new Map([['source', 'web']]) })],
      state: {
        profile: {
          email: 'ann@example.com',
          name: null,
          tz: 'Europe/London',
          subscribedToEmails: true,
          deviceTokens: null,
          signUpDate: 18_000,
          attributes: new Map([['plan', 'pro']]),
        },
      },
      periods: { put: [{ start: 20_513, length: 4, kind: 'counted' }], remove: [] },
    })
    await storage.close()

    const host = new Database(file)
    const ofUser = `select user_id, email, subscribed_to_emails, attributes ->> 'plan' as plan from laurels_users`
    expect(host.prepare(ofUser).all()).toEqual([
      { user_id: 'ann', email: 'ann@example.com', subscribed_to_emails: 1, plan: 'pro' },
    ])
    const ofLog = `select local_date, local_time, zone, metric, value, data ->> 'source' as source from laurels_view_log`
    expect(host.prepare(ofLog).all()).toEqual([
      {
        local_date: '2026-03-01',
        local_time: '12:00:00.000',
        zone: 'Europe/London',
        metric: 'words',
        value: 750,
        source: 'web',
      },
    ])
    expect(host.prepare('select start_date, length from laurels_streak_periods').all()).toEqual([
      { start_date: '2026-03-01', length: 4 },
    ])
    const tables = `select name from pragma_table_list where schema = 'main' and name like 'laurels%' and strict and wr`
    // Only messages have a rowid: their numbers never come again.
    expect(host.prepare(tables).pluck().all()).toHaveLength(24)
    host.close()
  })

  test('that is full rejects with storage_full, and nothing is stored', async () => {
    const host = new Database(':memory:')
    const storage = sqlite(host)
    await storage.migrate()
    await store(storage, ANN, { appended: [sampleEvent(1)] })
    const pages = host.pragma('page_count', { simple: true })
    host.pragma(`max_page_count = ${pages}`)

    const long = sampleEvent(2, { attributes: new Map([['text', 'x'.repeat(20_000)]]) })
    await expect(store(storage, ANN, { appended: [long] })).rejects.toMatchObject({
      code: 'storage_full',
      cause: { code: 'SQLITE_FULL' },
    })
    expect(host.inTransaction).toBe(false)
    expect(await loadLog(storage, ANN)).toEqual([sampleEvent(1)])
    host.pragma('max_page_count = 100000')
    await store(storage, ANN, { appended: [long] })
    expect(await loadLog(storage, ANN)).toEqual([sampleEvent(1), long])
  })
})

describe('two storages on one file', () => {
  test('write by turns and see what the other wrote', async () => {
    const file = await migrated()
    const storages = [sqlite(file), sqlite(file)] as const
    for (const seq of [2, 3, 4, 5]) {
      const storage = storages[seq % 2]
      if (storage) await store(storage, ANN, { appended: [sampleEvent(seq)] })
    }
    for (const storage of storages) expect((await readState(storage, ANN)).seq).toBe(5)
    await expect(loadUser(storages[0], BOB)).resolves.toMatchObject({ state: null })
    await Promise.all(storages.map((storage) => storage.close()))
  })
})

test('a commit gets the newest epoch, also after another connection has added a game', async () => {
  const file = nextFile()
  const [one, other] = [sqlite(file), sqlite(file)]
  const game = { fingerprint: 'a', definition: '{}', policy: 'forward', cause: 'apply', createdAt: 0 } as const
  const epochs: number[] = []
  const commit = () =>
    one.commit([{ ...ANN, lookups: [] }], (_, epoch) => {
      epochs.push(epoch)
      return [null]
    })
  await one.migrate()
  await commit()
  await addGame(other, { ...game, epoch: 1 })
  await commit()
  await addGame(one, { ...game, epoch: 2 })
  await commit()
  expect(epochs).toEqual([0, 1, 2])
  await one.close()
  await other.close()
})
