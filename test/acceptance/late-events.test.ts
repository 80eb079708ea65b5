import { expect, test } from 'vitest'
import type { GameDefinition, MetricEventRequest } from '../../src/index.ts'
import { add, codeOf, type Engine, onEachStorage } from '../support/engine.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' }, spent: { name: 'Spent' }, fines: { name: 'Fines' } },
  eventAttributes: ['source'],
  userAttributes: ['plan'],
  achievements: {
    hundred: { name: 'A hundred', trigger: 'metric', metric: 'words', value: 100 },
    three: { name: 'Three days', trigger: 'streak', length: 3 },
    tour: { name: 'Tour', trigger: 'api' },
    pro: { name: 'Pro', trigger: 'metric', metric: 'words', value: 50, userAttributes: { plan: 'pro' } },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'metric', metric: 'words', threshold: 100, points: 10 },
        { type: 'achievement', achievement: 'hundred', points: 50 },
        { type: 'metric', metric: 'fines', threshold: 1, points: -5 },
        { type: 'metric', metric: 'spent', threshold: 1, points: -1, blockIfOutOfPoints: true },
      ],
      levels: { bronze: { name: 'Bronze', points: 50 } },
    },
  },
  streak: { frequency: 'daily', metrics: { words: {} } },
}

const addOn = (engine: Engine, date: string, value: number, rest: Partial<MetricEventRequest> = {}) =>
  add(engine, 'words', value, { occurredAt: new Date(`${date}T09:00:00.000Z`), ...rest })

const achieved = async (engine: Engine, key: string) =>
  (await engine.users.achievements('ann')).find((achievement) => achievement.key === key)?.achievedAt

onEachStorage('section 6: an event with occurredAt', (open) => {
  test('has that instant', async () => {
    const engine = await open(game)
    const { achievements, points, currentStreak } = await addOn(engine, '2026-03-09', 100)
    expect(achievements).toMatchObject([{ key: 'hundred', achievedAt: '2026-03-09T09:00:00.000Z' }])
    expect(points.xp?.awards.map(({ date }) => date)).toEqual(['2026-03-09T09:00:00.000Z', '2026-03-09T09:00:00.000Z'])
    expect(currentStreak).toMatchObject({ length: 1, started: '2026-03-09' })
  })

  test('adds to the total, and its idempotency key counts', async () => {
    const engine = await open(game)
    await addOn(engine, '2026-03-10', 60)
    expect(await addOn(engine, '2026-03-05', 30, { idempotencyKey: 'k' })).toMatchObject({
      total: 90,
      idempotentReplayed: false,
    })
    expect(await addOn(engine, '2026-03-06', 30, { idempotencyKey: 'k' })).toMatchObject({
      total: 90,
      idempotentReplayed: true,
    })
    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(90)
  })

  test('in any order the state is as if the events had come in order', async () => {
    const events = [
      ['2026-03-04', 40],
      ['2026-03-05', 70],
      ['2026-03-06', -80],
      ['2026-03-07', 190],
      ['2026-03-09', 5],
    ] as const
    for (const order of [
      [0, 1, 2, 3, 4],
      [4, 3, 2, 1, 0],
      [2, 0, 4, 1, 3],
    ]) {
      const engine = await open(game)
      for (const index of order) {
        const [date, value] = events[index] ?? ['', 0]
        await addOn(engine, date, value)
      }
      expect((await engine.users.singleMetric('ann', 'words')).current).toBe(225)
      expect(await engine.users.points('ann', 'xp')).toMatchObject({
        total: 70,
        level: { key: 'bronze' },
        awards: [
          { awarded: 10, total: 70, date: '2026-03-07T09:00:00.000Z' },
          { awarded: 50, total: 60, date: '2026-03-05T09:00:00.000Z' },
          { awarded: 10, total: 10, date: '2026-03-05T09:00:00.000Z' },
        ],
      })
      expect(await achieved(engine, 'hundred')).toBe('2026-03-05T09:00:00.000Z')
      expect(await engine.users.streak('ann')).toMatchObject({
        length: 1,
        started: '2026-03-09',
        expires: '2026-03-10',
      })
    }
  })

  test('ahead of the clock is the newest: an event without occurredAt does not go back behind it', async () => {
    const engine = await open(game)
    await add(engine, 'words', 60, { occurredAt: new Date('2026-03-10T12:05:00.000Z') })
    expect((await add(engine, 'words', 40)).achievements).toMatchObject([
      { key: 'hundred', achievedAt: '2026-03-10T12:05:00.000Z' },
    ])
  })

  test('that is late never takes a completion away, and completionId stays', async () => {
    const engine = await open(game)
    const tour = await engine.achievements.complete('tour', { user: { id: 'ann' } })
    await addOn(engine, '2026-03-05', 100)
    await addOn(engine, '2026-03-04', -50)
    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(50)
    expect(await achieved(engine, 'hundred')).toEqual(expect.any(String))
    expect((await engine.achievements.all()).find(({ key }) => key === 'hundred')).toMatchObject({ completions: 1 })
    expect((await engine.achievements.complete('tour', { user: { id: 'ann' } })).completionId).toBe(tour.completionId)
  })

  test('that is late never un-accepts another: the points total stops at 0 instead', async () => {
    const engine = await open(game)
    await addOn(engine, '2026-03-05', 100)
    await add(engine, 'spent', 58, { occurredAt: new Date('2026-03-07T09:00:00.000Z') })
    expect((await engine.users.points('ann', 'xp')).total).toBe(2)
    await add(engine, 'fines', 1, { occurredAt: new Date('2026-03-06T09:00:00.000Z') })
    expect((await engine.users.singleMetric('ann', 'spent')).current).toBe(58)
    expect((await engine.users.points('ann', 'xp')).total).toBe(0)
  })

  test('that is late is refused when a running total would leave the bounds anywhere', async () => {
    const engine = await open(game)
    await addOn(engine, '2026-03-05', 1e15)
    await addOn(engine, '2026-03-06', -1e15)
    expect(await codeOf(addOn(engine, '2026-03-04', 10, { idempotencyKey: 'k' }))).toBe('total_out_of_range')
    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(0)
    expect(await addOn(engine, '2026-03-07', 10, { idempotencyKey: 'k' })).toMatchObject({
      total: 10,
      idempotentReplayed: false,
    })
  })

  test('that is late and out of points at its own instant is refused', async () => {
    const engine = await open(game)
    await addOn(engine, '2026-03-05', 100)
    const early = new Date('2026-03-04T09:00:00.000Z')
    expect(await codeOf(add(engine, 'spent', 1, { occurredAt: early }))).toBe('out_of_points')
    expect((await engine.users.points('ann', 'xp')).total).toBe(60)
  })
})
