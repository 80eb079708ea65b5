// @heavy: It takes more than three seconds.
// All that one API key wrote, or one user in a time, undone by one call.

import { expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { codeOf, onEachStorage, untyped } from '../../support/engine.ts'

const game: GameDefinition = {
  metrics: { reads: { name: 'Reads' } },
  achievements: {
    ten: { name: 'Ten', trigger: 'metric', metric: 'reads', value: 10 },
    sixty: { name: 'Sixty', trigger: 'metric', metric: 'reads', value: 60 },
    three: { name: 'Three days', trigger: 'streak', length: 3 },
    all: { name: 'All', trigger: 'achievement', achievements: ['ten', 'three'] },
  },
  points: {
    xp: {
      name: 'XP',
      maxPoints: 400,
      triggers: [
        { type: 'metric', metric: 'reads', threshold: 5, points: 3 },
        { type: 'achievement', achievement: 'sixty', points: 50 },
        { type: 'streak', length: 2, points: 7 },
      ],
      levels: { low: { name: 'Low', points: 0 }, high: { name: 'High', points: 30 } },
    },
  },
  streak: { frequency: 'daily', metrics: { reads: {} }, freezes: { initial: 1, max: 2 } },
  leaderboards: {
    week: { name: 'Week', rankBy: 'metric', metric: 'reads', start: '2026-03-01', run: { unit: 'day', interval: 7 } },
    xp: { name: 'XP', rankBy: 'points', system: 'xp', start: '2026-03-01', maxParticipants: null },
    streaks: { name: 'Streaks', rankBy: 'streak', start: '2026-03-01' },
  },
}

const NOON = '2026-03-10T12:00:00Z'
const add = (value: number, id = 'ann') => ({ user: { id }, value })

onEachStorage('All events of a key', (start) => {
  test('are undone by one call, each with an entry of its own, and nothing else is', async () => {
    const engine = await start(game)
    const leaked = engine.forRequest(performance.now(), { by: 'key-1' })
    const other = engine.forRequest(performance.now(), { by: 'key-2' })
    await engine.metrics.event('reads', add(4))
    const stolen = await leaked.metrics.event('reads', add(30))
    await other.metrics.event('reads', add(3))
    await leaked.metrics.event('reads', add(25))
    await leaked.metrics.event('reads', add(9, 'bob'))

    const answer = await engine.events.void({ by: 'key-1' }, { reason: 'leaked', revoke: true })

    expect(answer).toEqual({
      voided: 3,
      users: [
        { userId: 'ann', voided: 2 },
        { userId: 'bob', voided: 1 },
      ],
      issues: [],
      hasMore: false,
    })
    expect((await engine.users.singleMetric('ann', 'reads')).current).toBe(7)
    expect((await engine.users.singleMetric('bob', 'reads')).current).toBe(0)
    expect(await engine.users.achievements('ann')).toEqual([])
    expect((await engine.users.points('ann', 'xp')).total).toBe(3)
    expect((await engine.verify()).drift).toEqual([])
    const { reasons } = await engine.explain('ann', { event: stolen.eventId })
    expect(reasons.map(({ type }) => type)).toEqual(['recorded', 'voided'])
    expect(reasons[0]).toMatchObject({ by: 'key-1' })
    expect(reasons[0]?.sentence).toContain(', written by the API key key-1, counts on')
    expect(reasons[1]?.sentence).toMatch(/: leaked\.$/)
  })

  test('are void once: the same call again finds none', async () => {
    const engine = await start(game)
    const leaked = engine.forRequest(performance.now(), { by: 'key-1' })
    await leaked.metrics.event('reads', add(30))
    await engine.events.void({ by: 'key-1' })
    expect(await engine.events.void({ by: 'key-1' })).toEqual({ voided: 0, users: [], issues: [], hasMore: false })
    await leaked.metrics.event('reads', add(2))
    expect(await engine.events.void({ by: 'key-1' })).toMatchObject({ voided: 1 })
    expect((await engine.users.singleMetric('ann', 'reads')).current).toBe(0)
  })

  test('of a user in a time are those from its beginning on and before its end', async () => {
    const engine = await start(game)
    for (const [minute, value] of [1, 10, 100, 1_000].entries()) {
      engine.at(`2026-03-10T12:0${minute}:00Z`)
      await engine.metrics.event('reads', add(value))
      await engine.metrics.event('reads', add(value, 'bob'))
    }
    const between = { from: new Date('2026-03-10T12:01:00Z'), to: new Date('2026-03-10T12:03:00Z') }
    expect(await engine.events.void({ user: 'ann', between })).toMatchObject({
      voided: 2,
      users: [{ userId: 'ann', voided: 2 }],
    })
    expect((await engine.users.singleMetric('ann', 'reads')).current).toBe(1_001)
    expect((await engine.users.singleMetric('bob', 'reads')).current).toBe(1_111)
    expect(await engine.events.void({ user: 'ann', between })).toMatchObject({ voided: 0 })
    expect(await engine.events.void({ user: 'nobody', between })).toMatchObject({ voided: 0 })
  })

  test('of one user are undone with the user as the event has it', async () => {
    const engine = await start(game)
    const user = { id: 'ann', tz: 'Europe/Berlin' }
    await engine.metrics.event('reads', { user, value: 5, idempotencyKey: 'first' })
    await engine.metrics.event('reads', { user, value: 7, idempotencyKey: 'second' })
    const voided = await engine.events.void({ user, metric: 'reads', idempotencyKey: 'first' })
    expect(voided).toMatchObject({ userId: 'ann', total: 7, alreadyVoided: false })
    const between = { from: new Date('2026-03-10T11:00:00Z'), to: new Date('2026-03-10T13:00:00Z') }
    expect(await engine.events.void({ user, between })).toMatchObject({ voided: 1 })
    const refusal = await engine.events.void(untyped({ user: 18, metric: 'reads', idempotencyKey: 'x' })).catch(String)
    expect(refusal).toContain('must be the id of an event, { user, metric, idempotencyKey }')
  })

  test('are undone while more of them come, and others beside them: none counts twice, none is lost', async () => {
    const engine = await start(game)
    const leaked = engine.forRequest(performance.now(), { by: 'key-1' })
    await engine.users.create({ id: 'ann' })
    const writes = Array.from({ length: 40 }, (_, index) =>
      (index % 2 === 0 ? leaked : engine).metrics.event('reads', add(index % 2 === 0 ? 100 : 1)),
    )
    const voids = Array.from({ length: 4 }, () => engine.events.void({ by: 'key-1' }, { revoke: true }))
    await Promise.all(writes)
    const during = (await Promise.all(voids)).reduce((sum, { voided }) => sum + voided, 0)
    const { voided } = await engine.events.void({ by: 'key-1' }, { revoke: true })
    expect(during + voided).toBe(20)
    expect((await engine.users.singleMetric('ann', 'reads')).current).toBe(20)
    expect((await engine.verify()).drift).toEqual([])
  })

  test('are told to handlers once for each user, with what it all came to', async () => {
    const engine = await start(game)
    const leaked = engine.forRequest(performance.now(), { by: 'key-1' })
    for (const value of [10, 20, 30]) await leaked.metrics.event('reads', add(value))
    const told: unknown[] = []
    engine.on('points.changed', ({ user, points }) => void told.push([user.id, points.added, points.total]))
    await engine.events.void({ by: 'key-1' }, { revoke: true })
    expect(told).toEqual([['ann', -86, 0]])
  })

  test('are named as they have to be', async () => {
    const engine = await start(game)
    const wrong = [
      { by: '' },
      { by: 'x'.repeat(256) },
      { by: 7 },
      { by: 'a', user: 'ann' },
      { user: 'ann', between: {} },
      { user: 'ann', between: { from: new Date(NOON), to: new Date(NOON) } },
      { user: 'ann', between: { from: NOON, to: NOON } },
      { between: { from: new Date(0), to: new Date(1) } },
    ]
    for (const events of wrong) {
      expect(await codeOf(engine.events.void(untyped(events))), JSON.stringify(events)).toBe('invalid_request')
    }
  })
})
