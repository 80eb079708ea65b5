// The changes that late events make to the past, and the work around their replay.

import { describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { defineGame } from '../../src/index.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { extendStorage } from '../support/extend-storage.ts'
import { useEngines } from '../support/places.ts'

const definition = {
  metrics: { words: { name: 'Words' } },
  achievements: { ten: { name: 'Ten', trigger: 'metric', metric: 'words', value: 10 } },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 5 }] } },
  streak: { frequency: 'daily', metrics: { words: {} } },
} as const
const game = defineGame(definition)
const NOON = '2026-03-10T12:00:00.000Z'

describe('While a log is folded again', () => {
  const start = useEngines(NOON)
  const LATE = { user: { id: 'ann' }, value: 1, occurredAt: new Date('2026-03-09T12:00:00.000Z') }

  test('two late events with one key are one event and one replay, and the storage is asked for no save it refuses', async () => {
    const inner = memory()
    let refused = 0
    const storage: Storage = extendStorage(inner, (inner) => ({
      commit: async (requests, decide) => {
        try {
          return await inner.commit(requests, decide)
        } catch (error) {
          refused += 1
          throw error
        }
      },
    }))
    const engine = await start(game, storage)
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })
    const send = () => engine.metrics.event('words', { ...LATE, idempotencyKey: 'k' })
    const answers = await Promise.all([send(), send()])
    expect(answers.map(({ idempotentReplayed }) => idempotentReplayed)).toEqual([false, true])
    expect(answers.map(({ total }) => total)).toEqual([2, 2])
    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(2)
    expect(refused).toBe(0)
  })

  test('a live event that waited is judged under the game that was stored meanwhile', async () => {
    const inner = memory()
    let onHold = async (): Promise<void> => undefined
    const storage: Storage = extendStorage(inner, (inner) => ({
      transaction: async (work) => {
        await onHold()
        return inner.transaction(work)
      },
    }))
    const engine = await start(game, storage)
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })
    const generous = defineGame({
      ...definition,
      points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 1_000 }] } },
    })

    let live: ReturnType<typeof engine.metrics.event> | null = null
    onHold = async () => {
      live = engine.metrics.event('words', { user: { id: 'ann' }, value: 10 })
      // Sent after it: once this is answered, the event before it waits for the fold.
      await engine.metrics.event('words', { user: { id: 'bob' }, value: 1 })
      await new Promise((resolve) => setImmediate(resolve))
      onHold = async () => {
        onHold = async () => undefined
        await start(generous, inner)
      }
    }
    expect((await engine.metrics.event('words', LATE)).total).toBe(2)
    expect(await live).toMatchObject({ total: 12, points: { xp: { added: 1_000 } } })
  })
})

describe('A completion that a void does not take back', () => {
  const start = useEngines(NOON)

  test('is paid by the game that was in force when it was completed', async () => {
    const pays = (points: number) =>
      defineGame({
        ...definition,
        points: { xp: { name: 'XP', triggers: [{ type: 'achievement', achievement: 'ten', points }] } },
      })
    const storage = memory()
    const engine = await start(pays(5), storage)
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })
    await engine.apply(pays(20))
    const { eventId } = await engine.metrics.event('words', { user: { id: 'ann' }, value: 9 })
    expect((await engine.users.points('ann', 'xp')).total).toBe(20)
    await engine.events.void(eventId)
    expect((await engine.users.achievements('ann')).map(({ key }) => key)).toEqual(['ten'])
    expect((await engine.users.points('ann', 'xp')).total).toBe(20)
  })
})
