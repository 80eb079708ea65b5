import { describe, expect, onTestFinished, test } from 'vitest'
import type { GameDefinition, Storage } from '../../src/index.ts'
import { type Engine, onEachStorage, openOn, STORAGES } from '../support/engine.ts'
import { openServer } from '../support/http.ts'
import { createRandom, seedOfRun } from '../support/zones.ts'
import { contractOf } from './api.ts'
import {
  type Activity,
  createWrappedModel,
  type Deed,
  dateIn,
  type Period,
  type PointsOfPeriod,
  type Slice,
} from './wrapped-model.ts'

const SEED = seedOfRun()
const USERS = process.env.SOAK === undefined ? 20 : 500

const GAME: GameDefinition = {
  metrics: { words: { name: 'Words written' }, pages: { name: 'Pages read' } },
  eventAttributes: ['source', 'lang'],
  achievements: {
    thirty: { name: 'Thirty', trigger: 'metric', metric: 'words', value: 30 },
    web: { name: 'Web', trigger: 'metric', metric: 'words', value: 10, eventAttributes: { source: 'web' } },
    tour: { name: 'Tour', trigger: 'api' },
    all: { name: 'All', trigger: 'achievement', achievements: ['thirty', 'tour'] },
  },
  // No event pays and takes in the same system, so that an answer tells of every change.
  points: {
    xp: {
      name: 'XP',
      description: 'Experience',
      triggers: [
        { type: 'metric', metric: 'words', threshold: 1, points: 2 },
        { type: 'metric', metric: 'pages', threshold: 1, points: -1 },
        { type: 'achievement', achievement: 'tour', points: 10 },
      ],
    },
    coins: {
      name: 'Coins',
      maxPoints: 40,
      triggers: [
        { type: 'user_creation', points: 5 },
        { type: 'metric', metric: 'pages', threshold: 2, points: 3 },
      ],
    },
  },
}

const NAMES = { words: 'Words written', pages: 'Pages read', xp: 'XP', coins: 'Coins' }

const TIME_ZONES = [
  'Pacific/Kiritimati',
  'Pacific/Auckland',
  'Asia/Tokyo',
  'Asia/Kathmandu',
  'Europe/Paris',
  'UTC',
  'America/New_York',
  'America/Los_Angeles',
  'Pacific/Pago_Pago',
] as const

const HOUR = 3_600_000
const BORDERS = [Date.UTC(2024, 0, 1), Date.UTC(2025, 0, 1), Date.UTC(2026, 0, 1)] as const
const FIRST = Date.UTC(2023, 11, 25)
const LAST = Date.UTC(2026, 0, 10)
const AFTERWARDS = '2026-02-03T12:00:00.000Z'

interface Plan {
  readonly at: number
  readonly user: string
  /** Sent with it, when it is another one. */
  readonly tz?: string
  /** Null: the tour is completed. */
  readonly event: Pick<NonNullable<Deed['event']>, 'metric' | 'tenths' | 'attributes'> | null
}

function planOf(user: string, random: () => number): readonly Plan[] {
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const count = Math.floor(random() * 45)
  // Some write in one year only, and one in ten not at all.
  const borders = one([BORDERS, BORDERS, BORDERS.slice(1, 2)])
  const instants = Array.from({ length: random() < 0.1 ? 1 : count }, () =>
    random() < 0.6
      ? one(borders) + Math.floor((random() - 0.5) * 12 * 24 * HOUR)
      : FIRST + Math.floor(random() * (LAST - FIRST)),
  )
  return instants
    .sort((a, b) => a - b)
    .map((at, index) => {
      const attributes = {
        ...(random() < 0.5 ? { source: one(['web', 'app']) } : {}),
        ...(random() < 0.3 ? { lang: one(['fr', '__proto__']) } : {}),
      }
      const metric = one(['words', 'words', 'words', 'pages'])
      const tenths = random() < 0.15 ? -Math.floor(random() * 30) : Math.floor(random() * 120)
      return {
        at,
        user,
        ...(index === 0 || random() < 0.15 ? { tz: one(TIME_ZONES) } : {}),
        event: random() < 0.06 ? null : { metric, tenths, attributes },
      }
    })
}

function planAll(seed: number): readonly Plan[] {
  const random = createRandom(seed)
  const users = Array.from({ length: USERS }, (_, index) => `user-${index}`)
  return users.flatMap((user) => planOf(user, random)).sort((a, b) => a.at - b.at)
}

/** Does what is planned, each at its instant, and keeps what was answered. */
async function live(engine: Engine, plans: readonly Plan[]): Promise<readonly Deed[]> {
  const zones = new Map<string, string>()
  const known = new Map<string, Set<string>>()
  const deeds: Deed[] = []
  for (const { at, user, tz, event } of plans) {
    engine.at(new Date(at).toISOString())
    zones.set(user, tz ?? zones.get(user) ?? 'UTC')
    const date = dateIn(zones.get(user) ?? 'UTC', at)
    const profile = { id: user, ...(tz === undefined ? {} : { tz }) }
    const has = known.get(user) ?? new Set<string>()
    known.set(user, has)
    if (event === null) {
      const answer = await engine.achievements.complete('tour', { user: profile })
      const all = await engine.users.achievements(user)
      const achievements = all
        .filter(({ key }) => !has.has(key))
        .map(({ key, achievedAt }) => ({ key, achievedAt: achievedAt ?? '' }))
      for (const { key } of achievements) has.add(key)
      deeds.push({ user, date, event: null, added: addedIn(answer.points), achievements })
      continue
    }
    const { metric, tenths, attributes } = event
    const answer = await engine.metrics.event(metric, { user: profile, value: tenths / 10, attributes })
    const achievements = answer.achievements.map(({ key, achievedAt }) => ({ key, achievedAt: achievedAt ?? '' }))
    for (const { key } of achievements) has.add(key)
    deeds.push({ user, date, event: { ...event, total: answer.total }, added: addedIn(answer.points), achievements })
  }
  return deeds
}

function addedIn(points: { readonly [system: string]: { readonly added: number } }): Deed['added'] {
  return Object.fromEntries(Object.entries(points).map(([system, { added }]) => [system, added]))
}

type Parts<T> = { readonly [Key in keyof T]: T[Key] }

/** Percentages agree when they do to the first decimal: rounding to two is not judged. */
const near = (percent: number): number => expect.closeTo(percent, 1)

const roughly = <T extends Slice>({ percentChange, ...slice }: T): object => ({
  ...slice,
  percentChange: near(percentChange),
})

const mapped = <T>(all: { readonly [key: string]: T }, map: (one: T) => object): Parts<{ [key: string]: object }> =>
  Object.fromEntries(Object.entries(all).map(([key, one]) => [key, map(one)]))

function expectedPoints({ percentileThisPeriod, ...points }: PointsOfPeriod): object {
  const percentile = percentileThisPeriod === undefined ? {} : { percentileThisPeriod: near(percentileThisPeriod) }
  return { ...roughly(points), ...percentile }
}

function expectedPeriod<T extends Period>({ metrics, points, ...rest }: T): object {
  return {
    ...rest,
    metrics: mapped(metrics, ({ byAttribute, ...metric }) => ({
      ...expectedPoints(metric),
      byAttribute: mapped(byAttribute, (values) => mapped(values, roughly)),
    })),
    points: mapped(points, expectedPoints),
  }
}

function expectedActivity(activity: Activity): object {
  return {
    ...activity,
    mostActiveDay: expectedPeriod(activity.mostActiveDay),
    mostActiveWeek: expectedPeriod(activity.mostActiveWeek),
    mostActiveMonth: expectedPeriod(activity.mostActiveMonth),
    entireYear: expectedPeriod(activity.entireYear),
  }
}

type Json = { readonly [key: string]: unknown }

const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value))
const without = (value: unknown, ...names: string[]): Json =>
  Object.fromEntries(Object.entries(value as Json).filter(([name]) => !names.includes(name)))

/** What was answered, without what the model leaves out. */
function answeredPeriod(value: unknown): object {
  const { metrics, points, achievements, ...rest } = without(value, 'leaderboards', 'longestStreak')
  const list = achievements as { readonly key: string; readonly achievedAt: string }[]
  return {
    ...rest,
    metrics: mapped(metrics as Json, (metric) => ({
      ...without(metric, 'units'),
      byAttribute: mapped((metric as { byAttribute: Json }).byAttribute, (values) =>
        mapped(values as Json, (slice) => without(slice, 'units')),
      ),
    })),
    points: mapped(points as Json, (system) => without(system, 'description')),
    achievements: list.map(({ key, achievedAt }) => ({ key, achievedAt })).sort((a, b) => (a.key < b.key ? -1 : 1)),
  }
}

function answeredActivity(answer: unknown): object {
  const { activity } = asJson(answer)
  const { mostActiveDay, mostActiveWeek, mostActiveMonth, entireYear, ...counts } = activity as Json
  return {
    ...counts,
    mostActiveDay: answeredPeriod(mostActiveDay),
    mostActiveWeek: answeredPeriod(mostActiveWeek),
    mostActiveMonth: answeredPeriod(mostActiveMonth),
    entireYear: answeredPeriod(entireYear),
  }
}

const RANGES = [
  ['daily', '2024-12-20', '2025-01-10'],
  ['daily', '2023-12-25', '2024-12-31'],
  ['weekly', '2024-12-11', '2026-01-02'],
  ['monthly', '2024-12-15', '2026-01-05'],
] as const

describe.each(STORAGES)('a year in review on $name', ({ create }: { create: () => Storage }) => {
  const title = `and the event summaries are those of a naive recount, for ${USERS} random users (seed ${SEED})`
  test(title, { timeout: 1_800_000 }, async () => {
    const engine = await openOn(create(), { now: AFTERWARDS }, GAME)
    onTestFinished(() => engine.close())
    const deeds = await live(engine, planAll(SEED))
    engine.at(AFTERWARDS)
    const model = createWrappedModel(deeds, NAMES)
    const { users } = contractOf(engine)
    const ids = new Set(deeds.map((deed) => deed.user))
    for (const user of ids) {
      for (const [aggregation, startDate, endDate] of RANGES) {
        for (const metric of ['words', 'pages']) {
          const request = { aggregation, startDate, endDate }
          const items = await engine.users.metricEventSummary(user, metric, request)
          expect({ user, metric, request, items }).toEqual({
            user,
            metric,
            request,
            items: model.eventSummary(user, metric, aggregation, startDate, endDate),
          })
        }
      }
    }
    for (const user of ids) {
      for (const [aggregation, startDate, endDate] of RANGES) {
        for (const system of ['xp', 'coins']) {
          const request = { aggregation, startDate, endDate }
          const items = await users.pointsEventSummary(user, system, request)
          expect({ user, system, request, items }).toEqual({
            user,
            system,
            request,
            items: model.pointsSummary(user, system, aggregation, startDate, endDate),
          })
        }
      }
      for (const year of [2023, 2024, 2025, 2026]) {
        const answer = await users.wrapped(user, { year })
        expect({ user, year, ...answeredActivity(answer) }).toEqual({
          user,
          year,
          ...expectedActivity(model.wrapped(user, year)),
        })
        expect(asJson(answer).user).toEqual(asJson(await engine.users.get(user)))
      }
    }
  })
})

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

test('the recount itself has the literal values of a small year', () => {
  const deed = (user: string, date: string, value: number, source?: string): Deed => ({
    user,
    date,
    event: { metric: 'words', tenths: value * 10, attributes: source === undefined ? {} : { source }, total: 60 },
    added: { xp: value },
    achievements: [],
  })
  const model = createWrappedModel(
    [
      deed('ann', '2024-12-10', 40),
      deed('ann', '2025-03-03', 10, 'web'),
      deed('ann', '2025-03-12', 4),
      deed('ann', '2025-03-13', 1, 'web'),
      deed('ann', '2025-03-13', 2),
      deed('bob', '2025-03-14', 100),
      deed('ann', '2025-06-01', 3),
    ],
    NAMES,
  )
  const year = model.wrapped('ann', 2025)
  const counts = { daysActive: 4, weeksActive: 3, monthsActive: 2 }
  const web = { name: 'Words written', currentTotal: 11, changeThisPeriod: 1, percentChange: 100 }
  const words = { name: 'Words written', currentTotal: 60 }
  const xp = { name: 'XP', currentTotal: 60 }
  expect(year).toMatchObject({
    ...counts,
    mostActiveDay: {
      date: '2025-03-13',
      metrics: { words: { ...words, changeThisPeriod: 3, percentChange: -25, byAttribute: { source: { web } } } },
      points: { xp: { ...xp, changeThisPeriod: 3, percentChange: -25 } },
    },
    mostActiveWeek: {
      start: '2025-03-10',
      end: '2025-03-16',
      metrics: { words: { ...words, changeThisPeriod: 7, percentChange: -30, percentileThisPeriod: 50 } },
    },
    mostActiveMonth: { month: 2, points: { xp: { ...xp, changeThisPeriod: 17, percentChange: 100 } } },
    entireYear: { metrics: { words: { ...words, changeThisPeriod: 20, percentChange: -50 } } },
  })
  expect(year.mostActiveDay.metrics.words).not.toHaveProperty('percentileThisPeriod')
  expect(model.wrapped('ann', 2023)).toEqual({
    daysActive: 0,
    weeksActive: 0,
    monthsActive: 0,
    mostActiveDay: { date: '2023-01-01', metrics: {}, points: {}, achievements: [] },
    mostActiveWeek: { start: '2022-12-26', end: '2023-01-01', metrics: {}, points: {}, achievements: [] },
    mostActiveMonth: { month: 0, metrics: {}, points: {}, achievements: [] },
    entireYear: { metrics: {}, points: {}, achievements: [] },
  })
  expect(model.pointsSummary('ann', 'xp', 'weekly', '2025-03-05', '2025-03-12')).toEqual([
    { date: '2025-03-03', total: 50, change: 0 },
    { date: '2025-03-10', total: 54, change: 4 },
  ])
})

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
