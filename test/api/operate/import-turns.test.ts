import { describe, expect, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { createGamification, defineGame } from '../../../src/index.ts'

const game = defineGame({ metrics: { words: { name: 'Words' } } })

/** How many turns of the event loop there were while `work` continued. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const done = work.then(() => {
    isDone = true
  })
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve))
    turns += 1
  }
  await done
  return turns
}

describe('a host', () => {
  test('has its timers and requests served between the batches of an import', async () => {
    const gamification = createGamification({ game, storage: memory() })
    await gamification.migrate()
    const items = Array.from({ length: 5_120 }, (_, index) => ({
      metric: 'words' as const,
      user: { id: `user-${index % 700}` },
      value: 1,
    }))
    // 5,120 items in batches of 256.
    expect(await turnsDuring(gamification.import(items))).toBeGreaterThanOrEqual(20)
    await gamification.close()
  })

  test('has them served while callers send one event after the other', async () => {
    const gamification = createGamification({ game, storage: memory() })
    await gamification.migrate()
    const caller = async (id: string): Promise<void> => {
      for (let count = 0; count < 50; count += 1) await gamification.metrics.event('words', { user: { id }, value: 1 })
    }
    const callers = Array.from({ length: 8 }, (_, index) => caller(`user-${index}`))
    expect(await turnsDuring(Promise.all(callers))).toBeGreaterThanOrEqual(40)
    await gamification.close()
  })
})
