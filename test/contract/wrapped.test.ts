// @heavy: It takes more than three seconds.

import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { type Engine, onEachStorage } from '../support/engine.ts'
import { contractOf } from './api.ts'

type Json = { readonly [key: string]: unknown }

const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value))

const BOARDS: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  eventAttributes: ['source'],
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 1 }] } },
  streak: { frequency: 'daily', metrics: { words: {} } },
  leaderboards: {
    ever: { name: 'Ever', rankBy: 'metric', metric: 'words', start: '2020-01-01' },
    month: { name: 'Month', rankBy: 'points', system: 'xp', start: '2025-01-01', run: { unit: 'month', interval: 1 } },
    later: { name: 'Later', rankBy: 'metric', metric: 'words', start: '2027-01-01' },
  },
}

const yearOf = async (engine: Engine, user: string, year?: number) => {
  const answer = await contractOf(engine).users.wrapped(user, year === undefined ? {} : { year })
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
  return (asJson(answer) as any).activity
}

const write = async (engine: Engine, at: string, user: string, value: number, more: object = {}) => {
  engine.at(at)
  await engine.metrics.event('words', { user: { id: user }, value, ...more })
}

onEachStorage('a year in review', (open) => {
  test('has literal values in each period', async () => {
    const engine = await open(BOARDS)
    await write(engine, '2024-12-10T12:00:00.000Z', 'ann', 40)
    await write(engine, '2025-03-03T12:00:00.000Z', 'ann', 10, { attributes: { source: 'web' } })
    await write(engine, '2025-03-12T12:00:00.000Z', 'ann', 4)
    await write(engine, '2025-03-13T12:00:00.000Z', 'ann', 1, { attributes: { source: 'web' } })
    await write(engine, '2025-03-13T13:00:00.000Z', 'ann', 2)
    await write(engine, '2025-03-14T12:00:00.000Z', 'bob', 100)
    await write(engine, '2025-06-01T12:00:00.000Z', 'ann', 3)
    engine.at('2025-12-01T12:00:00.000Z')
    const activity = await yearOf(engine, 'ann')
    expect(activity).toMatchObject({ daysActive: 4, weeksActive: 3, monthsActive: 2 })
    const words = { name: 'Words written', currentTotal: 60 }
    expect(activity.mostActiveDay).toMatchObject({
      date: '2025-03-13',
      metrics: {
        words: {
          ...words,
          changeThisPeriod: 3,
          percentChange: -25,
          byAttribute: {
            source: { web: { name: 'Words written', currentTotal: 11, changeThisPeriod: 1, percentChange: 100 } },
          },
        },
      },
      points: { xp: { name: 'XP', currentTotal: 60, changeThisPeriod: 3, percentChange: -25 } },
      achievements: [],
    })
    expect(activity.mostActiveDay.metrics.words).not.toHaveProperty('percentileThisPeriod')
    expect(activity.mostActiveWeek).toMatchObject({
      start: '2025-03-10',
      end: '2025-03-16',
      // Bob has 100 in that week. Ann had 10 in the week before.
      metrics: { words: { ...words, changeThisPeriod: 7, percentChange: -30, percentileThisPeriod: 50 } },
    })
    expect(activity.mostActiveMonth).toMatchObject({
      month: 2,
      metrics: { words: { ...words, changeThisPeriod: 17, percentChange: 100, percentileThisPeriod: 50 } },
    })
    expect(activity.entireYear).toMatchObject({
      metrics: { words: { ...words, changeThisPeriod: 20, percentChange: -50, percentileThisPeriod: 50 } },
      points: { xp: { name: 'XP', currentTotal: 60, changeThisPeriod: 20, percentChange: -50 } },
    })
    expect((await yearOf(engine, 'bob')).entireYear.metrics.words.percentileThisPeriod).toBe(100)
  })

  test('without any event has 1 January, and everything is empty or zero', async () => {
    const engine = await open(BOARDS)
    await engine.users.create({ id: 'ann' })
    const empty = { metrics: {}, points: {}, achievements: [], leaderboards: {} }
    const longestStreak = { length: 0, frequency: 'daily', periodStart: null, periodEnd: null, started: null }
    expect(await yearOf(engine, 'ann', 2025)).toEqual({
      daysActive: 0,
      weeksActive: 0,
      monthsActive: 0,
      mostActiveDay: { ...empty, date: '2025-01-01' },
      mostActiveWeek: { ...empty, start: '2024-12-30', end: '2025-01-05' },
      mostActiveMonth: { ...empty, month: 0 },
      entireYear: { ...empty, longestStreak },
    })
  })

  test('has the year of the user’s zone, and refuses the years after it', async () => {
    const engine = await open(BOARDS)
    engine.at('2025-12-30T12:00:00.000Z')
    await engine.users.create({ id: 'ann', tz: 'Pacific/Auckland' })
    await engine.users.create({ id: 'bob', tz: 'America/New_York' })
    await write(engine, '2025-12-31T11:30:00.000Z', 'ann', 1)
    await write(engine, '2025-12-31T11:30:00.000Z', 'bob', 1)
    const { users } = contractOf(engine)
    expect(await yearOf(engine, 'ann')).toMatchObject({ daysActive: 1, mostActiveDay: { date: '2026-01-01' } })
    expect(await yearOf(engine, 'ann', 2025)).toMatchObject({ daysActive: 0, mostActiveDay: { date: '2025-01-01' } })
    expect(await yearOf(engine, 'bob')).toMatchObject({ daysActive: 1, mostActiveDay: { date: '2025-12-31' } })
    await expect(users.wrapped('bob', { year: 2026 })).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(users.wrapped('ann', { year: 2027 })).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(users.wrapped('ann', { year: 0 })).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(users.wrapped('ann', { year: 2025.5 })).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(users.wrapped('zoe')).rejects.toMatchObject({ code: 'unknown_user' })
    expect(await yearOf(engine, 'ann', 1)).toMatchObject({ daysActive: 0, mostActiveDay: { date: '0001-01-01' } })
  })
})
