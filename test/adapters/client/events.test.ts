import { TrophyApi } from '@trophyso/node'
import { expect, test } from 'vitest'
import { UUID_5, UUID_7 } from '../../support/engine.ts'
import { GAME, instant, onEachServer, refusalOf } from './official-client.ts'

const ann = { id: 'ann' }

onEachServer('metrics.event', (start) => {
  test('answers every effect of an event', async () => {
    const { client } = await start()
    const answer = await client.metrics.event('words', {
      user: { id: 'ann', email: 'ann@example.com', tz: 'Europe/London', attributes: { plan: 'pro' } },
      value: 1250,
      attributes: { source: 'mobile' },
    })
    expect(answer).toEqual({
      metricId: UUID_5,
      eventId: UUID_7,
      total: 1250,
      achievements: expect.any(Array),
      currentStreak: {
        length: 1,
        frequency: 'daily',
        started: '2026-03-10',
        periodStart: '2026-03-10',
        periodEnd: '2026-03-10',
        expires: '2026-03-11',
        extended: true,
      },
      points: {
        xp: {
          id: UUID_5,
          key: 'xp',
          name: 'XP',
          description: 'Experience',
          badgeUrl: 'https://example.com/xp.png',
          maxPoints: 10_000,
          total: 700,
          added: 700,
          level: {
            id: UUID_5,
            key: 'silver',
            name: 'Silver',
            description: 'Second of two',
            badgeUrl: 'https://example.com/silver.png',
            points: 500,
          },
          awards: [
            {
              id: UUID_5,
              awarded: 20,
              date: '2026-03-10T12:00:00.000Z',
              total: 20,
              trigger: {
                id: UUID_5,
                type: 'user_creation',
                points: 20,
                status: 'active',
                userAttributes: [],
                created: '1970-01-01T00:00:00.000Z',
                updated: '1970-01-01T00:00:00.000Z',
              },
            },
            {
              id: UUID_5,
              awarded: 120,
              date: '2026-03-10T12:00:00.000Z',
              total: 140,
              trigger: {
                id: UUID_5,
                type: 'metric',
                points: 10,
                status: 'active',
                userAttributes: [],
                metricId: UUID_5,
                metricName: 'Words written',
                metricThreshold: 100,
                eventAttributes: [],
                created: '2026-01-05T09:00:00.000Z',
                updated: '2026-02-01T10:30:00.250Z',
              },
            },
            {
              id: UUID_5,
              awarded: 60,
              date: '2026-03-10T12:00:00.000Z',
              total: 200,
              trigger: {
                id: UUID_5,
                type: 'metric',
                points: 5,
                status: 'active',
                userAttributes: [{ key: 'plan', value: 'pro' }],
                metricId: UUID_5,
                metricName: 'Words written',
                metricThreshold: 100,
                eventAttributes: [{ key: 'source', value: 'mobile' }],
                eventAttribute: { key: 'source', value: 'mobile' },
                created: '1970-01-01T00:00:00.000Z',
                updated: '1970-01-01T00:00:00.000Z',
              },
            },
            {
              id: UUID_5,
              awarded: 500,
              date: '2026-03-10T12:00:00.000Z',
              total: 700,
              trigger: {
                id: UUID_5,
                type: 'achievement',
                points: 500,
                status: 'active',
                userAttributes: [],
                achievementId: UUID_5,
                achievementName: 'Novelist',
                created: '1970-01-01T00:00:00.000Z',
                updated: '1970-01-01T00:00:00.000Z',
              },
            },
          ],
        },
      },
      leaderboards: {},
    })
    expect(answer.achievements).toHaveLength(2)
    expect(answer.achievements.find(({ key }) => key === 'novelist')).toEqual({
      id: UUID_5,
      key: 'novelist',
      trigger: 'metric',
      name: 'Novelist',
      description: 'A thousand words.',
      badgeUrl: 'https://example.com/novelist.png',
      userAttributes: [],
      metricId: answer.metricId,
      metricName: 'Words written',
      metricValue: 1000,
      eventAttributes: [],
      achievedAt: instant('2026-03-10T12:00:00.000Z'),
    })
    expect(answer.achievements.find(({ key }) => key === 'mobile')).toEqual({
      id: UUID_5,
      key: 'mobile',
      trigger: 'metric',
      name: 'On the road',
      userAttributes: [],
      metricId: answer.metricId,
      metricName: 'Words written',
      metricValue: 100,
      eventAttribute: { key: 'source', value: 'mobile' },
      eventAttributes: [{ key: 'source', value: 'mobile' }],
      achievedAt: instant('2026-03-10T12:00:00.000Z'),
    })
  })

  test('answers an event without any effect, and a streak of length 0', async () => {
    const { client } = await start()
    await client.users.create({ id: 'ann' })
    expect(await client.metrics.event('words', { user: ann, value: 99.5 })).toEqual({
      metricId: UUID_5,
      eventId: UUID_7,
      total: 99.5,
      achievements: [],
      currentStreak: { length: 0, frequency: 'daily', extended: false },
      points: {},
      leaderboards: {},
    })
  })

  test('answers achievements of a streak and composite ones, whose trigger the client does not know', async () => {
    const { client, engine } = await start()
    await client.achievements.complete('onboarded', { user: ann })
    await client.metrics.event('words', { user: ann, value: 100 })
    engine.at('2026-03-11T09:30:00.125Z')
    const { achievements, currentStreak, points } = await client.metrics.event('words', { user: ann, value: 900 })
    expect(achievements.map(({ key }) => key).sort()).toEqual(['all-rounder', 'novelist', 'two-days'])
    expect(achievements.find(({ key }) => key === 'two-days')).toEqual({
      id: UUID_5,
      key: 'two-days',
      trigger: 'streak',
      name: 'Two days',
      userAttributes: [],
      streakLength: 2,
      achievedAt: instant('2026-03-11T09:30:00.125Z'),
    })
    expect(achievements.find(({ key }) => key === 'all-rounder')).toEqual({
      id: UUID_5,
      key: 'all-rounder',
      trigger: 'achievement',
      name: 'All-rounder',
      userAttributes: [],
      achievements: ['novelist', 'onboarded'],
      achievementIds: [UUID_5, UUID_5],
      achievedAt: instant('2026-03-11T09:30:00.125Z'),
    })
    expect(currentStreak).toEqual({
      length: 2,
      frequency: 'daily',
      started: '2026-03-10',
      periodStart: '2026-03-11',
      periodEnd: '2026-03-11',
      expires: '2026-03-12',
      extended: true,
    })
    expect(points.xp?.awards.map(({ awarded, total }) => [awarded, total])).toEqual([
      [90, 120],
      [500, 620],
      [1000, 1620],
      [50, 1670],
    ])
    expect(points.xp?.awards.at(-1)?.trigger).toEqual({
      id: UUID_5,
      type: 'streak',
      points: 50,
      status: 'active',
      userAttributes: [],
      streakLengthThreshold: 2,
      created: '1970-01-01T00:00:00.000Z',
      updated: '1970-01-01T00:00:00.000Z',
    })
  })

  test('answers a level that changed, none where it did not, and null below every level', async () => {
    const { client } = await start()
    const bronze = { id: UUID_5, key: 'bronze', name: 'Bronze', description: '', badgeUrl: null, points: 50 }
    const first = await client.metrics.event('words', { user: ann, value: 300 })
    expect(first.points.xp).toMatchObject({ total: 50, added: 50, level: bronze })
    const second = await client.metrics.event('words', { user: ann, value: 100 })
    expect(second.points.xp).toMatchObject({ total: 60, added: 10 })
    expect(second.points.xp).not.toHaveProperty('level')
    const third = await client.metrics.event('hints', { user: ann, value: 1 })
    expect(third.points.xp).toMatchObject({ total: 45, added: -15, level: null, awards: [{ awarded: -15, total: 45 }] })
  })

  test('adds negative and decimal values', async () => {
    const { client } = await start()
    for (let count = 1; count < 10; count += 1) await client.metrics.event('pages', { user: ann, value: 0.1 })
    expect((await client.metrics.event('pages', { user: ann, value: 0.1 })).total).toBe(1)
    expect((await client.metrics.event('pages', { user: ann, value: -3.25 })).total).toBe(-2.25)
    expect((await client.metrics.event('pages', { user: ann, value: -0 })).total).toBe(-2.25)
    expect((await client.metrics.event('words', { user: ann, value: 1e15 })).total).toBe(1e15)
  })

  test('counts events that arrive at once, all of them', async () => {
    const { client } = await start()
    const events = Array.from({ length: 20 }, () => client.metrics.event('words', { user: ann, value: 5 }))
    const totals = (await Promise.all(events)).map(({ total }) => total).sort((a, b) => a - b)
    expect(totals).toEqual(Array.from({ length: 20 }, (_, index) => (index + 1) * 5))
  })

  test('stores the user with the event', async () => {
    const { client } = await start()
    const user = {
      id: 'ann',
      email: 'ann@example.com',
      name: 'Ann 🦉',
      tz: 'Asia/Tokyo',
      deviceTokens: ['token-1'],
      subscribeToEmails: false,
      attributes: { plan: 'pro' },
    }
    await client.metrics.event('words', { user, value: 1 })
    await client.metrics.event('words', { user: { id: 'ann', attributes: { country: 'fr' } }, value: 1 })
    expect(await client.users.get('ann')).toMatchObject({
      ...user,
      attributes: { plan: 'pro', country: 'fr' },
    })
  })
})

onEachServer('metrics.event with an idempotency key', (start) => {
  test('answers idempotentReplayed and the key, which are absent without one', async () => {
    const { client } = await start()
    const first = await client.metrics.event('words', { idempotencyKey: 'chapter-1', user: ann, value: 5 })
    expect(first).toMatchObject({ total: 5, idempotentReplayed: false, idempotencyKey: 'chapter-1' })
    const plain = await client.metrics.event('words', { user: ann, value: 5 })
    expect(plain.idempotentReplayed).toBe(undefined)
    expect(plain.idempotencyKey).toBe(undefined)
  })

  test('a replay answers the present state and changes nothing, the profile included', async () => {
    const { client, engine } = await start()
    const first = await client.metrics.event('words', { idempotencyKey: 'chapter-1', user: ann, value: 1000 })
    await client.metrics.event('words', { user: ann, value: 1 })
    engine.at('2026-03-11T12:00:00.000Z')
    const again = await client.metrics.event('words', {
      idempotencyKey: 'chapter-1',
      user: { id: 'ann', name: 'Another' },
      value: 7,
    })
    expect(again).toEqual({
      metricId: first.metricId,
      eventId: first.eventId,
      total: 1001,
      achievements: [],
      currentStreak: {
        length: 1,
        frequency: 'daily',
        started: '2026-03-10',
        periodStart: '2026-03-11',
        periodEnd: '2026-03-11',
        expires: '2026-03-11',
        extended: false,
      },
      points: {},
      leaderboards: {},
      idempotentReplayed: true,
      idempotencyKey: 'chapter-1',
    })
    expect((await client.users.get('ann')).name).toBe(undefined)
    expect((await client.users.singleMetric('ann', 'words')).current).toBe(1001)
    expect((await client.users.points('ann', 'xp')).total).toBe(620)
  })

  test('the key is one of its user and its metric', async () => {
    const { client } = await start()
    await client.metrics.event('words', { idempotencyKey: 'k', user: ann, value: 5 })
    const other = await client.metrics.event('pages', { idempotencyKey: 'k', user: ann, value: 5 })
    expect(other).toMatchObject({ total: 5, idempotentReplayed: false, idempotencyKey: 'k' })
    const bob = await client.metrics.event('words', { idempotencyKey: 'k', user: { id: 'bob' }, value: 5 })
    expect(bob).toMatchObject({ total: 5, idempotentReplayed: false })
  })

  test('a key sent many times at once is recorded once', async () => {
    const { client } = await start()
    const events = Array.from({ length: 20 }, () =>
      client.metrics.event('words', { idempotencyKey: 'k', user: ann, value: 5 }),
    )
    const answers = await Promise.all(events)
    expect(answers.filter(({ idempotentReplayed }) => idempotentReplayed === false)).toHaveLength(1)
    expect(answers.filter(({ idempotentReplayed }) => idempotentReplayed === true)).toHaveLength(19)
    expect(new Set(answers.map(({ eventId }) => eventId)).size).toBe(1)
    expect((await client.users.singleMetric('ann', 'words')).current).toBe(5)
  })

  test('a refused event does not use its key up', async () => {
    const { client } = await start()
    const hint = { idempotencyKey: 'k', user: ann, value: 2 }
    expect(await refusalOf(client.metrics.event('hints', hint))).toEqual({
      type: TrophyApi.UnprocessableEntityError,
      status: 422,
      code: 'out_of_points',
    })
    await client.metrics.event('words', { user: ann, value: 500 })
    expect(await client.metrics.event('hints', hint)).toMatchObject({ total: 2, idempotentReplayed: false })
  })

  test.each([
    ['of 1 character', 'k'],
    ['of 255 characters', 'k'.repeat(255)],
    ['of every visible sign', '!"#$%&\'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~'],
  ])('a key %s is kept as sent', async (_, idempotencyKey) => {
    const { client } = await start()
    const event = { idempotencyKey, user: ann, value: 5 }
    expect((await client.metrics.event('words', event)).idempotencyKey).toBe(idempotencyKey)
    expect(await client.metrics.event('words', event)).toMatchObject({ idempotentReplayed: true, idempotencyKey })
  })

  test.each([
    ['that is empty', ''],
    ['of 256 characters', 'k'.repeat(256)],
    ['with a space', 'chapter 1'],
    ['with a tab', 'chapter\t1'],
    ['outside ASCII', 'café'],
  ])('a key %s is a BadRequestError', async (_, idempotencyKey) => {
    const { client } = await start()
    expect(await refusalOf(client.metrics.event('words', { idempotencyKey, user: ann, value: 5 }))).toEqual({
      type: TrophyApi.BadRequestError,
      status: 400,
      code: 'invalid_idempotency_key',
    })
    expect(await refusalOf(client.users.get('ann'))).toMatchObject({ status: 404 })
  })
})

onEachServer('metrics.event in other games', (start) => {
  test('without a streak, achievements or points', async () => {
    const { client } = await start({ metrics: { words: { name: 'Words written' } } })
    expect(await client.metrics.event('words', { user: ann, value: 500 })).toEqual({
      metricId: UUID_5,
      eventId: UUID_7,
      total: 500,
      achievements: [],
      currentStreak: { length: 0, frequency: 'daily', extended: false },
      points: {},
      leaderboards: {},
    })
  })

  test('with a weekly and with a monthly streak', async () => {
    const weekly = await start({
      ...GAME,
      streak: { frequency: 'weekly', metrics: { pages: {} } },
      weekStartsOn: 'sunday',
    })
    expect((await weekly.client.metrics.event('pages', { user: ann, value: 1 })).currentStreak).toEqual({
      length: 1,
      frequency: 'weekly',
      started: '2026-03-08',
      periodStart: '2026-03-08',
      periodEnd: '2026-03-14',
      expires: '2026-03-21',
      extended: true,
    })
    const monthly = await start({ ...GAME, streak: { frequency: 'monthly', metrics: { pages: {} } } })
    expect((await monthly.client.metrics.event('pages', { user: ann, value: 1 })).currentStreak).toEqual({
      length: 1,
      frequency: 'monthly',
      started: '2026-03-01',
      periodStart: '2026-03-01',
      periodEnd: '2026-03-31',
      expires: '2026-04-30',
      extended: true,
    })
  })

  test('with keys that are no plain words', async () => {
    const key = 'laps ≥ 1 km 🏃'
    const { client } = await start({
      metrics: { [key]: { name: 'Laps' }, constructor: { name: 'Constructor' } },
      achievements: { 'ça va': { name: 'Ça va', trigger: 'api' } },
      points: { 'x p': { name: 'X P', triggers: [{ type: 'metric', metric: key, threshold: 1, points: 1 }] } },
    })
    expect(await client.metrics.event(key, { user: ann, value: 3 })).toMatchObject({
      total: 3,
      points: { 'x p': { key: 'x p', total: 3 } },
    })
    expect((await client.metrics.event('constructor', { user: ann, value: 4 })).total).toBe(4)
    expect((await client.users.singleMetric('ann', key)).current).toBe(3)
    expect((await client.users.points('ann', 'x p')).total).toBe(3)
    expect((await client.points.system('x p')).name).toBe('X P')
    expect((await client.achievements.complete('ça va', { user: ann })).achievement.name).toBe('Ça va')
  })
})
