import { TrophyApi } from '@trophyso/node'
import { expect, test } from 'vitest'
import { UUID_5, UUID_7 } from '../../support/engine.ts'
import { instant, onEachServer, refusalOf } from './official-client.ts'

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
