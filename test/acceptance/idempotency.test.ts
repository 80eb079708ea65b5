import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { add, codeOf, NOON, onEachStorage } from '../support/engine.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' }, pages: { name: 'Pages' } },
  userAttributes: ['plan'],
  achievements: { hundred: { name: 'A hundred', trigger: 'metric', metric: 'words', value: 100 } },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 100, points: 10 }] } },
  streak: { frequency: 'daily', metrics: { words: { threshold: 1 } } },
}

onEachStorage('4.3.1 idempotency', (open) => {
  test('rules 2 and 4: a replay answers the original eventId and the current state, and changes nothing', async () => {
    const engine = await open(game)
    const first = await add(engine, 'words', 250, { idempotencyKey: 'a' })
    engine.at('2026-03-11T12:00:00.000Z')
    await add(engine, 'words', 30)
    const points = await engine.users.points('ann', 'xp')
    const achievements = await engine.users.achievements('ann')

    engine.at('2026-03-11T18:00:00.000Z')
    expect(await add(engine, 'words', 250, { idempotencyKey: 'a' })).toEqual({
      metricId: first.metricId,
      eventId: first.eventId,
      total: 280,
      achievements: [],
      currentStreak: {
        length: 2,
        frequency: 'daily',
        started: '2026-03-10',
        periodStart: '2026-03-11',
        periodEnd: '2026-03-11',
        expires: '2026-03-12',
        extended: false,
      },
      points: {},
      leaderboards: {},
      idempotentReplayed: true,
      idempotencyKey: 'a',
    })
    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(280)
    expect(await engine.users.points('ann', 'xp')).toEqual(points)
    expect(await engine.users.achievements('ann')).toEqual(achievements)
  })

  test('rule 2: a replay on a new day does not extend the streak', async () => {
    const engine = await open(game)
    await add(engine, 'words', 5, { idempotencyKey: 'a' })
    engine.at('2026-03-11T12:00:00.000Z')
    expect((await add(engine, 'words', 5, { idempotencyKey: 'a' })).currentStreak).toMatchObject({
      length: 1,
      extended: false,
      expires: '2026-03-11',
    })
    engine.at('2026-03-12T12:00:00.000Z')
    expect((await add(engine, 'words', 5, { idempotencyKey: 'a' })).currentStreak).toEqual({
      length: 0,
      frequency: 'daily',
      started: null,
      periodStart: null,
      periodEnd: null,
      expires: null,
      extended: false,
    })
  })

  test('rule 2: a replay does not write the profile', async () => {
    const engine = await open(game)
    await add(engine, 'words', 5, { idempotencyKey: 'a', user: { id: 'ann', name: 'Ann' } })
    engine.at('2026-03-11T12:00:00.000Z')
    const user = { id: 'ann', name: 'Anna', tz: 'Asia/Tokyo', attributes: { plan: 'pro' } }
    expect((await add(engine, 'words', 5, { idempotencyKey: 'a', user })).idempotentReplayed).toBe(true)
    expect(await engine.users.get('ann')).toMatchObject({
      name: 'Ann',
      tz: null,
      attributes: {},
      updated: '2026-03-10T12:00:00.000Z',
    })
  })

  test('rule 2: a used key comes before the rules: a replay of what would now be refused is a replay', async () => {
    const engine = await open({
      metrics: { words: { name: 'Words written' }, spent: { name: 'Spent' } },
      points: {
        coins: {
          name: 'Coins',
          triggers: [
            { type: 'metric', metric: 'words', threshold: 1, points: 1 },
            { type: 'metric', metric: 'spent', threshold: 10, points: -10, blockIfOutOfPoints: true },
          ],
        },
      },
    })
    await add(engine, 'words', 10)
    const { eventId } = await add(engine, 'spent', 10, { idempotencyKey: 'a' })
    expect(await codeOf(add(engine, 'spent', 10))).toBe('out_of_points')
    expect(await add(engine, 'spent', 10, { idempotencyKey: 'a' })).toMatchObject({
      eventId,
      total: 10,
      idempotentReplayed: true,
    })
  })

  test('rule 2: a replay is a replay when the metric has been archived since', async () => {
    const engine = await open(game)
    const { eventId } = await add(engine, 'words', 5, { idempotencyKey: 'a' })
    const later = await engine.redefine({
      ...game,
      metrics: { ...game.metrics, words: { name: 'Words written', status: 'archived' } },
      achievements: {},
    })
    expect(await add(later, 'words', 5, { idempotencyKey: 'a' })).toMatchObject({
      eventId,
      total: 5,
      idempotentReplayed: true,
    })
    expect(await codeOf(add(later, 'words', 5, { idempotencyKey: 'b' }))).toBe('metric_archived')
  })

  test('rule 2: after a deploy a replay has the streak that reads show', async () => {
    const daily = {
      metrics: { words: { name: 'Words' } },
      streak: { frequency: 'daily', metrics: { words: {} } },
    } as const
    const engine = await open(daily)
    await add(engine, 'words', 5)
    engine.at('2026-03-11T12:00:00.000Z')
    const { currentStreak } = await add(engine, 'words', 5, { idempotencyKey: 'a' })
    expect(currentStreak).toMatchObject({ length: 2, frequency: 'daily' })

    const later = await engine.redefine({ ...daily, streak: { frequency: 'weekly', metrics: { words: {} } } })
    later.at('2026-03-12T12:00:00.000Z')
    const known = { idempotentReplayed: true, currentStreak: { length: 0, frequency: 'weekly' } }
    expect(await add(later, 'words', 5, { idempotencyKey: 'a' })).toMatchObject(known)
    // In one batch with a late event, which replays the log.
    const [, , beside] = await Promise.all([
      later.metrics.event('words', { user: { id: 'bob' }, value: 1 }),
      add(later, 'words', 5, { occurredAt: new Date(NOON) }),
      add(later, 'words', 5, { idempotencyKey: 'a' }),
    ])
    expect(beside).toMatchObject(known)
    expect(await later.users.streak('ann')).toMatchObject({ length: 0, frequency: 'weekly' })
  })

  test('rule 3: keys are isolated per metric', async () => {
    const engine = await open(game)
    const words = await add(engine, 'words', 5, { idempotencyKey: 'a' })
    const pages = await add(engine, 'pages', 7, { idempotencyKey: 'a' })
    expect(pages).toMatchObject({ total: 7, idempotentReplayed: false, idempotencyKey: 'a' })
    expect((await add(engine, 'words', 5, { idempotencyKey: 'a' })).eventId).toBe(words.eventId)
    expect((await add(engine, 'pages', 5, { idempotencyKey: 'a' })).eventId).toBe(pages.eventId)
  })

  test('rules 1 and 2 are per user, and keys differ by case', async () => {
    const engine = await open(game)
    await add(engine, 'words', 5, { idempotencyKey: 'a' })
    const bob = await engine.metrics.event('words', { user: { id: 'bob' }, value: 5, idempotencyKey: 'a' })
    expect(bob).toMatchObject({ total: 5, idempotentReplayed: false })
    expect(await add(engine, 'words', 5, { idempotencyKey: 'A' })).toMatchObject({
      total: 10,
      idempotentReplayed: false,
    })
  })

  test('rule 5: another thousand events and thirty years later a key is still known', async () => {
    const engine = await open(game)
    const { eventId } = await add(engine, 'words', 5, { idempotencyKey: 'a' })
    await Promise.all(
      Array.from({ length: 1000 }, (_, index) => add(engine, 'words', 1, { idempotencyKey: `k${index}` })),
    )
    engine.at('2056-03-10T12:00:00.000Z')
    expect(await add(engine, 'words', 5, { idempotencyKey: 'a' })).toMatchObject({
      eventId,
      total: 1005,
      idempotentReplayed: true,
    })
  })

  test('a request that the rules refused does not use its key up', async () => {
    const engine = await open(game)
    await add(engine, 'pages', 1e15)
    expect(await codeOf(add(engine, 'pages', 1e15, { idempotencyKey: 'a' }))).toBe('total_out_of_range')
    expect(await codeOf(add(engine, 'pages', 1e308, { idempotencyKey: 'a' }))).toBe('value_out_of_range')
    expect(await add(engine, 'pages', -1e15, { idempotencyKey: 'a' })).toMatchObject({
      total: 0,
      idempotentReplayed: false,
    })
  })
})
