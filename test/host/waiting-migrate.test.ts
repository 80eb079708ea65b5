import { expect, onTestFinished, test, vi } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { createGamification, defineGame, GamificationError, type Storage } from '../../src/index.ts'
import { extendStorage } from '../support/extend-storage.ts'

const game = defineGame({ metrics: { words: { name: 'Words' } } })

function open(migrate: Storage['migrate']) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const warned: string[] = []
  const logger = { warn: (_: object, message: string) => warned.push(message), error: () => undefined }
  const gamification = createGamification({ game, storage: extendStorage(memory(), () => ({ migrate })), logger })
  onTestFinished(() => gamification.close())
  return { gamification, warned }
}

test('migrate() warns in the logger while the database does not answer', async () => {
  const { gamification, warned } = open(async () => {
    await vi.advanceTimersByTimeAsync(3_300)
    throw new GamificationError('unavailable', 'The database could not be reached.')
  })
  await expect(gamification.migrate()).rejects.toMatchObject({ code: 'unavailable' })
  expect(warned).toEqual([
    'migrate() is still waiting for the database: it may be unreachable, locked, or still making the tables.',
  ])
})

test('migrate() warns of nothing if a first start makes the tables within three seconds', async () => {
  const { gamification, warned } = open(async () => {
    await vi.advanceTimersByTimeAsync(2_900)
    return { applied: [] }
  })
  await gamification.migrate()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(warned).toEqual([])
})
