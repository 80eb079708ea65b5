// @heavy: It breaks connections to Postgres.
// The database comes back at an earlier moment, or forgets a process, under processes that continue.

import { describe, expect, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { checkFold } from '../../support/check-fold.ts'
import { databaseUrl, useEmptySchemas, useSchemas } from '../../support/postgres.ts'
import { copyAside } from './copy-aside.ts'
import { isFence, isSave, kindOf } from './processes.ts'
import type { Fate } from './proxy.ts'
import { codeOf, expectTruth, outcomesOf, type Told, tell } from './told.ts'
import { type Engine, useWorld, type World } from './world.ts'

const nextSchema = useSchemas()
const nextEmptySchema = useEmptySchemas()

/** The user's total after an event of this value. */
async function add({ metrics }: Engine, user: string, value: number): Promise<number> {
  return (await metrics.event('words', { user: { id: user }, value })).total
}

/** As another process has one. */
function openOther(world: World): Promise<Engine> {
  return world.open({ storage: postgres(databaseUrl(), { schema: world.schema }) })
}

/** The function that `copyAside` returns, for a world. */
function copyOf(world: World): Promise<() => Promise<void>> {
  return copyAside(world.query, world.schema, nextSchema())
}

async function expectSound(world: World, engine: Engine, totals: Readonly<Record<string, number>>): Promise<void> {
  const sums = await world.query<{ user: string; sum: number }>(
    'select user_id as user, sum(value) as sum from laurels.log group by 1 order by 1',
  )
  expect(Object.fromEntries(sums.map(({ user, sum }) => [user, sum]))).toEqual(totals)
  expect((await engine.verify()).drift).toEqual([])
  await checkFold(world.direct)
}

describe('a failover that loses the last moments', () => {
  test('does not let a process go on from what was lost, though its number was given up meanwhile', async () => {
    const world = await useWorld(nextEmptySchema())
    const here = await world.open({ deadlineMs: 400 })
    for (const total of [1, 2, 3, 4, 5]) expect(await add(here, 'ann', 1)).toBe(total)
    const restore = await copyOf(world)
    expect([await add(here, 'ann', 100), await add(here, 'ann', 100)]).toEqual([105, 205])
    world.proxy.choose((question) => (isSave(question) || isFence(question) ? 'silence' : 'passes'))
    expect(await add(here, 'bob', 1).catch(codeOf)).toBe('outcome_unknown')
    world.proxy.choose(() => 'passes')
    await restore()
    const there = await openOther(world)
    expect([await add(there, 'ann', 1), await add(there, 'ann', 1)]).toEqual([6, 7])
    expect(await add(here, 'ann', 1)).toBe(8)
    await expectSound(world, here, { ann: 8 })
  })

  test('is noticed by both of two processes that go on, whoever of them writes first', async () => {
    const world = await useWorld(nextEmptySchema())
    const [here, there] = [await world.open(), await openOther(world)]
    expect([await add(here, 'ann', 1), await add(there, 'bob', 1)]).toEqual([1, 1])
    const restore = await copyOf(world)
    for (const total of [101, 201, 301]) expect(await add(here, 'ann', 100)).toBe(total)
    for (const total of [101, 201, 301]) expect(await add(there, 'bob', 100)).toBe(total)
    await restore()
    // As many events as were lost, each of the users that the other process remembers.
    for (const total of [2, 3, 4]) expect(await add(there, 'ann', 1)).toBe(total)
    for (const total of [2, 3, 4]) expect(await add(here, 'bob', 1)).toBe(total)
    expect([await add(here, 'ann', 1), await add(there, 'bob', 1)]).toEqual([5, 5])
    await expectSound(world, here, { ann: 5, bob: 5 })
  })

  test('is noticed by a process that has only read, and was left out of the one save it sent', async () => {
    const world = await useWorld(nextEmptySchema())
    const [here, there] = [await world.open(), await openOther(world)]
    expect(await add(there, 'ann', 1)).toBe(1)
    const restore = await copyOf(world)
    // It is read again at 201, and then refused: that is all this process knows of her.
    let isFirst = true
    world.proxy.choose(async (question): Promise<Fate> => {
      if (!isSave(question) || !isFirst) return 'passes'
      isFirst = false
      expect([await add(there, 'ann', 100), await add(there, 'ann', 1e15 - 101)]).toEqual([101, 1e15])
      return 'passes'
    })
    expect(await add(here, 'ann', 100).catch(codeOf)).toBe('total_out_of_range')
    await restore()
    expect([await add(there, 'ann', 1), await add(there, 'ann', 1)]).toEqual([2, 3])
    expect(await add(here, 'ann', 1)).toBe(4)
    await expectSound(world, here, { ann: 4 })
  })
})

describe('a process whose row is gone', () => {
  const forgetAll = (world: World): Promise<unknown> => world.query('delete from laurels.processes')

  test('is registered anew by its next batch', async () => {
    const world = await useWorld(nextEmptySchema())
    const engine = await world.open()
    expect([await add(engine, 'ann', 1), await add(engine, 'ann', 1)]).toEqual([1, 2])
    await forgetAll(world)
    const before = world.proxy.questions.length
    expect(await add(engine, 'ann', 1)).toBe(3)
    // The database has no row of her.
    const asked = world.proxy.questions.slice(before).map(kindOf)
    expect(asked).toEqual(['save', 'load', 'register', 'save'])
    expect(await add(engine, 'ann', 1)).toBe(4)
    expect(await world.query('select batch::int from laurels.processes')).toEqual([{ batch: 2 }])
    await expectSound(world, engine, { ann: 4 })
  })

  test('that is registered anew knows nobody any more, also who was not in the batch that found it out', async () => {
    const world = await useWorld(nextEmptySchema())
    const engine = await world.open()
    expect([await add(engine, 'ann', 1), await add(engine, 'bob', 1)]).toEqual([1, 1])
    await forgetAll(world)
    expect(await add(engine, 'ann', 1)).toBe(2)
    const before = world.proxy.questions.length
    expect(await add(engine, 'bob', 1)).toBe(2)
    const asked = world.proxy.questions.slice(before).map(kindOf)
    expect(asked).toEqual(['load', 'save'])
    await expectSound(world, engine, { ann: 2, bob: 2 })
  })

  test.each(['answerLost', 'neverSent'] as const)(
    'finds out from the log what became of its batch: the save %s, and no row for the fence',
    async (fate) => {
      const world = await useWorld(nextEmptySchema())
      const engine = await world.open()
      const calls: Told[] = [await tell(engine, { user: 'ann' })]
      let isFirst = true
      world.proxy.choose(async (question): Promise<Fate> => {
        if (isFence(question)) await forgetAll(world)
        if (!isSave(question) || !isFirst) return 'passes'
        isFirst = false
        return fate
      })
      calls.push(...(await Promise.all(['ann', 'bob'].map((user) => tell(engine, { user })))))
      expect(outcomesOf(calls)).toEqual(['stored', 'stored', 'stored'])
      await expectTruth(world, calls)
    },
  )

  test('has no save stored that comes after its row has gone', async () => {
    const world = await useWorld(nextEmptySchema())
    const engine = await world.open()
    let isFirst = true
    world.proxy.choose((question) => {
      if (!isSave(question) || !isFirst) return 'passes'
      isFirst = false
      return 'held'
    })
    const calls = [await tell(engine, { user: 'ann' })]
    expect(outcomesOf(calls)).toEqual(['stored'])
    // As though nothing had been stored, for the late save must not be kept off by that alone.
    for (const table of ['processes', 'log', 'users', 'totals', 'tallies', 'points', 'awards', 'completions']) {
      await world.query(`delete from laurels.${table}`)
    }
    await world.proxy.deliverHeld()
    expect(world.proxy.questions.filter(isSave).map(({ isDelivered }) => isDelivered)).toEqual([true, true])
    expect(await world.query('select entry_id from laurels.log')).toEqual([])
  })
})

describe('rows of processes', () => {
  test('that have saved nothing for a day are removed when another process begins, and no others', async () => {
    const world = await useWorld(nextEmptySchema())
    const living = await world.open()
    expect(await add(living, 'ann', 1)).toBe(1)
    const hour = 3_600_000
    const rows = [
      ['dead', Date.now() - 25 * hour],
      ['idle', Date.now() - 23 * hour],
    ]
    for (const row of rows) {
      await world.query(`insert into laurels.processes (id, batch, outcome, used_at) values ($1, 7, 'saved', $2)`, row)
    }
    const other = await openOther(world)
    expect(await add(other, 'ann', 1)).toBe(2)
    const left = await world.query<{ id: string }>('select id from laurels.processes where length(id) < 36 order by id')
    expect(left).toEqual([{ id: 'idle' }])
    expect(await add(living, 'ann', 1)).toBe(3)
    await Promise.all([living.close(), other.close()])
    expect(await world.query('select id from laurels.processes where length(id) = 36')).toEqual([])
  })

  test('are removed by close() also of a process that lost a connection', async () => {
    const world = await useWorld(nextEmptySchema())
    const engine = await world.open()
    let isFirst = true
    world.proxy.choose((question) => {
      if (!isSave(question) || !isFirst) return 'passes'
      isFirst = false
      return 'answerLost'
    })
    expect(await add(engine, 'ann', 1)).toBe(1)
    await engine.close()
    expect(await world.query('select id from laurels.processes')).toEqual([])
  })
})
