import { describe, expect, onTestFinished, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { type Engine, onEachStorage } from '../support/engine.ts'
import { openServer } from '../support/http.ts'
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
    month: {
      name: 'Month',
      rankBy: 'points',
      system: 'xp',
      start: '2025-01-01',
      run: { unit: 'month', interval: 1 },
    },
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

  test('has the longest streak that stood in the year, though it began before it', async () => {
    const engine = await open(BOARDS)
    for (const day of [
      '2024-12-30',
      '2024-12-31',
      '2025-01-01',
      '2025-01-02',
      '2025-06-01',
      '2025-06-02',
      '2025-06-03',
    ]) {
      await write(engine, `${day}T12:00:00.000Z`, 'ann', 1)
    }
    engine.at('2025-12-01T12:00:00.000Z')
    expect((await yearOf(engine, 'ann', 2025)).entireYear.longestStreak).toEqual({
      length: 4,
      frequency: 'daily',
      started: '2024-12-30',
      periodStart: '2025-01-02',
      periodEnd: '2025-01-02',
    })
    expect((await yearOf(engine, 'ann', 2024)).entireYear.longestStreak).toEqual({
      length: 2,
      frequency: 'daily',
      started: '2024-12-30',
      periodStart: '2024-12-31',
      periodEnd: '2024-12-31',
    })
  })

  test('has the best place of each leaderboard whose run shares a date with the period', async () => {
    const engine = await open(BOARDS)
    await write(engine, '2025-02-10T12:00:00.000Z', 'bob', 50)
    await write(engine, '2025-02-11T12:00:00.000Z', 'ann', 20)
    await write(engine, '2025-04-07T12:00:00.000Z', 'bob', 5)
    await write(engine, '2025-04-08T12:00:00.000Z', 'ann', 6)
    await write(engine, '2025-04-08T13:00:00.000Z', 'ann', 1)
    engine.at('2025-12-01T12:00:00.000Z')
    const { entireYear, mostActiveMonth } = await yearOf(engine, 'ann')
    const april = { key: 'month', name: 'Month', start: '2025-04-01', end: '2025-04-30', rank: 1, value: 7 }
    const ever = { key: 'ever', name: 'Ever', start: '2020-01-01', end: null, rank: 2, value: 27 }
    expect(mostActiveMonth.month).toBe(3)
    expect(entireYear.leaderboards).toMatchObject({ ever, month: april })
    expect(mostActiveMonth.leaderboards).toMatchObject({ ever, month: april })
    expect(Object.keys(entireYear.leaderboards).sort()).toEqual(['ever', 'month'])
  })
})

describe('over HTTP', () => {
  test('a year and a points event summary are those in-process, and wrong parameters are 422', async () => {
    const server = await openServer({ definition: BOARDS })
    onTestFinished(() => server.close())
    await write(server.engine, '2026-03-03T12:00:00.000Z', 'ann', 10)
    const { users } = contractOf(server.engine)
    const year = await server.call('GET', '/v1/users/ann/wrapped?year=2026')
    expect({ status: year.status, body: year.body }).toEqual({
      status: 200,
      body: asJson(await users.wrapped('ann', { year: 2026 })),
    })
    const range = 'startDate=2026-03-02&endDate=2026-03-04'
    const summary = await server.call('GET', `/v1/users/ann/points/xp/event-summary?aggregation=daily&${range}`)
    expect({ status: summary.status, body: summary.body }).toEqual({
      status: 200,
      body: [
        { date: '2026-03-02', total: 0, change: 0 },
        { date: '2026-03-03', total: 10, change: 10 },
        { date: '2026-03-04', total: 10, change: 0 },
      ],
    })
    const wrong = [
      '/wrapped?year=2027',
      '/wrapped?year=0',
      '/wrapped?year=x',
      '/wrapped?year=2025.5',
      `/points/xp/event-summary?${range}`,
      `/points/xp/event-summary?aggregation=yearly&${range}`,
      '/points/xp/event-summary?aggregation=daily&startDate=2026-03-04',
      '/points/xp/event-summary?aggregation=daily&startDate=2026-03-04&endDate=2026-03-04',
      '/points/xp/event-summary?aggregation=daily&startDate=2024-02-30&endDate=2024-03-04',
      '/points/xp/event-summary?aggregation=daily&startDate=2025-01-01&endDate=2026-02-06',
    ]
    for (const path of wrong) {
      const { status, body } = await server.call('GET', `/v1/users/ann${path}`)
      expect({ path, status, code: body.code }).toEqual({ path, status: 422, code: 'invalid_request' })
    }
    const longest = '/points/xp/event-summary?aggregation=daily&startDate=2025-01-01&endDate=2026-02-05'
    const days = await server.call('GET', `/v1/users/ann${longest}`)
    expect({ status: days.status, days: days.body.length }).toEqual({ status: 200, days: 401 })
    const missing = [
      ['/v1/users/zoe/wrapped', 'unknown_user'],
      [`/v1/users/zoe/points/xp/event-summary?aggregation=daily&${range}`, 'unknown_user'],
      [`/v1/users/ann/points/none/event-summary?aggregation=daily&${range}`, 'unknown_points_system'],
      ['/v1/users/zoe/points/xp/boosts', 'unknown_user'],
      ['/v1/users/ann/points/none/boosts', 'unknown_points_system'],
      ['/v1/points/none/boosts', 'unknown_points_system'],
    ] as const
    for (const [path, code] of missing) {
      const { status, body } = await server.call('GET', path)
      expect({ path, status, code: body.code }).toEqual({ path, status: 404, code })
    }
  })
})
