// @heavy: It takes more than three seconds.

import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { DefinedGame } from '../../src/game/define-game.ts'
import { createGamification, defineGame, type Gamification, type Storage } from '../../src/index.ts'
import { compiled, runCompiled } from '../support/compiled.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { GAME } from './game.ts'
import { openSqliteWorld, thrownBy } from './sqlite-world.ts'

const nextFile = useDatabaseFiles()
const event = (id: string, value: number) => ['words', { user: { id }, value }] as const
const unusable = { name: 'GamificationError', code: 'storage_unusable' }
const unavailable = { name: 'GamificationError', code: 'unavailable' }

function open(file: string, options: Database.Options = {}): Database.Database {
  const database = new Database(file, { timeout: 50, ...options })
  onTestFinished(() => void database.close())
  return database
}

function engineOn(storage: Storage): Gamification<DefinedGame> {
  const engine = createGamification<DefinedGame>({ game: defineGame(GAME), storage })
  onTestFinished(() => engine.close())
  return engine
}

describe('a database that cannot be used is refused, and nothing is called', () => {
  test('another file', async () => {
    const { engine, dump } = await openSqliteWorld(nextFile())
    const before = dump()
    const other = open(nextFile())
    expect(thrownBy(() => engine.within(other, () => expect.fail()))).toMatchObject(unusable)
    expect(other.prepare('select count(*) from sqlite_schema').pluck().get()).toBe(0)
    expect(dump()).toEqual(before)
  })

  test.each([
    [':memory:', ':memory:'],
    ['a temporary one', ''],
  ])('%s beside a file', async (_, name) => {
    const { engine } = await openSqliteWorld(nextFile())
    expect(thrownBy(() => engine.within(open(name), () => expect.fail()))).toMatchObject(unusable)
  })

  test(':memory: beside another :memory:', async () => {
    const engine = engineOn(sqlite(':memory:'))
    await engine.migrate()
    expect(thrownBy(() => engine.within(open(':memory:'), () => expect.fail()))).toMatchObject(unusable)
    const { engine: shared } = await openSqliteWorld(':memory:')
    expect(thrownBy(() => shared.within(open(':memory:'), () => expect.fail()))).toMatchObject(unusable)
  })

  test('a file that was not migrated', async () => {
    const file = nextFile()
    const engine = engineOn(sqlite(file))
    const database = open(file)
    expect(thrownBy(() => engine.within(database, () => expect.fail()))).toMatchObject(unusable)
    // It is used as soon as it exists.
    await engine.migrate()
    expect(engine.within(database, (g) => g.metrics.event(...event('ann', 1)).total)).toBe(1)
  })
})

describe('a database is the same', () => {
  test('by whatever path it was given', async () => {
    const { engine, file } = await openSqliteWorld(nextFile())
    const from = relative(process.cwd(), file)
    expect(engine.within(open(from), (g) => g.metrics.event(...event('ann', 1)).total)).toBe(1)
    expect(
      engineOn(sqlite(pathToFileURL(file))).within(open(file), (g) => g.metrics.event(...event('ann', 1)).total),
    ).toBe(2)
    expect(engineOn(sqlite(from)).within(open(file), (g) => g.metrics.event(...event('ann', 1)).total)).toBe(3)
  })
})

describe('others that write', () => {
  test('cannot while it runs: it has begun with BEGIN IMMEDIATE', async () => {
    const { engine, db, file } = await openSqliteWorld(nextFile())
    const other = open(file, { timeout: 0 })
    const held = thrownBy(() =>
      engine.within(db, () => {
        other.exec('begin immediate')
      }),
    )
    expect(held).toMatchObject({ code: 'SQLITE_BUSY' })
    other.exec('begin immediate')
    other.exec('rollback')
  })

  test('make a call in a plain BEGIN that has read before unavailable for good', async () => {
    const { engine, db, file, dump } = await openSqliteWorld(nextFile())
    const other = open(file)
    db.exec('begin')
    db.prepare('select count(*) from orders').get()
    other.exec(`insert into orders values ('another')`)
    const before = dump()
    for (let tries = 0; tries < 2; tries += 1) {
      const thrown = thrownBy(() => engine.within(db, (g) => g.metrics.event(...event('ann', 1))))
      expect(thrown).toMatchObject({ ...unavailable, message: expect.stringContaining('BEGIN IMMEDIATE') })
    }
    db.exec('rollback')
    expect(dump()).toEqual(before)
    expect(engine.within(db, (g) => g.metrics.event(...event('ann', 1)).total)).toBe(1)
  })

  test('in processes of their own count beside it, and nothing is lost', async () => {
    const { engine, db, file } = await openSqliteWorld(nextFile())
    db.pragma('busy_timeout = 5000')
    compiled()
    const script = `
      import { createGamification, defineGame } from './src/index.js'
      import { sqlite } from './adapters/sqlite/index.js'
      const engine = createGamification({ game: defineGame(${JSON.stringify(GAME)}), storage: sqlite(process.argv[1]) })
      for (let i = 0; i < 100; i += 1) await engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })
      await engine.close()`
    const other = runCompiled(script, file)
    let isOver = false
    other.finally(() => {
      isOver = true
    })
    let own = 0
    while (!isOver) {
      engine.within(db, (g) => g.metrics.event(...event('ann', 1)))
      own += 1
      await engine.metrics.event(...event('ann', 1))
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    await other
    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(100 + 2 * own)
  })
})

test("a COMMIT that the host's own constraints refuse undoes all of it, with the error of the driver", async () => {
  const { engine, db, dump } = await openSqliteWorld(nextFile())
  db.pragma('foreign_keys = on')
  db.exec('create table items (note text references orders (note) deferrable initially deferred)')
  const before = dump()
  const thrown = thrownBy(() =>
    engine.within(db, (g) => {
      g.metrics.event(...event('ann', 1))
      db.exec(`insert into items values ('nothing')`)
    }),
  )
  expect(thrown).toMatchObject({ code: 'SQLITE_CONSTRAINT_FOREIGNKEY' })
  expect(db.inTransaction).toBe(false)
  expect(dump()).toEqual(before)
})
