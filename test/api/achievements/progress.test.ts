// Progress in answers and messages, and that secrets have none.

import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import type { GamificationMessage, MetricEventResponse } from '../../../src/index.ts'
import { add, codeOf, type Engine, onEachStorage } from '../../support/engine.ts'

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
      { key: 'week', progress: { current: 1, target: 2, ratio: 0.5 } },
      { key: 'hidden', progress: { current: 20, target: 77, ratio: 0.2597 } },
      { key: 'writer.silver', progress: { current: 20, target: 100, ratio: 0.2 } },
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
      ['hidden', 3],
      ['writer.silver', 3],
    ])
  })

  /** The achievements whose progress after an event differs from the progress just before it. */
  const movedBy = async (engine: Engine, event: () => Promise<unknown>) => {
    const read = async () => {
      const all = await engine.users.achievements('ann', { includeIncomplete: true })
      return new Map(all.map(({ key, progress }) => [key, progress]))
    }
    const before = await read()
    await event()
    return [...(await read())].filter(
      ([key, progress]) => progress !== undefined && !isDeepStrictEqual(progress, before.get(key)),
    )
  }

  test('in the answer to an event is what reads of it find moved: a lost streak that begins again too', async () => {
    const streak = { streak: 'streak', length: 3 } as const
    const engine = await open({
      ...definition,
      achievements: {
        week: { name: 'Week', trigger: 'streak', length: 3 },
        both: { name: 'Both', trigger: 'criteria', of: [streak, { events: 'words', count: 1 }] },
        alone: { name: 'Alone', trigger: 'criteria', of: [streak] },
      },
    })
    await add(engine, 'words', 1)
    engine.at('2026-03-13T12:00:00.000Z')
    let answer = {} as MetricEventResponse
    const moved = await movedBy(engine, async () => {
      answer = await add(engine, 'words', 1, { progress: 'all' })
    })
    expect(answer.currentStreak.length).toBe(1)
    expect(moved.map(([key]) => key)).toEqual(['week', 'both', 'alone'])
    // The nearest first: one of two criteria, and a third of the other.
    expect(answer.progressed?.map(({ key, progress }) => [key, progress.ratio])).toEqual([
      ['both', 0.6666],
      ['week', 0.3333],
      ['alone', 0.3333],
    ])
  })

  test('has no achievement that repeats and stays at 0 after a grant', async () => {
    const engine = await open({
      metrics: { words: { name: 'Words' } },
      achievements: { tens: { name: 'Tens', trigger: 'metric', metric: 'words', value: 10, repeat: true } },
    })
    await add(engine, 'words', 24)
    await engine.admin.achievements.grant('tens', { userId: 'ann', reason: 'A gift' })
    expect(await add(engine, 'words', 5)).not.toHaveProperty('progressed')
    expect((await add(engine, 'words', 3)).progressed).toEqual([
      { key: 'tens', progress: { current: 2, target: 10, ratio: 0.2 } },
    ])
  })

  test('has the three nearest, and those that reach an announced share; all if they are asked for', async () => {
    const badge = (value: number, more: object = {}) =>
      ({ name: `${value}`, trigger: 'metric', metric: 'words', value, ...more }) as const
    const engine = await open({
      metrics: { words: { name: 'Words' } },
      achievements: {
        far: badge(1_000, { announce: [0.01] }),
        further: badge(2_000, { announce: [0.5] }),
        twin: badge(40),
        first: badge(20),
        second: badge(40),
        fourth: badge(50),
      },
    })
    const keysOf = ({ progressed = [] }: MetricEventResponse) => progressed.map(({ key }) => key)
    expect(keysOf(await add(engine, 'words', 9))).toEqual(['first', 'twin', 'second'])
    expect(keysOf(await add(engine, 'words', 1))).toEqual(['first', 'twin', 'second', 'far'])
    expect(keysOf(await add(engine, 'words', 1, { progress: 'all' }))).toEqual([
      ...['first', 'twin', 'second', 'fourth', 'far', 'further'],
    ])
    expect(await codeOf(add(engine, 'words', 1, { progress: 'some' as never }))).toBe('invalid_request')
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
    expect(answer.progressed?.map(({ key }) => key)).toEqual(['week', 'writer.silver'])
  })

  test('is announced at ascending shares only', async () => {
    const wrong = { ...definition.achievements.week, announce: [0.9, 0.5, 1] }
    expect(await codeOf(open({ ...definition, achievements: { week: wrong } }))).toBe('invalid_game')
  })
})
