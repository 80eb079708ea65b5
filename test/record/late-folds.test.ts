// What late events change in the past, and what happens around their fold.

import { describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { defineGame } from '../../src/index.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { add, onEachStorage } from '../support/engine.ts'
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

onEachStorage('A late event', (open) => {
  test('that takes the reason for a completion away leaves it, at its own instant', async () => {
    const engine = await open(definition)
    await add(engine, 'words', 10, { occurredAt: new Date('2026-03-05T09:00:00.000Z') })
    await add(engine, 'words', -5, { occurredAt: new Date('2026-03-04T09:00:00.000Z') })
    expect(await engine.users.achievements('ann')).toMatchObject([
      { key: 'ten', achievedAt: '2026-03-05T09:00:00.000Z' },
    ])
  })

  test('is put in its place, though a later one that waits with it came first', async () => {
    const engine = await open(definition)
    await add(engine, 'words', 1)
    await Promise.all([
      add(engine, 'words', 5, { occurredAt: new Date('2026-03-09T09:00:00.000Z') }),
      add(engine, 'words', 5, { occurredAt: new Date('2026-03-08T09:00:00.000Z') }),
    ])
    expect(await engine.users.achievements('ann')).toMatchObject([
      { key: 'ten', achievedAt: '2026-03-09T09:00:00.000Z' },
    ])
  })

  test('that brings a zone has the events after it dated anew', async () => {
    const engine = await open(definition)
    engine.at('2026-03-11T12:00:00.000Z')
    // In Paris this is 00:30 on the 11th.
    await add(engine, 'words', 1, { occurredAt: new Date('2026-03-10T23:30:00.000Z') })
    await add(engine, 'words', 1, {
      user: { id: 'ann', tz: 'Europe/Paris' },
      occurredAt: new Date('2026-03-09T12:00:00.000Z'),
    })
    const range = { aggregation: 'daily', startDate: '2026-03-09', endDate: '2026-03-11' } as const
    expect(await engine.users.metricEventSummary('ann', 'words', range)).toEqual([
      { date: '2026-03-09', total: 1, change: 1 },
      { date: '2026-03-10', total: 1, change: 0 },
      { date: '2026-03-11', total: 2, change: 1 },
    ])
    expect(await engine.users.streak('ann')).toMatchObject({ length: 1, started: '2026-03-11' })
  })
})

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
