// @heavy: It takes more than three seconds.

import { DatabaseSync } from 'node:sqlite'
import { runInNewContext } from 'node:vm'
import Libsql from 'libsql'
import PromisingLibsql from 'libsql/promise'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type DriverSources, type DriverVersions, loadDriver } from '../../../adapters/sqlite/drivers/load.ts'
import { toSqliteError } from '../../../adapters/sqlite/errors.ts'
import { type SqliteDatabase, type SqliteDriver, type SqliteSource, sqlite } from '../../../adapters/sqlite/index.ts'
import { createGamification, type DefinedGame, defineGame, type Gamification } from '../../../src/index.ts'
import { useDatabaseFiles } from '../../support/sqlite-files.ts'

const nextFile = useDatabaseFiles()
const game = defineGame({ metrics: { words: { name: 'Words' } } })
const one = { user: { id: 'ann' }, value: 1 }

const NODE_24 = { node: '24.21.0', napi: '10' }

const missing = (): Promise<never> =>
  Promise.reject(Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' }))

/** Which driver is loaded, and whether better-sqlite3 was touched for it. */
async function choose(installed: string | null, versions: DriverVersions, others: Partial<DriverSources> = {}) {
  const loaded: string[] = []
  const load = (name: string) => (): SqliteDriver => {
    loaded.push(name)
    return DatabaseSync as unknown as SqliteDriver
  }
  const given: DriverSources = {
    betterSqlite3: async () => load('better-sqlite3')(),
    versionOfBetterSqlite3: installed === null ? missing : async () => installed,
    nodeSqlite: load('node:sqlite'),
    bunSqlite: load('bun:sqlite'),
    ...others,
  }
  const refusal = await loadDriver(given, versions).then(
    () => null,
    ({ code, message }) => `${code}: ${message}`,
  )
  return { loaded, refusal }
}

describe('A path is opened with', () => {
  test.each<[string, string | null, DriverVersions]>([
    ['better-sqlite3', '13.2.0', NODE_24],
    ['better-sqlite3', '13.2.0', { node: '26.10.0', napi: '10' }],
    ['better-sqlite3', '12.11.1', { node: '24.18.0', napi: '10' }],
    ['better-sqlite3', '12.11.1', { node: '22.23.3', napi: '10' }],
    ['node:sqlite', null, NODE_24],
    ['node:sqlite', null, { node: '22.13.0', napi: '9' }],
    ['bun:sqlite', '13.2.0', { node: '24.3.0', napi: '10', bun: '1.4.5' }],
    ['bun:sqlite', null, { node: '24.3.0', napi: '10', bun: '1.4.5' }],
    ['node:sqlite', '13.2.0', { ...NODE_24, deno: '2.9.6' }],
    ['node:sqlite', null, { ...NODE_24, deno: '2.9.6' }],
  ])('%s, where better-sqlite3 is %j, by %j', async (driver, installed, versions) => {
    expect(await choose(installed, versions)).toEqual({ loaded: [driver], refusal: null })
  })
})

test('On a Deno without SQLite the message says to update Deno, or to use Postgres', async () => {
  const { refusal } = await choose(null, { ...NODE_24, deno: '2.1.14' }, { nodeSqlite: () => undefined })
  expect(refusal).toBe(
    'storage_unusable: sqlite() and memory() need Deno 2.2 or newer, and this is 2.1.14. Update Deno, or use postgres().',
  )
})

describe('Where a test runner has globals of its own, as Jest does,', () => {
  /** An error that is no instance of the `Error` of this file. */
  const foreign = (fields: object): unknown =>
    runInNewContext("Object.assign(new Error('of elsewhere'), fields)", { fields })

  test.each(['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND'])('%s still leads to node:sqlite', async (code) => {
    const versionOfBetterSqlite3 = () => Promise.reject(foreign({ code }))
    expect(await choose('none', NODE_24, { versionOfBetterSqlite3 })).toEqual({
      loaded: ['node:sqlite'],
      refusal: null,
    })
  })

  test.each([
    [{ code: 'ERR_SQLITE_ERROR', errcode: 5 }, 'unavailable'],
    [{ code: 'ERR_SQLITE_ERROR', errcode: 13 }, 'storage_full'],
    [{ code: 'SQLITE_NOTADB' }, 'storage_unusable'],
    [{ code: 'ERR_DLOPEN_FAILED' }, 'storage_unusable'],
  ])('errors with %j still say %s', (fields, code) => {
    expect(toSqliteError('app.db', foreign(fields)).code).toBe(code)
  })
})

describe('What would take the process down is refused before its binary is loaded', () => {
  test.each(['24.19.0', '24.21.0', '25.0.0', '26.10.0'])('better-sqlite3 12 on Node %s', async (node) => {
    expect(await choose('12.11.1', { node, napi: '10' })).toEqual({
      loaded: [],
      refusal: `storage_unusable: better-sqlite3 12.11.1 crashes on Node ${node}. Install 13: npm install better-sqlite3@13`,
    })
  })

  test.each(['20.20.2', '22.13.0'])('better-sqlite3 13 on Node %s', async (node) => {
    const { loaded, refusal } = await choose('13.2.0', { node, napi: '9' })
    expect(loaded).toEqual([])
    expect(refusal).toBe(
      `storage_unusable: better-sqlite3 13.2.0 crashes on Node ${node}: it needs 22.14 or newer. Update Node, or remove the ` +
        'package (npm uninstall better-sqlite3): from Node 22.13 on, node:sqlite is taken in its place.',
    )
  })
})

test('On a Node that is too old the message says to update Node, and names no package', async () => {
  const { refusal } = await choose(null, { node: '20.20.2', napi: '9' }, { nodeSqlite: () => undefined })
  expect(refusal).toBe('storage_unusable: laurels needs Node 22.13 or newer, and this is 20.20.2. Update Node.')
})

/** Opened by the host, and closed after the test. */
function opened<D extends SqliteDatabase>(database: D): D {
  onTestFinished(() => {
    try {
      database.close()
    } catch {
      // The test has closed it.
    }
  })
  return database
}

async function createOn(source: SqliteSource, driver?: SqliteDriver): Promise<Gamification<DefinedGame>> {
  const storage = sqlite(source, {
    synchronous: 'NORMAL',
    busyDeadlineMs: 300,
    ...(driver && { driver: async () => driver }),
  })
  const engine = createGamification<DefinedGame>({ game, storage })
  onTestFinished(() => engine.close())
  await engine.migrate()
  return engine
}

/** As a Node before 22.15 has it. */
function openOld(file: string): DatabaseSync {
  return new Proxy(new DatabaseSync(file), {
    get: (database, name) => {
      if (name === 'isOpen' || name === 'isTransaction') return undefined
      const value: unknown = Reflect.get(database, name, database)
      return typeof value === 'function' ? value.bind(database) : value
    },
  })
}

const HOSTS: Record<string, (file: string) => SqliteDatabase & { exec(text: string): unknown }> = {
  'node:sqlite': (file) => new DatabaseSync(file),
  'node:sqlite of an older Node': openOld,
  'node:sqlite that was asked for BigInt': (file) => new DatabaseSync(file, { readBigInts: true }),
  'node:sqlite that was asked for arrays': (file) => new DatabaseSync(file, { returnArrays: true }),
  libsql: (file) => new Libsql(file),
}

describe.each(Object.entries(HOSTS))("A host's database of %s", (_, open) => {
  test.each(['in a file', 'in memory'])('%s is used, and stays open', async (where) => {
    const db = opened(open(where === 'in memory' ? ':memory:' : nextFile()))
    const engine = await createOn(db)
    expect(await engine.metrics.event('words', one)).toMatchObject({ total: 1 })
    expect(
      await engine.users.metricEventSummary('ann', 'words', {
        aggregation: 'daily',
        startDate: '2020-01-01',
        endDate: '2020-01-02',
      }),
    ).toHaveLength(2)
    await engine.close()
    db.exec('create table still_open (id)')
  })

  test.each(['in a file', 'in memory'])('%s: calls within its transactions are of them', async (where) => {
    const db = opened(open(where === 'in memory' ? ':memory:' : nextFile()))
    const engine = await createOn(db)
    // Its own transaction, kept and undone.
    expect(engine.within(db, (g) => g.metrics.event('words', one).total)).toBe(1)
    const failure = new Error('no')
    expect(() =>
      engine.within(db, (g) => {
        g.metrics.event('words', one)
        throw failure
      }),
    ).toThrow(failure)
    // The host's.
    db.exec('begin immediate')
    expect(engine.within(db, (g) => g.metrics.event('words', one).total)).toBe(2)
    db.exec('rollback')
    db.exec('begin immediate')
    engine.within(db, (g) => g.metrics.event('words', { ...one, value: 10 }))
    db.exec('commit')
    expect(await engine.metrics.event('words', one)).toMatchObject({ total: 12 })
    expect(await engine.verify()).toMatchObject({ drift: [] })
  })

  test('that holds the file is waited for, and nothing is stored when it holds it too long', async () => {
    const db = opened(open(nextFile()))
    const engine = await createOn(db)
    db.exec('begin immediate')
    await expect(engine.metrics.event('words', one)).rejects.toMatchObject({ code: 'unavailable' })
    db.exec('rollback')
    expect(await engine.metrics.event('words', one)).toMatchObject({ total: 1 })
  })

  test('that is closed is refused', async () => {
    const file = nextFile()
    const engine = await createOn(opened(open(file)))
    const db = open(file)
    db.close()
    const refusal = expect.objectContaining({ code: 'storage_unusable', message: 'The host has closed the database.' })
    expect(() => engine.within(db, () => 1)).toThrow(refusal)
    expect(() => sqlite(db)).toThrow(refusal)
  })
})

describe('Two drivers never have one file open in one process', () => {
  const refusal = expect.objectContaining({ message: expect.stringContaining("undo each other's locks") })

  test('within() refuses a database of another driver than the one that is in use', async () => {
    const file = nextFile()
    const engine = await createOn(file, DatabaseSync as unknown as SqliteDriver)
    await engine.metrics.event('words', one)
    // Closed at once, so that the test does not do what it is about.
    const other = opened(new Libsql(nextFile()))
    Object.defineProperty(other, 'prepare', { value: () => ({ all: () => [{ name: 'main', file }], get: () => ({}) }) })
    expect(() => engine.within(other, () => 1)).toThrow(refusal)
    expect(engine.within(opened(new DatabaseSync(file)), (g) => g.metrics.event('words', one).total)).toBe(2)
  })

  test('a path is opened with the driver of the database that came to within() first', async () => {
    const file = nextFile()
    await (await createOn(opened(new Libsql(file)))).close()
    const engine = createGamification<DefinedGame>({ game, storage: sqlite(file) })
    onTestFinished(() => engine.close())
    const db = opened(new Libsql(file))
    expect(engine.within(db, (g) => g.metrics.event('words', one).total)).toBe(1)
    expect(await engine.metrics.event('words', one)).toMatchObject({ total: 2 })
    expect(engine.within(db, (g) => g.metrics.event('words', one).total)).toBe(3)
    const stranger = opened(new DatabaseSync(':memory:'))
    Object.defineProperty(stranger, 'prepare', {
      value: () => ({ all: () => [{ name: 'main', file }], setReadBigInts: () => undefined }),
    })
    expect(() => engine.within(stranger, () => 1)).toThrow(refusal)
  })

  test('beside a database of a class that the host derived, its driver opens the file', async () => {
    let made = 0
    class Own extends DatabaseSync {
      constructor() {
        super(file)
        made += 1
      }
    }
    const file = nextFile()
    const engine = await createOn(opened(new Own()))
    expect(await engine.metrics.event('words', one)).toMatchObject({ total: 1 })
    expect(made).toBe(1)
  })
})

test('A database that answers with promises is refused', () => {
  const db = opened(new PromisingLibsql(nextFile(), {}) as unknown as SqliteDatabase)
  expect(() => sqlite(db)).toThrow(/answers with promises\. Use one with synchronous calls/)
})
