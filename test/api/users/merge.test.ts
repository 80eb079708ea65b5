// @heavy: It takes more than three seconds.

import { expect, test } from 'vitest'
import { codeOf, onEachStorage } from '../../support/engine.ts'

const game = {
  metrics: { words: { name: 'Words' } },
  achievements: {
    novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 100 },
    week: { name: 'Three days', trigger: 'streak', length: 3 },
    welcome: { name: 'Welcome', trigger: 'api' },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'metric', metric: 'words', threshold: 10, points: 1 },
        { type: 'user_creation', points: 7 },
      ],
      levels: { bronze: { name: 'Bronze', points: 0 }, silver: { name: 'Silver', points: 15 } },
    },
  },
  streak: { frequency: 'daily', metrics: { words: {} } },
  userAttributes: ['plan'],
  leaderboards: {
    words: { name: 'Words', rankBy: 'metric', metric: 'words', start: '2026-01-01' },
    all: { name: 'All', rankBy: 'points', system: 'xp', start: '2026-01-01', maxParticipants: null },
  },
} as const

onEachStorage('A merge', (open) => {
  test('makes one history of two: the streak of both, each total the sum, the earliest dates', async () => {
    const engine = await open(game)
    await engine.metrics.event('words', { user: { id: 'guest' }, value: 60 })
    engine.at('2026-03-11T12:00:00Z')
    await engine.metrics.event('words', { user: { id: 'ann', name: 'Ann' }, value: 50 })
    engine.at('2026-03-12T12:00:00Z')
    await engine.metrics.event('words', { user: { id: 'guest', attributes: { plan: 'pro' } }, value: 5 })
    await engine.metrics.event('words', { user: { id: 'bob' }, value: 112 })

    const answer = await engine.users.merge({ from: 'guest', into: 'ann' })

    expect(answer).toEqual({ from: 'guest', into: 'ann', merged: true, entries: 2, repeated: 0 })
    expect(await engine.users.get('ann')).toMatchObject({
      name: 'Ann',
      attributes: { plan: 'pro' },
      created: '2026-03-10T12:00:00.000Z',
    })
    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(115)
    expect((await engine.users.streak('ann')).length).toBe(3)
    const achieved = (await engine.users.achievements('ann')).map(({ key, achievedAt }) => [key, achievedAt])
    expect(achieved).toEqual([
      ['novelist', '2026-03-11T12:00:00.000Z'],
      ['week', '2026-03-12T12:00:00.000Z'],
    ])
    // 11 times 10 words, and one user was created.
    expect(await engine.users.points('ann', 'xp')).toMatchObject({ total: 18, level: { key: 'silver' } })
    const { rankings } = await engine.leaderboards.get('words')
    expect(rankings.map(({ userId, value, rank }) => [userId, value, rank])).toEqual([
      ['ann', 115, 1],
      ['bob', 112, 2],
    ])
    expect(await engine.points.levelSummary('xp')).toMatchObject([
      { level: { key: 'bronze' }, users: 0 },
      { level: { key: 'silver' }, users: 2 },
    ])
    expect((await engine.verify()).drift).toEqual([])
  })

  test('makes the old id another name: reads and writes of it are those of the user that goes on', async () => {
    const engine = await open(game)
    await engine.metrics.event('words', { user: { id: 'guest' }, value: 60 })
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 30 })
    await engine.users.merge({ from: 'guest', into: 'ann' })

    const answer = await engine.metrics.event('words', { user: { id: 'guest', name: 'Ann' }, value: 10 })
    await engine.achievements.complete('welcome', { user: { id: 'guest' } })

    expect(answer.total).toBe(100)
    expect(answer.achievements.map(({ key }) => key)).toEqual(['novelist'])
    expect(answer.leaderboards.words).toMatchObject({ rank: 1 })
    expect(await engine.users.get('guest')).toEqual(await engine.users.get('ann'))
    expect(await engine.users.get('guest')).toMatchObject({ id: 'ann', name: 'Ann' })
    expect(await engine.users.streak('guest')).toEqual(await engine.users.streak('ann'))
    expect(await engine.users.leaderboard('guest', 'all')).toMatchObject({ rank: 1, value: 17 })
    expect(await engine.users.wrapped('guest')).toEqual(await engine.users.wrapped('ann'))
    expect(await engine.streaks.list(['guest'])).toMatchObject([{ userId: 'guest', streakLength: 1 }])
    const range = { aggregation: 'monthly', startDate: '2026-03-01', endDate: '2026-03-31' } as const
    expect(await engine.users.metricEventSummary('guest', 'words', range)).toMatchObject([{ total: 100 }])
    expect(await engine.users.pointsEventSummary('guest', 'xp', range)).toMatchObject([{ total: 17 }])
    const why = await engine.explain('guest', { achievement: 'welcome' })
    expect(why.holds).toBe(true)
    const around = await engine.leaderboards.get('words', { userId: 'guest' })
    expect(around.rankings.map(({ userId }) => userId)).toEqual(['ann'])
    const among = await engine.leaderboards.get('words', { among: ['guest', 'nobody'] })
    expect(among.rankings.map(({ userId }) => userId)).toEqual(['ann'])
    const late = { user: { id: 'guest' }, value: 1, occurredAt: new Date('2026-03-01T12:00:00Z') }
    expect((await engine.metrics.event('words', late)).total).toBe(101)
    expect((await engine.metrics.event('words', { user: { id: 'guest' }, value: 1 }, { dryRun: true })).total).toBe(102)
    expect(await engine.import([{ metric: 'words', ...late, idempotencyKey: 'a' }])).toMatchObject({ recorded: 1 })
    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(102)
    expect((await engine.verify()).drift).toEqual([])
  })

  test('keeps what either had completed, though the total of both never reaches it', async () => {
    const engine = await open(game)
    await engine.metrics.event('words', { user: { id: 'guest' }, value: -50 })
    engine.at('2026-03-11T12:00:00Z')
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 100 })

    await engine.users.merge({ from: 'guest', into: 'ann' })

    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(50)
    const achieved = (await engine.users.achievements('ann')).map(({ key, achievedAt }) => [key, achievedAt])
    expect(achieved).toEqual([['novelist', '2026-03-11T12:00:00.000Z']])
    expect((await engine.verify()).drift).toEqual([])
  })

  test('counts an idempotency key of both once: it names the earlier event', async () => {
    const engine = await open(game)
    const write = (id: string, value: number) =>
      engine.metrics.event('words', { user: { id }, value, idempotencyKey: 'chapter-1' })
    const first = await write('guest', 60)
    engine.at('2026-03-11T12:00:00Z')
    const second = await write('ann', 50)

    await engine.users.merge({ from: 'guest', into: 'ann' })
    expect(await engine.users.singleMetric('ann', 'words')).toMatchObject({ current: 60 })
    const again = { eventId: first.eventId, total: 60, idempotentReplayed: true }
    expect([await write('ann', 9), await write('guest', 9)]).toMatchObject([again, again])
    await expect(engine.events.void(second.eventId)).resolves.toBeDefined()
    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(60)
    expect((await engine.verify()).drift).toEqual([])
  })

  test('of users that are one already changes nothing, in a circle neither', async () => {
    const engine = await open(game)
    for (const id of ['a', 'b', 'c']) await engine.metrics.event('words', { user: { id }, value: 10 })
    await engine.users.merge({ from: 'a', into: 'b' })
    expect(await engine.users.merge({ from: 'b', into: 'c' })).toMatchObject({ merged: true, entries: 2 })

    const nothing = { from: 'c', into: 'c', merged: false, entries: 0, repeated: 0 }
    expect(await engine.users.merge({ from: 'a', into: 'b' })).toEqual(nothing)
    expect(await engine.users.merge({ from: 'c', into: 'a' })).toEqual(nothing)
    expect((await engine.users.singleMetric('a', 'words')).current).toBe(30)
    expect((await engine.users.get('b')).id).toBe('c')
    expect((await engine.verify()).drift).toEqual([])
  })

  test('refuses a user with itself, one that is not there, and a sum out of bounds; nothing is written then', async () => {
    const engine = await open(game)
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 9e14 })
    await engine.metrics.event('words', { user: { id: 'bob' }, value: 9e14 })
    expect(await codeOf(engine.users.merge({ from: 'ann', into: 'ann' }))).toBe('invalid_request')
    expect(await codeOf(engine.users.merge({ from: 'nobody', into: 'ann' }))).toBe('unknown_user')
    expect(await codeOf(engine.users.merge({ from: 'ann', into: 'nobody' }))).toBe('unknown_user')
    expect(await codeOf(engine.users.merge({ from: 'ann', into: 'bob' }))).toBe('total_out_of_range')
    expect((await engine.users.get('ann')).id).toBe('ann')
    expect((await engine.verify()).drift).toEqual([])
  })

  test('loses and doubles nothing while both are written', async () => {
    const engine = await open(game)
    const record = (id: string, key: number) =>
      engine.metrics.event('words', { user: { id }, value: 1, idempotencyKey: `${id}-${key}` })
    await Promise.all([record('ann', 0), record('guest', 0)])
    const writes = Array.from({ length: 60 }, (_, index) => record(index % 2 === 0 ? 'ann' : 'guest', index + 1))
    const merge = engine.users.merge({ from: 'guest', into: 'ann' })
    await Promise.all([...writes, merge])
    await Promise.all([record('ann', 99), record('guest', 99)])

    expect((await engine.users.singleMetric('guest', 'words')).current).toBe(64)
    expect((await engine.verify()).drift).toEqual([])
  })
})
