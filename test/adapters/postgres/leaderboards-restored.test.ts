// The database is brought back to an earlier moment under processes that go on, and remember the users they wrote.

import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { createGamification, type DefinedGame, type Gamification, type Storage } from '../../../src/index.ts'
import { checkFold } from '../../support/check-fold.ts'
import { NOON } from '../../support/engine.ts'
import { times } from '../../support/places.ts'
import { databaseUrl, useSchemas } from '../../support/postgres.ts'
import { copyAside } from './copy-aside.ts'
import { readCounts } from './leaderboards-counts.ts'
import { boardsGame } from './leaderboards-game.ts'
import { expectSumsOfLog } from './leaderboards-log.ts'

const nextSchema = useSchemas()

interface World {
  readonly storage: Storage
  open(): Promise<Gamification<DefinedGame>>
  /** Takes every table aside; what it returns puts them back. */
  copyAside(): Promise<() => Promise<void>>
  check(): Promise<void>
}

async function useWorld(): Promise<World> {
  const [schema, aside] = [nextSchema(), nextSchema()]
  const pool = new pg.Pool({ connectionString: databaseUrl(), max: 2 })
  const storage = postgres(databaseUrl(), { schema })
  onTestFinished(async () => {
    await storage.close()
    await pool.end()
  })
  const open: World['open'] = async () => {
    const own = postgres(databaseUrl(), { schema })
    const clock = () => new Date(NOON)
    const engine = createGamification<DefinedGame>({ game: boardsGame, storage: own, clock })
    onTestFinished(() => engine.close())
    await engine.migrate()
    await engine.streaks.list([])
    return engine
  }
  return {
    storage,
    open,
    copyAside: () => copyAside((text, values) => pool.query(text, values).then(({ rows }) => rows), schema, aside),
    check: async () => {
      const { faults } = await readCounts(async (text) => (await pool.query(text)).rows, schema)
      expect(faults).toEqual([])
      await expectSumsOfLog(storage)
      await checkFold(storage)
    },
  }
}

type Engine = Gamification<DefinedGame>

/** Ann's total after so many events of this process. */
async function write({ metrics }: Engine, count: number, value: number): Promise<number> {
  let total = 0
  for (let n = 0; n < count; n += 1) total = (await metrics.event('words', { user: { id: 'ann' }, value })).total
  return total
}

test('a process that has written before that moment begins anew with what is there', async () => {
  const world = await useWorld()
  const [here, there] = [await world.open(), await world.open()]
  await write(there, 1, 1)
  expect(await write(here, 1, 1)).toBe(2)
  const restore = await world.copyAside()
  expect(await write(here, 3, 100)).toBe(302)
  await restore()
  // As many events as were lost: her version is again the one that the other process remembers.
  expect(await write(there, 3, 1)).toBe(5)
  // What it finds out by the save of somebody else holds for her.
  await here.metrics.event('words', { user: { id: 'bob' }, value: 1 })
  expect(await write(here, 1, 1)).toBe(6)
  expect(await write(there, 1, 1)).toBe(7)
  await world.check()
})

test('users that were made after that moment are made again', async () => {
  const world = await useWorld()
  const engine = await world.open()
  await write(engine, 1, 1)
  const restore = await world.copyAside()
  const users = times(100, (n) => ({ id: `user ${n}` }))
  for (const value of [5, 7]) {
    await Promise.all(users.map((user) => engine.metrics.event('words', { user, value })))
  }
  await restore()
  const answers = await Promise.all(users.map((user) => engine.metrics.event('words', { user, value: 3 })))
  expect(answers.map(({ total }) => total)).toEqual(users.map(() => 3))
  expect(await write(engine, 1, 1)).toBe(2)
  await world.check()
})

test('a process that has not written before that moment begins anew with what is there', async () => {
  const world = await useWorld()
  const [here, there] = [await world.open(), await world.open()]
  const restore = await world.copyAside()
  expect(await write(here, 3, 100)).toBe(300)
  await restore()
  expect(await write(there, 3, 1)).toBe(3)
  expect(await write(here, 1, 1)).toBe(4)
  await world.check()
})
