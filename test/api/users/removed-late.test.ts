import { expect, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import {
  createGamification,
  type DefinedGame,
  defineGame,
  type Gamification,
  isGamificationError,
} from '../../../src/index.ts'
import { loadRowOwners } from '../../../src/sql/audit.ts'
import { loadLog } from '../../../src/sql/log.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { removeOne } from '../../../src/testing/storage/case.ts'
import { extendStorage } from '../../support/extend-storage.ts'

const NOW = Date.parse('2026-03-10T12:00:00Z')
const DAY = 86_400_000

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  achievements: { three: { name: 'Three', trigger: 'metric', metric: 'words', value: 3 } },
}) as DefinedGame

interface World {
  readonly storage: Storage
  readonly gamification: Gamification<DefinedGame>
  /** Deletes Ann right before the next lock. */
  deleteSoon(): void
  /** Runs a function right before the next lock of a user. */
  beforeLock(work: () => Promise<unknown>): void
}

async function makeWorld(): Promise<World> {
  const storage = memory()
  const before: (() => Promise<unknown>)[] = []
  const gamification = createGamification<DefinedGame>({
    game,
    clock: () => new Date(NOW),
    storage: extendStorage(storage, (storage) => ({
      transaction: async (work) => {
        await before.shift()?.()
        return storage.transaction(work)
      },
    })),
  })
  await gamification.migrate()
  const beforeLock: World['beforeLock'] = (work) => void before.push(work)
  const deleteSoon = (): void => beforeLock(() => removeOne(storage, { tenant: '', user: 'ann' }))
  return { storage, gamification, deleteSoon, beforeLock }
}

function record({ gamification }: World, value: number, days: number): Promise<unknown> {
  const event = { user: { id: 'ann' }, value, occurredAt: new Date(NOW - days * DAY) }
  return gamification.metrics.event('words' as never, event as never)
}

/** Returns `null` if the call was answered. */
function codeOf(call: Promise<unknown>): Promise<string | null> {
  return call.then(
    () => null,
    (error: unknown) => (isGamificationError(error) ? error.code : 'no error of ours'),
  )
}

test('a late event of a user who is deleted just before the replay makes a new user, who has nothing of the old one', async () => {
  const world = await makeWorld()
  await record(world, 100, 9)
  await record(world, 1, 0)
  world.deleteSoon()
  expect(await codeOf(record(world, 2, 3))).toBe(null)
  const { gamification, storage } = world
  expect(await gamification.users.singleMetric('ann', 'words' as never)).toMatchObject({ current: 2 })
  expect(await gamification.users.achievements('ann')).toEqual([])
  expect((await loadLog(storage, { tenant: '', user: 'ann' })).length).toBe(1)
  expect(await gamification.verify()).toMatchObject({ drift: [] })
  await gamification.close()
})

test('late events that wait together for a user who is deleted meanwhile make one new user', async () => {
  const world = await makeWorld()
  await record(world, 100, 0)
  let waiting: Promise<unknown> = Promise.resolve()
  world.beforeLock(async () => {
    waiting = Promise.all([record(world, 2, 3), record(world, 1, 5), record(world, 1, 4)])
    await new Promise((resolve) => setTimeout(resolve, 20))
  })
  world.deleteSoon()
  await record(world, 100, 9)
  await waiting
  const { gamification, storage } = world
  expect(await gamification.users.singleMetric('ann', 'words' as never)).toMatchObject({ current: 4 })
  // In order of time, which is not that of their arrival.
  expect((await loadLog(storage, { tenant: '', user: 'ann' })).map(({ seq }) => seq)).toEqual([2, 3, 1])
  expect(await gamification.verify()).toMatchObject({ drift: [] })
  await gamification.close()
})

test('a merge of users who are deleted just before they are locked knows nobody of the id', async () => {
  const world = await makeWorld()
  const { gamification, storage } = world
  await record(world, 100, 0)
  await gamification.metrics.event('words' as never, { user: { id: 'bob' }, value: 1 } as never)
  world.beforeLock(async () => {
    await removeOne(storage, { tenant: '', user: 'ann' })
    await removeOne(storage, { tenant: '', user: 'bob' })
  })
  expect(await codeOf(gamification.users.merge({ from: 'ann', into: 'bob' }))).toBe('unknown_user')
  expect(await loadRowOwners(storage)).toEqual([])
  await gamification.close()
})
