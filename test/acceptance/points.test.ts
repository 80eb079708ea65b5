// @heavy: It takes more than three seconds.

import { expect, test } from 'vitest'
import type { GameDefinition, MetricEventResponse } from '../../src/index.ts'
import { add, codeOf, onEachStorage, UUID_5 } from '../support/engine.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' }, fines: { name: 'Fines' }, spent: { name: 'Spent' } },
  eventAttributes: ['source'],
  userAttributes: ['plan'],
  achievements: { hundred: { name: 'A hundred', trigger: 'metric', metric: 'words', value: 100 } },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'metric', metric: 'words', threshold: 100, points: 10 },
        { type: 'achievement', achievement: 'hundred', points: 50 },
        { type: 'metric', metric: 'fines', threshold: 1, points: -30 },
      ],
    },
  },
}

const paying = (points: number, rest: object = {}): GameDefinition => ({
  metrics: { words: { name: 'Words written' }, fines: { name: 'Fines' } },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'metric', metric: 'words', threshold: 1, points },
        { type: 'metric', metric: 'fines', threshold: 1, points: -10 },
      ],
      ...rest,
    },
  },
})

const added = (answer: MetricEventResponse): readonly [number, number] | undefined => {
  const { xp } = answer.points
  return xp && [xp.added, xp.total]
}

onEachStorage('2.5 the fields of a points system', (open) => {
  test('awards have id, awarded, date, total and the whole trigger, in the order of the triggers', async () => {
    const engine = await open(game)
    const { points } = await add(engine, 'words', 250)
    expect(points).toEqual({
      xp: {
        id: UUID_5,
        key: 'xp',
        name: 'XP',
        description: null,
        badgeUrl: null,
        maxPoints: null,
        total: 70,
        added: 70,
        awards: [
          {
            id: UUID_5,
            awarded: 20,
            date: '2026-03-10T12:00:00.000Z',
            total: 20,
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
              created: '1970-01-01T00:00:00.000Z',
              updated: '1970-01-01T00:00:00.000Z',
            },
          },
          {
            id: UUID_5,
            awarded: 50,
            date: '2026-03-10T12:00:00.000Z',
            total: 70,
            trigger: {
              id: UUID_5,
              type: 'achievement',
              points: 50,
              status: 'active',
              userAttributes: [],
              achievementId: UUID_5,
              achievementName: 'A hundred',
              created: '1970-01-01T00:00:00.000Z',
              updated: '1970-01-01T00:00:00.000Z',
            },
          },
        ],
      },
    })
  })

  test('read for a user they have the newest awards first, and level null below every level', async () => {
    const engine = await open(game)
    await add(engine, 'words', 99)
    engine.at('2026-03-11T09:00:00.000Z')
    await add(engine, 'words', 1)
    engine.at('2026-03-12T09:00:00.000Z')
    await add(engine, 'words', 300)
    const read = await engine.users.points('ann', 'xp', { awards: 2 })
    expect(read).toMatchObject({ key: 'xp', name: 'XP', total: 90, maxPoints: null, level: null })
    expect(read.awards).toMatchObject([
      { awarded: 30, total: 90, date: '2026-03-12T09:00:00.000Z' },
      { awarded: 50, total: 60, date: '2026-03-11T09:00:00.000Z' },
    ])
    expect((await engine.users.points('ann', 'xp')).awards).toHaveLength(3)
    for (let count = 4; count <= 11; count += 1) await add(engine, 'words', 100)
    expect((await engine.users.points('ann', 'xp')).awards).toHaveLength(10)
    expect((await engine.users.points('ann', 'xp', { awards: 100 })).awards).toHaveLength(11)
  })

  test('read for a user without points they are 0 without awards', async () => {
    const engine = await open(game)
    await engine.users.create({ id: 'ann' })
    expect(await engine.users.points('ann', 'xp')).toEqual({
      id: UUID_5,
      key: 'xp',
      name: 'XP',
      description: null,
      badgeUrl: null,
      maxPoints: null,
      total: 0,
      level: null,
      awards: [],
    })
  })
})

onEachStorage('2.5 metric triggers', (open) => {
  test('pay for every full threshold that the running total newly reaches', async () => {
    const engine = await open(paying(3, { triggers: [{ type: 'metric', metric: 'words', threshold: 100, points: 3 }] }))
    expect(added(await add(engine, 'words', 99.9))).toBe(undefined)
    expect(added(await add(engine, 'words', 0.1))).toEqual([3, 3])
    expect(added(await add(engine, 'words', 350))).toEqual([9, 12])
    expect(added(await add(engine, 'words', 49))).toBe(undefined)
    expect(added(await add(engine, 'words', 1))).toEqual([3, 15])
  })
})

onEachStorage('2.5 blockIfOutOfPoints', (open) => {
  const shop: GameDefinition = {
    metrics: { words: { name: 'Words written' }, spent: { name: 'Spent' }, fines: { name: 'Fines' } },
    points: {
      coins: {
        name: 'Coins',
        triggers: [
          { type: 'metric', metric: 'words', threshold: 1, points: 1 },
          { type: 'metric', metric: 'spent', threshold: 100, points: 20 },
          { type: 'metric', metric: 'spent', threshold: 1, points: -1, blockIfOutOfPoints: true },
          { type: 'metric', metric: 'fines', threshold: 1, points: -30 },
        ],
      },
    },
  }

  test('refuses the event after which the total would be below 0, and nothing is written', async () => {
    const engine = await open(shop)
    await add(engine, 'words', 10)
    const user = { id: 'ann', name: 'Ann' }
    expect(await codeOf(add(engine, 'spent', 11, { user, idempotencyKey: 'k' }))).toBe('out_of_points')
    expect((await engine.users.singleMetric('ann', 'spent')).current).toBe(0)
    expect((await engine.users.points('ann', 'coins')).total).toBe(10)
    expect((await engine.users.get('ann')).name).toBe(null)
    expect(await add(engine, 'spent', 10, { idempotencyKey: 'k' })).toMatchObject({
      total: 10,
      idempotentReplayed: false,
      points: { coins: { added: -10, total: 0 } },
    })
    expect(await codeOf(add(engine, 'spent', 1))).toBe('out_of_points')
  })

  test('looks at all triggers of the event together', async () => {
    const engine = await open(shop)
    await add(engine, 'words', 80)
    const answer = await add(engine, 'spent', 100)
    expect(answer.points).toMatchObject({ coins: { added: -80, total: 0 } })
  })

  test('of two parallel events that together would leave too little, one is refused', async () => {
    const engine = await open(shop)
    await add(engine, 'words', 10)
    const codes = await Promise.all([codeOf(add(engine, 'spent', 6)), codeOf(add(engine, 'spent', 6))])
    expect(codes.sort()).toEqual(['accepted', 'out_of_points'])
    expect((await engine.users.points('ann', 'coins')).total).toBe(4)
  })
})

onEachStorage('2.5 level', (open) => {
  const levels = {
    bronze: { name: 'Bronze', points: 10 },
    silver: {
      name: 'Silver',
      description: 'Second of three',
      badgeUrl: 'https://example.com/silver.png',
      points: 20,
    },
    gold: { name: 'Gold', points: 30 },
  }

  test('has id, key, name, description, badgeUrl and points; without description it answers ""', async () => {
    const engine = await open(paying(10, { levels }))
    const bronze = await add(engine, 'words', 1)
    expect(bronze.points.xp?.level).toEqual({
      id: UUID_5,
      key: 'bronze',
      name: 'Bronze',
      description: '',
      badgeUrl: null,
      points: 10,
    })
    const silver = await add(engine, 'words', 1)
    expect(silver.points.xp?.level).toEqual({
      id: UUID_5,
      key: 'silver',
      name: 'Silver',
      description: 'Second of three',
      badgeUrl: 'https://example.com/silver.png',
      points: 20,
    })
    expect((await engine.users.points('ann', 'xp')).level).toEqual(silver.points.xp?.level)
  })

  test('is in the answer only when the operation changed it', async () => {
    const engine = await open(paying(3, { levels }))
    const below = await add(engine, 'words', 3)
    expect(below.points.xp).toMatchObject({ total: 9 })
    expect(below.points.xp).not.toHaveProperty('level')
    expect((await add(engine, 'words', 1)).points.xp).toMatchObject({ total: 12, level: { key: 'bronze' } })
    const same = await add(engine, 'words', 1)
    expect(same.points.xp).toMatchObject({ total: 15 })
    expect(same.points.xp).not.toHaveProperty('level')
  })

  test('follows the total down, and is null when it fell below every level', async () => {
    const engine = await open(paying(10, { levels }))
    await add(engine, 'words', 3)
    expect((await add(engine, 'fines', 1)).points.xp).toMatchObject({ total: 20, level: { key: 'silver' } })
    expect((await add(engine, 'fines', 1)).points.xp).toMatchObject({ total: 10, level: { key: 'bronze' } })
    expect((await add(engine, 'fines', 1)).points.xp).toMatchObject({ total: 0, level: null })
    expect((await engine.users.points('ann', 'xp')).level).toBe(null)
    expect((await add(engine, 'words', 2)).points.xp).toMatchObject({ total: 20, level: { key: 'silver' } })
  })
})
