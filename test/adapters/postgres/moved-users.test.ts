// Users whom another process changes between the reads and the saves of a commit.

import { expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { createGamification, defineGame } from '../../../src/index.ts'
import { databaseUrl, useEmptySchemas } from '../../support/postgres.ts'
import { useHookedPool } from './hooked-pool.ts'

const nextSchema = useEmptySchemas()

const game = defineGame({ metrics: { words: { name: 'Words' } } })
const nextGame = defineGame({ metrics: { words: { name: 'Words' }, pages: { name: 'Pages' } } })

/** `own` saves by way of a pool in which `beforeSave` comes before each save; `others` is another process. */
async function openTwo(beforeSave: (save: number) => Promise<void>) {
  const schema = nextSchema()
  const { pool, hook } = useHookedPool()
  const own = createGamification({ game, storage: postgres(pool, { schema }) })
  const others = createGamification({ game, storage: postgres(databaseUrl(), { schema }) })
  for (const engine of [own, others]) onTestFinished(() => engine.close())
  await others.migrate()
  let saves = 0
  let isHooked = false
  hook(async ({ text }, run) => {
    if (isHooked && text.includes('save(')) await beforeSave(++saves)
    return run()
  })
  return {
    ...{ own, others, schema },
    startHook: () => {
      isHooked = true
    },
  }
}

test('A user whom another process changes again and again is saved anew', async () => {
  const moved = 7
  const { own, others, startHook } = await openTwo(async (save) => {
    if (save <= moved) await others.metrics.event('words', { user: { id: 'ann' }, value: 1 })
  })
  await own.metrics.event('words', { user: { id: 'ann' }, value: 1 })
  startHook()
  expect(await own.metrics.event('words', { user: { id: 'ann' }, value: 1 })).toMatchObject({ total: moved + 2 })
})

test('A user is changed, and then the game, while another user of the batch is stored', async () => {
  const { own, others, schema, startHook } = await openTwo(async (save) => {
    if (save === 1) await others.metrics.event('words', { user: { id: 'ann' }, value: 1 })
    if (save !== 2) return
    const newer = createGamification({ game: nextGame, storage: postgres(databaseUrl(), { schema }) })
    await newer.migrate()
    await newer.close()
  })
  for (const id of ['ann', 'ben']) await own.metrics.event('words', { user: { id }, value: 1 })
  startHook()
  const answers = await Promise.all(['ann', 'ben'].map((id) => own.metrics.event('words', { user: { id }, value: 1 })))
  expect(answers.map(({ total }) => total)).toEqual([3, 2])
  expect((await own.verify()).drift).toEqual([])
})

/** Users of a batch: `ann` is cached, `ben` is not. Returns the users that were read. */
async function openHalfKnown() {
  const schema = nextSchema()
  const { pool, hook } = useHookedPool()
  const own = createGamification({ game, storage: postgres(pool, { schema }) })
  const others = createGamification({ game, storage: postgres(databaseUrl(), { schema }) })
  for (const engine of [own, others]) onTestFinished(() => engine.close())
  await others.migrate()
  for (const id of ['ann', 'ben']) await others.metrics.event('words', { user: { id }, value: 1, idempotencyKey: 'a' })
  await own.metrics.event('words', { user: { id: 'ann' }, value: 1 })
  const read: string[][] = []
  hook(async ({ text, values = [] }, run) => {
    if (text.includes('load(')) read.push(JSON.parse(String(values[0])).map((row: { user_id: string }) => row.user_id))
    return run()
  })
  return { own, others, read }
}

test('A batch reads only the users that the process does not know', async () => {
  const { own, read } = await openHalfKnown()
  const answers = await Promise.all(
    ['ann', 'ben', 'cleo'].map((id) => own.metrics.event('words', { user: { id }, value: 1, idempotencyKey: 'b' })),
  )
  expect(answers.map(({ total }) => total)).toEqual([3, 2, 1])
  expect(read).toEqual([['ben', 'cleo']])
})

test('A batch of known and unknown users finds used idempotency keys of both, and what another process wrote', async () => {
  const { own, others, read } = await openHalfKnown()
  await others.metrics.event('words', { user: { id: 'ann' }, value: 10 })
  const events = ['ann', 'ben', 'ann', 'cleo'].map((id, index) =>
    own.metrics.event('words', { user: { id }, value: 100, idempotencyKey: index === 2 ? 'b' : 'a' }),
  )
  const answers = await Promise.all(events)
  expect(answers.map(({ total, idempotentReplayed }) => [total, idempotentReplayed])).toEqual([
    [12, true],
    [1, true],
    [112, false],
    [100, false],
  ])
  expect(read[0]).toEqual(['ben', 'cleo'])
  expect((await own.verify()).drift).toEqual([])
})

test('A batch reads all its users if the cached state of one allows no save', async () => {
  const { own, others, read } = await openHalfKnown()
  await own.users.suspend('ann')
  await others.users.restore('ann')
  const answers = await Promise.all(['ann', 'ben'].map((id) => own.metrics.event('words', { user: { id }, value: 1 })))
  expect(answers.map(({ total }) => total)).toEqual([3, 2])
  expect(read.at(-1)).toEqual(['ann', 'ben'])
})
