import { expect, test } from 'vitest'
import { onEachStorage } from '../../support/engine.ts'

const game = {
  metrics: { words: { name: 'Words' } },
  achievements: {
    novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 100 },
    first: { name: 'First', trigger: 'metric', metric: 'words', value: 10 },
    both: { name: 'Both', trigger: 'achievement', achievements: ['novelist', 'first'] },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'metric', metric: 'words', threshold: 10, points: 1 },
        { type: 'achievement', achievement: 'novelist', points: 50 },
      ],
      levels: { bronze: { name: 'Bronze', points: 0 }, silver: { name: 'Silver', points: 10 } },
    },
  },
  streak: { frequency: 'daily', metrics: { words: {} } },
  leaderboards: {
    words: { name: 'Words', rankBy: 'metric', metric: 'words', start: '2026-01-01' },
    all: { name: 'All', rankBy: 'points', system: 'xp', start: '2026-01-01', maxParticipants: null },
  },
} as const

onEachStorage('A void', (open) => {
  test('leaves the user as if the event had not come', async () => {
    const engine = await open(game)
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 20, idempotencyKey: 'one' })
    engine.at('2026-03-11T12:00:00Z')
    const { eventId } = await engine.metrics.event('words', { user: { id: 'ann' }, value: 90, idempotencyKey: 'two' })
    await engine.metrics.event('words', { user: { id: 'bob' }, value: 50 })

    const answer = await engine.events.void(eventId, { reason: 'A robot', revoke: true })

    expect(answer).toMatchObject({ eventId, userId: 'ann', total: 20, alreadyVoided: false })
    expect(answer.revokedAchievements.map(({ key, achievedAt }) => [key, achievedAt])).toEqual([
      ['novelist', null],
      ['both', null],
    ])
    expect(answer.points.xp).toMatchObject({ total: 2, added: -59, level: { key: 'bronze' } })
    expect(answer.currentStreak.length).toBe(1)
    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(20)
    expect((await engine.users.achievements('ann')).map(({ key }) => key)).toEqual(['first'])
    expect(await engine.users.points('ann', 'xp')).toMatchObject({ total: 2 })
    const { rankings } = await engine.leaderboards.get('words')
    expect(rankings.map(({ userId, value }) => [userId, value])).toEqual([
      ['bob', 50],
      ['ann', 20],
    ])
    expect((await engine.leaderboards.get('all')).rankings.map(({ userId, value }) => [userId, value])).toEqual([
      ['bob', 5],
      ['ann', 2],
    ])
    const [novelist] = await engine.achievements.all()
    expect(novelist).toMatchObject({ key: 'novelist', completions: 0 })
    const [day] = await engine.users.metricEventSummary('ann', 'words', {
      aggregation: 'monthly',
      startDate: '2026-03-01',
      endDate: '2026-03-31',
    })
    expect(day).toEqual({ date: '2026-03-01', total: 20, change: 20 })
  })

  test('keeps achievements unless it is to revoke them', async () => {
    const engine = await open(game)
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 20 })
    const { eventId } = await engine.metrics.event('words', { user: { id: 'ann' }, value: 90 })
    const before = await engine.users.achievements('ann')

    const answer = await engine.events.void(eventId)

    expect(answer).toMatchObject({ total: 20, revokedAchievements: [] })
    expect(await engine.users.achievements('ann')).toEqual(before)
    // Points that the achievement paid stay with it.
    expect(await engine.users.points('ann', 'xp')).toMatchObject({ total: 52 })
  })

  test('by the idempotency key; the key stays used', async () => {
    const engine = await open(game)
    const sent = { user: { id: 'ann' }, value: 20, idempotencyKey: 'one' }
    const { eventId } = await engine.metrics.event('words', sent)

    const answer = await engine.events.void({ user: 'ann', metric: 'words', idempotencyKey: 'one' })

    expect(answer).toMatchObject({ eventId, total: 0 })
    expect(await engine.metrics.event('words', sent)).toMatchObject({ eventId, total: 0, idempotentReplayed: true })
  })

  test('twice is once', async () => {
    const engine = await open(game)
    const { eventId } = await engine.metrics.event('words', { user: { id: 'ann' }, value: 20 })

    const answers = await Promise.all([1, 2, 3].map(() => engine.events.void(eventId)))

    expect(new Set(answers.map(({ voidId }) => voidId)).size).toBe(1)
    expect(answers.filter(({ alreadyVoided }) => !alreadyVoided)).toHaveLength(1)
    expect(await engine.events.void(eventId)).toMatchObject({ voidId: answers[0]?.voidId, alreadyVoided: true })
  })

  test('of an unknown event is refused', async () => {
    const engine = await open(game)
    await engine.users.create({ id: 'ann' })
    await expect(engine.events.void('nothing')).rejects.toMatchObject({ code: 'unknown_event' })
    await expect(engine.events.void({ user: 'ann', metric: 'words', idempotencyKey: 'one' })).rejects.toMatchObject({
      code: 'unknown_event',
    })
    await expect(engine.events.void({ user: 'eve', metric: 'words', idempotencyKey: 'one' })).rejects.toMatchObject({
      code: 'unknown_event',
    })
  })
})
