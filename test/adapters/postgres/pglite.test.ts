// @heavy: It starts PGlite.
// PGlite, the host's own: one connection, in this process, that the host uses too.

import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { fromDrizzle, fromPg, type PostgresOptions, postgres } from '../../../adapters/postgres/index.ts'
import { pgliteSessions } from '../../../adapters/postgres/session.ts'
import { createGamification, type DefinedGame, defineGame, type Gamification } from '../../../src/index.ts'
import { times } from '../../support/places.ts'

const game = defineGame({ metrics: { words: { name: 'Words' } } })
const one = { user: { id: 'ann' }, value: 1 }

function createOn(pglite: PGlite, options: PostgresOptions): Gamification<DefinedGame> {
  const storage = postgres(pglite, options)
  const engine = createGamification<DefinedGame>({ game, storage })
  onTestFinished(() => engine.close())
  return engine
}

// To start one takes seconds.
const shared = new PGlite()
afterAll(() => shared.close())
let schemas = 0

async function opened() {
  schemas += 1
  const schema = `game_${schemas}`
  const engine = createOn(shared, { schema })
  await engine.migrate()
  return { pglite: shared, schema, engine }
}

test('The time in which it starts is no part of a deadline; one that the host has closed is told at once', async () => {
  const pglite = new PGlite()
  const engine = createOn(pglite, { deadlineMs: 4_000 })
  // Slower than the deadline, on any machine.
  const started = pglite.waitReady
  Object.defineProperty(pglite, 'waitReady', {
    value: started.then(() => new Promise((resolve) => setTimeout(resolve, 4_500))),
  })
  await engine.migrate()
  expect(await engine.metrics.event('words', one)).toMatchObject({ total: 1 })
  await pglite.close()
  await expect(engine.metrics.event('words', one)).rejects.toMatchObject({
    code: 'storage_unusable',
    message: 'The host has closed the PGlite.',
  })
}, 120_000)

test('Calls at once are each counted once, and what the host asks meanwhile is its own', async () => {
  const { pglite, engine } = await opened()
  await pglite.exec('create table notes (note int)')
  const calls = times(60, (index) => engine.metrics.event('words', { user: { id: `user-${index % 7}` }, value: 1 }))
  const notes = times(20, (index) => pglite.query('insert into notes values ($1)', [index]))
  const undone = pglite.transaction(async (transaction) => {
    await transaction.query('insert into notes values (100)')
    await transaction.rollback()
  })
  await Promise.all([...calls, ...notes, undone])
  expect((await pglite.query('select count(*)::int as count from notes')).rows).toEqual([{ count: 20 }])
  const totals = await Promise.all(times(7, (index) => engine.users.singleMetric(`user-${index}`, 'words')))
  expect(totals.reduce((sum, { current }) => sum + current, 0)).toBe(60)
  expect(await engine.verify()).toMatchObject({ drift: [] })
})

describe('Calls within a transaction of the host', () => {
  test('are undone with it', async () => {
    const { pglite, engine } = await opened()
    const undone = pglite.transaction(async (transaction) => {
      expect(await engine.metrics.event('words', one, { tx: fromPg(transaction) })).toMatchObject({ total: 1 })
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    await expect(engine.users.get('ann')).rejects.toMatchObject({ code: 'unknown_user' })
  })

  test('are stored with it', async () => {
    const { pglite, engine } = await opened()
    const told: number[] = []
    await pglite.transaction(async (transaction) => {
      told.push((await engine.metrics.event('words', one, { tx: fromPg(transaction) })).total)
    })
    told.push((await engine.metrics.event('words', one)).total)
    expect(told).toEqual([1, 2])
  })

  test('of Drizzle are stored with it, and undone', async () => {
    const { pglite, engine } = await opened()
    const db = drizzle(pglite)
    await db.transaction((tx) => engine.metrics.event('words', one, { tx: fromDrizzle(tx) }))
    const undone = db.transaction(async (tx) => {
      expect(await engine.metrics.event('words', one, { tx: fromDrizzle(tx) })).toMatchObject({ total: 2 })
      tx.rollback()
    })
    await expect(undone).rejects.toThrow('Rollback')
    expect(await engine.metrics.event('words', one)).toMatchObject({ total: 2 })
  })
})

test('Events that arrive late, and a rebuild, which read and write in one transaction', async () => {
  const { engine } = await opened()
  await engine.metrics.event('words', { ...one, value: 5 })
  const occurredAt = new Date(Date.now() - 86_400_000)
  expect(await engine.metrics.event('words', { ...one, occurredAt })).toMatchObject({ total: 6 })
  expect(await engine.rebuild()).toMatchObject({ drift: [] })
})

test('What the library undoes of its own transactions is undone, also where it goes away in the middle', async () => {
  await shared.exec('create table kept (note text)')
  const end = performance.now() + 10_000
  const { use } = pgliteSessions(shared)
  const done = use(end, async ({ query }) => {
    await query('begin isolation level read committed', [])
    await query('insert into kept values ($1)', ['undone'])
    await query('rollback', [])
    await query('begin isolation level read committed', [])
    await query('insert into kept values ($1)', ['stored'])
    await query('commit', [])
    await query('begin isolation level read committed', [])
    await query('insert into kept values ($1)', ['forgotten'])
  })
  await expect(done).resolves.toBeUndefined()
  expect((await shared.query('select note from kept')).rows).toEqual([{ note: 'stored' }])
})

test('Closing the library leaves it open', async () => {
  const { pglite, schema, engine } = await opened()
  await engine.metrics.event('words', one)
  await engine.close()
  expect((await pglite.query(`select count(*)::int as count from ${schema}.users`)).rows).toEqual([{ count: 1 }])
})
