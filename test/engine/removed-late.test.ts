import { expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import {
  createGamification,
  type DefinedGame,
  defineGame,
  type Gamification,
  isGamificationError,
} from '../../src/index.ts'
import type { Storage } from '../../src/storage.ts'
import { extendStorage } from '../support/extend-storage.ts'

const NOW = Date.parse('2026-03-10T12:00:00Z')
const DAY = 86_400_000

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  achievements: { three: { name: 'Three', trigger: 'metric', metric: 'words', value: 3 } },
}) as DefinedGame

interface World {
  readonly storage: Storage
  readonly gamification: Gamification<DefinedGame>
  /** Deletes Ann as soon as all of her is read for a fold, or as soon as her log is, which is after her state was. */
  deleteSoon(reading: 'user' | 'log'): void
  /** Does something right before Ann's log is read, and something else right after. */
  aroundLog(before: () => Promise<unknown>, after: () => Promise<unknown>): void
}

async function makeWorld(): Promise<World> {
  const storage = memory()
  let awaited: 'user' | 'log' | null = null
  const around: [before: () => Promise<unknown>, after: () => Promise<unknown>][] = []
  const deleteAt = async (reading: 'user' | 'log'): Promise<void> => {
    if (awaited !== reading) return
    awaited = null
    await storage.removeUser({ tenant: '', user: 'ann' })
  }
  const gamification = createGamification<DefinedGame>({
    game,
    clock: () => new Date(NOW),
    storage: extendStorage(storage, (storage) => ({
      readUser: async (key, options) => {
        if (options?.awards !== undefined) await deleteAt('user')
        return storage.readUser(key, options)
      },
      readLog: async (key, options) => {
        await deleteAt('log')
        const [[before, after] = []] = around.splice(0, 1)
        await before?.()
        const lines = await storage.readLog(key, options)
        await after?.()
        return lines
      },
    })),
  })
  await gamification.migrate()
  const deleteSoon: World['deleteSoon'] = (reading) => {
    awaited = reading
  }
  const aroundLog: World['aroundLog'] = (before, after) => void around.push([before, after])
  return { storage, gamification, deleteSoon, aroundLog }
}

function record({ gamification }: World, value: number, days: number): Promise<unknown> {
  const event = { user: { id: 'ann' }, value, occurredAt: new Date(NOW - days * DAY) }
  return gamification.metrics.event('words' as never, event as never)
}

/** null: the call was answered. */
function codeOf(call: Promise<unknown>): Promise<string | null> {
  return call.then(
    () => null,
    (error: unknown) => (isGamificationError(error) ? error.code : 'no error of ours'),
  )
}

test('a late event of a user who is deleted while the log is folded makes a new user, who has nothing of the old one', async () => {
  const world = await makeWorld()
  await record(world, 100, 9)
  await record(world, 1, 0)
  world.deleteSoon('log')
  expect(await codeOf(record(world, 2, 3))).toBe(null)
  const { gamification, storage } = world
  expect(await gamification.users.singleMetric('ann', 'words' as never)).toMatchObject({ current: 2 })
  expect(await gamification.users.achievements('ann')).toEqual([])
  expect((await storage.readLog({ tenant: '', user: 'ann' })).length).toBe(1)
  expect(await gamification.verify()).toMatchObject({ drift: [] })
  await gamification.close()
})

test('a user who is deleted twice at once is gone, and the second call knows nobody of the id', async () => {
  const world = await makeWorld()
  await record(world, 100, 0)
  world.deleteSoon('log')
  const { gamification, storage } = world
  expect(await codeOf(gamification.users.delete('ann', { keep: 'anonymous' }))).toBe('unknown_user')
  expect(await storage.listOwners()).toEqual([])
  await gamification.close()
})

test('late events that wait together for a user who is deleted meanwhile make one new user', async () => {
  const world = await makeWorld()
  await record(world, 100, 0)
  let waiting: Promise<unknown> = Promise.resolve()
  world.aroundLog(
    async () => {
      waiting = Promise.all([record(world, 2, 3), record(world, 1, 5), record(world, 1, 4)])
      await new Promise((resolve) => setTimeout(resolve, 20))
      world.deleteSoon('user')
    },
    async () => {},
  )
  await record(world, 100, 9)
  await waiting
  const { gamification, storage } = world
  expect(await gamification.users.singleMetric('ann', 'words' as never)).toMatchObject({ current: 4 })
  // In order of time, which is not that of their arrival.
  expect((await storage.readLog({ tenant: '', user: 'ann' })).map(({ seq }) => seq)).toEqual([2, 3, 1])
  expect(await gamification.verify()).toMatchObject({ drift: [] })
  await gamification.close()
})

/** Another process on the same storage, which nothing holds up. */
function elsewhere(storage: Storage): Gamification<DefinedGame> {
  return createGamification<DefinedGame>({ game, clock: () => new Date(NOW), storage })
}

test('a late event beside one that is newer in a new life of the user is judged in that life', async () => {
  const world = await makeWorld()
  const { gamification, storage, aroundLog } = world
  await record(world, 100, 9)
  const other = elsewhere(storage)
  aroundLog(
    async () => {
      await storage.removeUser({ tenant: '', user: 'ann' })
      await other.metrics.event('words' as never, { user: { id: 'ann' }, value: 5 } as never)
    },
    async () => {},
  )
  expect(await codeOf(record(world, 2, 10))).toBe(null)
  expect(await gamification.users.singleMetric('ann', 'words' as never)).toMatchObject({ current: 7 })
  expect(await gamification.verify()).toMatchObject({ drift: [] })
  await gamification.close()
})

test('an event that waited for a fold is judged by the log of the life that it is stored in', async () => {
  const world = await makeWorld()
  const { gamification, storage, aroundLog } = world
  await record(world, 100, 9)
  const other = elsewhere(storage)
  let second: Promise<string | null> = Promise.resolve('not asked')
  aroundLog(
    async () => {
      second = codeOf(record(world, 3, 1))
      await new Promise((resolve) => setTimeout(resolve, 20))
    },
    async () => {},
  )
  // That of the second: it would be at the end of the earlier life, and is not at the end of the new one.
  aroundLog(
    async () => {
      await storage.removeUser({ tenant: '', user: 'ann' })
      await other.metrics.event('words' as never, { user: { id: 'ann' }, value: 5 } as never)
    },
    async () => {},
  )
  expect(await codeOf(record(world, 2, 10))).toBe(null)
  expect(await second).toBe(null)
  expect(await gamification.users.singleMetric('ann', 'words' as never)).toMatchObject({ current: 8 })
  expect(await gamification.verify()).toMatchObject({ drift: [] })
  await gamification.close()
})

test('nothing is left of a user who was there only while the log was read', async () => {
  const world = await makeWorld()
  const { gamification, storage, aroundLog } = world
  await record(world, 100, 0)
  world.deleteSoon('user')
  const other = elsewhere(storage)
  aroundLog(
    () => other.metrics.event('words' as never, { user: { id: 'ann' }, value: 50 } as never),
    () => storage.removeUser({ tenant: '', user: 'ann' }),
  )
  expect(await codeOf(record(world, 2, 3))).toBe(null)
  expect(await gamification.users.singleMetric('ann', 'words' as never)).toMatchObject({ current: 2 })
  expect((await storage.readLog({ tenant: '', user: 'ann' })).map(({ seq }) => seq)).toEqual([1])
  expect(await gamification.verify()).toMatchObject({ drift: [] })
  await gamification.close()
})

test('a merge of users who are deleted while their logs are read knows nobody of the id', async () => {
  const world = await makeWorld()
  const { gamification, storage } = world
  await record(world, 100, 0)
  await gamification.metrics.event('words' as never, { user: { id: 'bob' }, value: 1 } as never)
  world.aroundLog(
    async () => {
      await storage.removeUser({ tenant: '', user: 'ann' })
      await storage.removeUser({ tenant: '', user: 'bob' })
    },
    async () => {},
  )
  expect(await codeOf(gamification.users.merge({ from: 'ann', into: 'bob' }))).toBe('unknown_user')
  expect(await storage.listOwners()).toEqual([])
  await gamification.close()
})
