import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createGamification, defineGame } from '../../src/index.ts'
import { STORAGES } from '../support/engine.ts'

// A host's tests fake the timers of the whole process, and do not move them during a call.
beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-03-01T09:00:00Z') }))
afterEach(() => void vi.useRealTimers())

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  streak: { frequency: 'daily', metrics: { words: { threshold: 1 } } },
})

describe.each(STORAGES)('While the timers of the process are faked, on $name', ({ create }) => {
  test('events are recorded, the date goes by the faked clock, and close() comes to its end', async () => {
    async function use(): Promise<readonly unknown[]> {
      const gamification = createGamification({ game, storage: create() })
      await gamification.migrate()
      const record = () => gamification.metrics.event('words', { user: { id: '18', tz: 'UTC' }, value: 2 })
      await Promise.all([record(), record()])
      vi.setSystemTime(new Date('2026-03-02T09:00:00Z'))
      const { total, currentStreak } = await record()
      await gamification.close()
      return [total, currentStreak?.length]
    }
    // This timer is a true one.
    expect(await Promise.race([use(), sleep(20_000, 'no answer', { ref: false })])).toEqual([6, 2])
  })
})
