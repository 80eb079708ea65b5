// When a scheduler should call `workOnce` next.

import { expect, test } from 'vitest'
import { onEachStorage } from '../support/engine.ts'

const streaks = {
  metrics: { words: { name: 'Words' } },
  streak: { frequency: 'daily', metrics: { words: {} } },
} as const
const boards = {
  metrics: { words: { name: 'Words' } },
  leaderboards: {
    day: { name: 'Day', rankBy: 'metric', metric: 'words', run: { unit: 'day', interval: 1 }, start: '2026-03-01' },
  },
} as const

onEachStorage('The next work', (open) => {
  test('is none without a subscription', async () => {
    const engine = await open(streaks)
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })
    expect(await engine.nextWorkAt()).toBe(null)
  })

  test('is due at once after a new subscription, and then within a day', async () => {
    const engine = await open(streaks)
    engine.at('2026-03-10T12:00:00.000Z')
    await engine.subscribe('lost', { types: ['streak.lost'] }, () => undefined)
    expect(await engine.nextWorkAt()).toEqual(new Date('2026-03-10T12:00:00.000Z'))
    await engine.workOnce()
    expect(await engine.nextWorkAt()).toEqual(new Date('2026-03-11T12:00:00.000Z'))
  })

  test('is due when a streak will be lost, and no earlier', async () => {
    const engine = await open(streaks)
    engine.at('2026-03-10T12:00:00.000Z')
    const received: string[] = []
    await engine.subscribe('lost', { types: ['streak.lost'] }, (messages) => {
      for (const { at } of messages) received.push(at)
    })
    await engine.workOnce()
    await engine.metrics.event('words', { user: { id: 'ann', tz: 'Europe/Berlin' }, value: 1 })
    engine.at('2026-03-11T12:00:00.000Z')
    await engine.workOnce()
    expect(await engine.nextWorkAt()).toEqual(new Date('2026-03-11T23:00:00.000Z'))
    engine.at('2026-03-11T23:00:00.000Z')
    await engine.workOnce()
    expect(received).toEqual(['2026-03-11T23:00:00.000Z'])
  })

  test('is due at once after an event that a subscription waits for, and later after its handler failed', async () => {
    const engine = await open({
      ...streaks,
      achievements: { first: { name: 'First', trigger: 'metric', metric: 'words', value: 1 } },
    })
    engine.at('2026-03-10T12:00:00.000Z')
    await engine.subscribe('badges', { types: ['achievement.completed'] }, () => {
      throw new Error('The mail server is away.')
    })
    await engine.workOnce()
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })
    expect(await engine.nextWorkAt()).toEqual(new Date('2026-03-10T12:00:00.000Z'))
    await engine.workOnce()
    const [{ nextAttemptAt } = {}] = await engine.subscriptions.list()
    expect(nextAttemptAt).toMatch(/^2026-03-10T12:00:0[01]/)
    expect((await engine.nextWorkAt())?.toISOString()).toBe(nextAttemptAt)
  })

  test('is due when a run of a leaderboard begins or ends', async () => {
    const engine = await open(boards)
    engine.at('2026-03-10T12:00:00.000Z')
    await engine.subscribe('runs', { types: ['leaderboard.finished'] }, () => undefined)
    await engine.workOnce()
    expect(await engine.nextWorkAt()).toEqual(new Date('2026-03-10T13:00:00.000Z'))
  })
})
