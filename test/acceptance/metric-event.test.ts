// @heavy: It takes more than three seconds.

import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { add, codeOf, NOON, onEachStorage, UUID_5, UUID_7, untyped } from '../support/engine.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' }, pages: { name: 'Pages' }, old: { name: 'Old', status: 'archived' } },
  eventAttributes: ['source'],
  userAttributes: ['plan'],
  achievements: {
    hundred: {
      name: 'A hundred',
      description: 'A hundred words.',
      badgeUrl: 'https://example.com/hundred.png',
      trigger: 'metric',
      metric: 'words',
      value: 100,
    },
    starter: { name: 'Starter', trigger: 'streak', length: 1 },
    both: { name: 'Both', trigger: 'achievement', achievements: ['hundred', 'starter'] },
  },
  points: {
    xp: {
      name: 'XP',
      description: 'Experience',
      badgeUrl: 'https://example.com/xp.png',
      maxPoints: 1000,
      triggers: [
        { type: 'metric', metric: 'words', threshold: 100, points: 10 },
        { type: 'achievement', achievement: 'hundred', points: 50 },
      ],
      levels: {
        bronze: { name: 'Bronze', points: 50 },
        silver: {
          name: 'Silver',
          description: 'Second',
          badgeUrl: 'https://example.com/silver.png',
          points: 500,
        },
      },
    },
    coins: { name: 'Coins', triggers: [{ type: 'metric', metric: 'pages', threshold: 1, points: 1 }] },
  },
  streak: { frequency: 'daily', metrics: { words: { threshold: 1 } } },
}

onEachStorage('2.4 the answer to a metric event', (open) => {
  test('has every field with its value', async () => {
    const engine = await open(game)
    const answer = await add(engine, 'words', 250, { idempotencyKey: 'first' })
    expect(answer).toEqual({
      metricId: UUID_5,
      eventId: UUID_7,
      total: 250,
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
          maxPoints: 1000,
          total: 70,
          added: 70,
          level: { id: UUID_5, key: 'bronze', name: 'Bronze', description: '', badgeUrl: null, points: 50 },
          awards: expect.any(Array),
        },
      },
      leaderboards: {},
      idempotentReplayed: false,
      idempotencyKey: 'first',
    })
  })

  test('achievements: has those that the event completed, streak and composite ones included, with achievedAt', async () => {
    const engine = await open(game)
    const { achievements, metricId } = await add(engine, 'words', 250)
    expect(achievements).toHaveLength(3)
    expect(achievements.find(({ key }) => key === 'hundred')).toEqual({
      id: UUID_5,
      key: 'hundred',
      trigger: 'metric',
      name: 'A hundred',
      description: 'A hundred words.',
      badgeUrl: 'https://example.com/hundred.png',
      userAttributes: [],
      metricId,
      metricName: 'Words written',
      metricValue: 100,
      eventAttributes: [],
      achievedAt: '2026-03-10T12:00:00.000Z',
    })
    const achievedAt = '2026-03-10T12:00:00.000Z'
    expect(achievements.find(({ key }) => key === 'starter')).toMatchObject({ streakLength: 1, achievedAt })
    const both = { achievements: ['hundred', 'starter'], achievementIds: [UUID_5, UUID_5], achievedAt }
    expect(achievements.find(({ key }) => key === 'both')).toMatchObject(both)
    expect((await add(engine, 'words', 250)).achievements).toEqual([])
  })

  test('points: has only the systems whose total changed, by key', async () => {
    const engine = await open(game)
    expect(Object.keys((await add(engine, 'words', 99)).points)).toEqual([])
    expect(Object.keys((await add(engine, 'words', 1)).points)).toEqual(['xp'])
    expect(Object.keys((await add(engine, 'pages', 1)).points)).toEqual(['coins'])
  })

  test('currentStreak: is there in a game without a streak: length 0, daily, not extended, no dates', async () => {
    const engine = await open({ metrics: { words: { name: 'Words written' } } })
    expect(await add(engine, 'words', 5)).toEqual({
      metricId: UUID_5,
      eventId: UUID_7,
      total: 5,
      achievements: [],
      currentStreak: {
        length: 0,
        frequency: 'daily',
        started: null,
        periodStart: null,
        periodEnd: null,
        expires: null,
        extended: false,
      },
      points: {},
      leaderboards: {},
    })
  })
})

onEachStorage('4.3 submitting a metric event', (open) => {
  test('adds the value to the running total, negative values too', async () => {
    const engine = await open(game)
    expect((await add(engine, 'words', 12.5)).total).toBe(12.5)
    expect((await add(engine, 'words', 7.5)).total).toBe(20)
    expect((await add(engine, 'words', -30)).total).toBe(-10)
    expect((await add(engine, 'words', 0)).total).toBe(-10)
    expect((await add(engine, 'pages', 3)).total).toBe(3)
  })

  test('upserts the user with it', async () => {
    const engine = await open(game)
    const user = { id: 'ann', email: 'ann@example.com', tz: 'Asia/Tokyo', attributes: { plan: 'pro' } }
    await add(engine, 'words', 1, { user })
    await add(engine, 'words', 1, { user: { id: 'ann', name: 'Ann' } })
    expect(await engine.users.get('ann')).toMatchObject({
      email: 'ann@example.com',
      name: 'Ann',
      tz: 'Asia/Tokyo',
      subscribedToEmails: true,
      attributes: { plan: 'pro' },
      created: '2026-03-10T12:00:00.000Z',
    })
    await add(engine, 'words', 1, { user: { id: 'ann', tz: null } })
    expect((await engine.users.get('ann')).tz).toBe(null)
  })

  test('unknown properties are refused, and nothing is stored', async () => {
    const engine = await open(game)
    const event = { user: { id: 'ann', emial: 'a@b.c' }, value: 2, occuredAt: new Date(NOON) }
    await expect(engine.metrics.event('words', untyped(event))).rejects.toMatchObject({
      code: 'invalid_request',
      issues: [
        { path: 'occuredAt', message: "unknown property 'occuredAt'; did you mean 'occurredAt'?" },
        { path: 'user.emial', message: "unknown property 'emial'; did you mean 'email'?" },
      ],
    })
    expect(await codeOf(engine.users.get('ann'))).toBe('unknown_user')
  })

  test('undefined is absent everywhere', async () => {
    const engine = await open(game)
    const event = {
      user: { id: 'ann', tz: undefined, attributes: { plan: undefined } },
      value: 2,
      attributes: { source: undefined },
      idempotencyKey: undefined,
      occurredAt: undefined,
      occuredAt: undefined,
    }
    const options = { tx: undefined, dryRun: undefined, dryrun: undefined }
    expect((await engine.metrics.event('words', untyped(event), untyped(options))).total).toBe(2)
  })

  test('±10 across a threshold fifty times: awards and achievements stay as after the first', async () => {
    const engine = await open({
      metrics: { words: { name: 'Words written' } },
      achievements: { ten: { name: 'Ten', trigger: 'metric', metric: 'words', value: 10 } },
      points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 5 }] } },
    })
    const first = await add(engine, 'words', 10)
    expect(first).toMatchObject({ points: { xp: { added: 5, total: 5 } }, achievements: [{ key: 'ten' }] })
    const before = await engine.users.points('ann', 'xp')
    for (let count = 1; count <= 50; count += 1) {
      expect(await add(engine, 'words', -10)).toMatchObject({ total: 0, points: {}, achievements: [] })
      expect(await add(engine, 'words', 10)).toMatchObject({ total: 10, points: {}, achievements: [] })
    }
    expect(await engine.users.points('ann', 'xp')).toEqual(before)
    expect(await engine.users.achievements('ann')).toMatchObject([
      { key: 'ten', achievedAt: '2026-03-10T12:00:00.000Z' },
    ])
  })

  test("an event has the user's newest instant when the clock has gone back", async () => {
    const engine = await open(game)
    await add(engine, 'words', 50)
    engine.at('2026-03-09T08:00:00.000Z')
    const { achievements, currentStreak } = await add(engine, 'words', 50)
    expect(achievements).toMatchObject([
      { key: 'hundred', achievedAt: '2026-03-10T12:00:00.000Z' },
      { key: 'both', achievedAt: '2026-03-10T12:00:00.000Z' },
    ])
    expect(currentStreak).toMatchObject({ length: 1, started: '2026-03-10', extended: false })
  })
})
