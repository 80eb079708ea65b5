// @heavy: It breaks connections to Postgres.
// Batches whose entries end in different ways: each caller gets its own answer, and no caller suffers from another's
// entry.

import { expect, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { checkFold } from '../../support/check-fold.ts'
import { times } from '../../support/places.ts'
import { databaseUrl, useEmptySchemas } from '../../support/postgres.ts'
import { isLoad, isSave, kindOf } from './processes.ts'
import type { Fate } from './proxy.ts'
import { expectTruth, outcomesOf, type Told, tell } from './told.ts'
import { type Engine, useWorld, type World } from './world.ts'

const nextEmptySchema = useEmptySchemas()

/** A database that raises an error for one user, whenever it stores an entry of that user. */
async function failFor(world: World, user: string): Promise<void> {
  await world.query(`create function laurels.fail() returns trigger language plpgsql as
    $$ begin raise exception 'The database fails for this user'; end $$`)
  await world.query(`create trigger fail before insert on laurels.log for each row
    when (new.user_id = '${user}') execute function laurels.fail()`)
}

test.each([
  ['alone', 0],
  ['among sixty others', 60],
] as const)(
  'a refused entry, a replay, a user whose version moves and one that makes the database fail, %s, end each in its own way',
  async (_, others) => {
    const world = await useWorld(nextEmptySchema())
    const engine = await world.open()
    const other = await world.open({ storage: postgres(databaseUrl(), { schema: world.schema }) })
    const first = await Promise.all([
      tell(engine, { user: 'replayed', key: 'used' }),
      tell(engine, { user: 'moving' }),
      tell(engine, { user: 'failing' }),
      tell(engine, { user: 'refused', value: 9e14 }),
    ])
    await failFor(world, 'failing')
    const meanwhile: Told[] = []
    world.proxy.choose(async (question): Promise<Fate> => {
      // Another process writes between the load and the save; the first time only, or it would never end.
      if (isSave(question) && meanwhile.length === 0) meanwhile.push(await tell(other, { user: 'moving' }))
      return 'passes'
    })
    const wishes = [
      { user: 'refused', value: 9e14 },
      { user: 'replayed', key: 'used' },
      { user: 'moving' },
      { user: 'failing' },
      { user: 'new' },
      { user: 'refused', value: 1 },
      { user: 'replayed', key: 'unused' },
      { user: 'moving', key: 'twice' },
      { user: 'moving', key: 'twice' },
      { user: 'new', daysAgo: 2 },
    ]
    const calls = await Promise.all([
      ...wishes.map((wish) => tell(engine, wish)),
      ...times(others, (index) => tell(engine, { user: `other ${index}` })),
    ])
    expect(outcomesOf(calls).slice(0, wishes.length)).toEqual([
      'total_out_of_range',
      'stored',
      'stored',
      'internal',
      'stored',
      'stored',
      'stored',
      'stored',
      'stored',
      'stored',
    ])
    expect(calls.slice(0, wishes.length).map(({ isReplay }) => isReplay)).toEqual(
      wishes.map((_wish, index) => index === 1 || index === 8),
    )
    expect(outcomesOf(calls.slice(wishes.length))).toEqual(times(others, () => 'stored'))
    await expectTruth(world, [...first, ...meanwhile, ...calls])
  },
)

test('a failing user costs the others of 64 a handful of round trips, and the answers say who failed', async () => {
  const world = await useWorld(nextEmptySchema())
  const engine = await world.open()
  await failFor(world, 'user 37')
  const asked = (): number => world.proxy.questions.filter((question) => kindOf(question) !== 'seen').length
  const before = asked()
  const calls = await Promise.all(times(64, (index) => tell(engine, { user: `user ${index}` })))
  expect(calls.filter(({ outcome }) => outcome !== 'stored').map(({ user, outcome }) => [user, outcome])).toEqual([
    ['user 37', 'internal'],
  ])
  // Halved until the failing user is alone: 1 + 2 × 6 batches of two statements each, one that registers the process, and one that
  // checks the tables before its first write.
  expect(asked() - before).toBeLessThanOrEqual(28)
  await expectTruth(world, calls)
})

test('answers are made of the state in which each entry was stored, though others came between', async () => {
  const world = await useWorld(nextEmptySchema())
  const engine = await world.open()
  const other = await world.open({ storage: postgres(databaseUrl(), { schema: world.schema }) })
  const add = (by: Engine, user: string, value: number): Promise<number> =>
    by.metrics.event('words', { user: { id: user }, value }).then(({ total }) => total)
  await add(other, 'ann', 1)
  let isFirst = true
  world.proxy.choose(async (question): Promise<Fate> => {
    if (isSave(question) && isFirst) {
      isFirst = false
      await Promise.all([add(other, 'ann', 10), add(other, 'bob', 20)])
    }
    return 'passes'
  })
  const totals = await Promise.all([
    add(engine, 'ann', 100),
    add(engine, 'bob', 200),
    add(engine, 'carl', 300),
    add(engine, 'ann', 1_000),
  ])
  expect(totals).toEqual([111, 220, 300, 1_111])
  await checkFold(world.direct)
})

test('a user whose version moves at every try is stored in the end, and the others are not stored twice', async () => {
  const world = await useWorld(nextEmptySchema())
  const engine = await world.open()
  const other = await world.open({ storage: postgres(databaseUrl(), { schema: world.schema }) })
  const calls: Told[] = [await tell(other, { user: 'moving' })]
  let moves = 0
  world.proxy.choose(async (question): Promise<Fate> => {
    if (isSave(question) && moves < 8) {
      moves += 1
      calls.push(await tell(other, { user: 'moving' }))
    }
    return 'passes'
  })
  calls.push(...(await Promise.all(['moving', 'still', 'moving'].map((user) => tell(engine, { user })))))
  expect(new Set(outcomesOf(calls))).toEqual(new Set(['stored']))
  expect(moves).toBe(8)
  // The skipped users come back with the save itself: they are not loaded again.
  expect(world.proxy.questions.filter(isLoad)).toHaveLength(1)
  await expectTruth(world, calls)
})
