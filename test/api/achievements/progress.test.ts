// Progress in answers and messages, and that secrets have none.

import { expect, test } from 'vitest'
import type { GamificationMessage } from '../../../src/index.ts'
import { add, codeOf, onEachStorage } from '../../support/engine.ts'

const definition = {
  metrics: { words: { name: 'Words' } },
  achievements: {
    writer: {
      name: 'Writer',
      trigger: 'metric',
      metric: 'words',
      announce: [0.5],
      tiers: { bronze: { value: 10 }, silver: { value: 100 } },
    },
    week: { name: 'Week', trigger: 'streak', length: 2 },
    hidden: { name: 'Hidden', trigger: 'metric', metric: 'words', value: 77, secret: true },
  },
  streak: { frequency: 'daily', metrics: { words: {} } },
} as const

onEachStorage('Progress', (open) => {
  test('is in the answer to an event and in lists, until an achievement is completed', async () => {
    const engine = await open(definition)
    const { progressed } = await add(engine, 'words', 20)
    expect(progressed).toEqual([
      { key: 'writer.silver', progress: { current: 20, target: 100, ratio: 0.2 } },
      { key: 'hidden', progress: { current: 20, target: 77, ratio: 0.2597 } },
      { key: 'week', progress: { current: 1, target: 2, ratio: 0.5 } },
    ])
    const all = await engine.users.achievements('ann', { includeIncomplete: true })
    expect(all.map(({ key, progress }) => [key, progress?.current])).toEqual([
      ['writer.bronze', undefined],
      ['writer.silver', 20],
      ['week', 1],
      ['hidden', 20],
    ])
    const { achievements } = await engine.users.singleMetric('ann', 'words')
    expect(achievements.map(({ progress }) => progress?.ratio)).toEqual([undefined, 0.2, 0.2597])
    engine.at('2026-03-12T12:00:00.000Z')
    const later = await engine.users.achievements('ann', { includeIncomplete: true })
    expect(later.find(({ key }) => key === 'week')?.progress).toEqual({ current: 0, target: 2, ratio: 0 })
  })

  test('in the answer to a late event is that of now', async () => {
    const month = { name: 'Month', trigger: 'streak', length: 30 } as const
    const engine = await open({ ...definition, achievements: { ...definition.achievements, month } })
    await add(engine, 'words', 1)
    engine.at('2026-03-15T12:00:00.000Z')
    const late = { occurredAt: new Date('2026-03-09T12:00:00.000Z') }
    const { progressed, currentStreak } = await add(engine, 'words', 2, late)
    expect(currentStreak?.length).toBe(0)
    expect(progressed?.map(({ key, progress }) => [key, progress.current])).toEqual([
      ['writer.bronze', 3],
      ['writer.silver', 3],
      ['hidden', 3],
    ])
  })

  test('is not in the answer to a repeated event', async () => {
    const engine = await open(definition)
    await add(engine, 'words', 20, { idempotencyKey: 'once' })
    expect(await add(engine, 'words', 20, { idempotencyKey: 'once' })).not.toHaveProperty('progressed')
  })

  test('is announced, also after a late event, once', async () => {
    const engine = await open(definition)
    const told: GamificationMessage[] = []
    await engine.subscribe('progress', { types: ['achievement.progressed'] }, (messages) => {
      told.push(...messages)
    })
    await add(engine, 'words', 4)
    await add(engine, 'words', 2, { occurredAt: new Date('2026-03-09T12:00:00.000Z') })
    await add(engine, 'words', 50)
    await engine.workOnce()
    expect(told.map(({ data }) => data)).toMatchObject([
      { share: 0.5, achievement: { key: 'writer.bronze' } },
      { share: 0.5, achievement: { key: 'writer.silver', progress: { current: 56, target: 100 } } },
    ])
  })

  test('of a secret is hidden from clients', async () => {
    const engine = await open(definition)
    const client = engine.forRequest(performance.now(), { by: null, isClient: true })
    const answer = await client.metrics.event('words', { user: { id: 'ann' }, value: 20 })
    const all = await client.users.achievements('ann', { includeIncomplete: true })
    const metrics = await client.users.allMetrics('ann')
    expect(JSON.stringify([answer, all, metrics])).not.toMatch(/hidden|\b77\b|0\.2597/)
    expect(answer.progressed?.map(({ key }) => key)).toEqual(['writer.silver', 'week'])
  })

  test('is announced at ascending shares only', async () => {
    const wrong = { ...definition.achievements.week, announce: [0.9, 0.5, 1] }
    expect(await codeOf(open({ ...definition, achievements: { week: wrong } }))).toBe('invalid_game')
  })
})
