import { TrophyApi } from '@trophyso/node'
import { expect, test } from 'vitest'
import { UUID_5 } from '../support/engine.ts'
import { instant, onEachServer, refusalOf } from './official-client.ts'

const ann = { id: 'ann' }

onEachServer('users.points', (start) => {
  test('has the total, the level and the newest awards first', async () => {
    const { client, engine } = await start()
    await client.metrics.event('words', { user: ann, value: 300 })
    engine.at('2026-03-11T09:00:00.000Z')
    await client.metrics.event('words', { user: ann, value: 700 })
    expect(await client.users.points('ann', 'xp', { awards: 3 })).toEqual({
      id: UUID_5,
      key: 'xp',
      name: 'XP',
      description: 'Experience',
      badgeUrl: 'https://example.com/xp.png',
      maxPoints: 10_000,
      total: 670,
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
          awarded: 50,
          date: '2026-03-11T09:00:00.000Z',
          total: 670,
          trigger: {
            id: UUID_5,
            type: 'streak',
            points: 50,
            status: 'active',
            userAttributes: [],
            streakLengthThreshold: 2,
            created: '1970-01-01T00:00:00.000Z',
            updated: '1970-01-01T00:00:00.000Z',
          },
        },
        {
          id: UUID_5,
          awarded: 500,
          date: '2026-03-11T09:00:00.000Z',
          total: 620,
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
        {
          id: UUID_5,
          awarded: 70,
          date: '2026-03-11T09:00:00.000Z',
          total: 120,
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
      ],
    })
    const every = await client.users.points('ann', 'xp', { awards: 10 })
    expect(every.awards.map(({ awarded }) => awarded)).toEqual([50, 500, 70, 30, 20])
    expect((await client.users.points('ann', 'xp')).awards).toEqual(every.awards)
  })

  test('has level null below every level, and an award of the user coming to be', async () => {
    const { client } = await start()
    await client.users.create({ id: 'ann' })
    expect(await client.users.points('ann', 'xp')).toMatchObject({
      total: 20,
      level: null,
      awards: [{ awarded: 20, total: 20, trigger: { type: 'user_creation', points: 20 } }],
    })
  })

  test('has an empty list of awards', async () => {
    const { client } = await start()
    await client.users.create({ id: 'ann' })
    for (const [key, name] of [
      ['gems', 'Gems'],
      ['karma', 'Karma'],
    ] as const) {
      expect(await client.users.points('ann', key)).toStrictEqual({
        id: UUID_5,
        key,
        name,
        description: undefined,
        badgeUrl: undefined,
        maxPoints: undefined,
        total: 0,
        level: null,
        awards: [],
      })
    }
  })

  test('with awards of no whole number is an UnprocessableEntityError', async () => {
    const { client } = await start()
    await client.users.create({ id: 'ann' })
    for (const awards of [-1, 1.5, Number.NaN]) {
      expect(await refusalOf(client.users.points('ann', 'xp', { awards }))).toEqual({
        type: TrophyApi.UnprocessableEntityError,
        status: 422,
        code: 'invalid_request',
      })
    }
  })
})

onEachServer('points.system', (start) => {
  test('has every active trigger, in the order of the game', async () => {
    const { client } = await start()
    const { metricId } = await client.metrics.event('words', { user: ann, value: 1 })
    const hints = await client.users.singleMetric('ann', 'hints')
    const achievements = await client.achievements.all()
    const idOf = (key: string) => achievements.find((achievement) => achievement.key === key)?.id
    const system = await client.points.system('xp')
    expect(system).toMatchObject({
      id: (await client.users.points('ann', 'xp')).id,
      name: 'XP',
      description: 'Experience',
      badgeUrl: 'https://example.com/xp.png',
      maxPoints: 10_000,
    })
    const given = { created: instant('1970-01-01T00:00:00.000Z'), updated: instant('1970-01-01T00:00:00.000Z') }
    expect(system.triggers).toMatchObject([
      { id: UUID_5, type: 'user_creation', points: 20, status: 'active', ...given },
      {
        id: UUID_5,
        type: 'metric',
        points: 10,
        status: 'active',
        metricId,
        metricName: 'Words written',
        metricThreshold: 100,
        created: instant('2026-01-05T09:00:00.000Z'),
        updated: instant('2026-02-01T10:30:00.250Z'),
      },
      {
        id: UUID_5,
        type: 'metric',
        points: 5,
        status: 'active',
        metricId,
        metricName: 'Words written',
        metricThreshold: 100,
        userAttributes: [{ key: 'plan', value: 'pro' }],
        eventAttribute: { key: 'source', value: 'mobile' },
        ...given,
      },
      {
        id: UUID_5,
        type: 'metric',
        points: -15,
        status: 'active',
        metricId: hints.id,
        metricName: 'Hints taken',
        metricThreshold: 1,
        ...given,
      },
      {
        id: UUID_5,
        type: 'achievement',
        points: 500,
        status: 'active',
        achievementId: idOf('novelist'),
        achievementName: 'Novelist',
        ...given,
      },
      {
        id: UUID_5,
        type: 'achievement',
        points: 1000,
        status: 'active',
        achievementId: idOf('all-rounder'),
        achievementName: 'All-rounder',
        ...given,
      },
      { id: UUID_5, type: 'streak', points: 50, status: 'active', streakLengthThreshold: 2, ...given },
    ])
    expect(new Set(system.triggers.map(({ id }) => id)).size).toBe(7)
    const { awards } = await client.users.points('ann', 'xp')
    expect(awards[0]?.trigger?.id).toBe(system.triggers[0]?.id)
  })

  test('has no triggers where the game has none', async () => {
    const { client } = await start()
    const karma = await client.points.system('karma')
    expect(karma).toMatchObject({ id: UUID_5, name: 'Karma', triggers: [] })
    expect([karma.description, karma.badgeUrl, karma.maxPoints]).toEqual([undefined, undefined, undefined])
  })
})

onEachServer('points.summary', (start) => {
  test('counts users in eleven ranges', async () => {
    const { client } = await start()
    await client.achievements.complete('onboarded', { user: { id: 'ann', attributes: { plan: 'pro' } } })
    await client.users.create({ id: 'bob', attributes: { plan: 'pro', country: 'fr' } })
    await client.users.create({ id: 'cid' })
    const ranges = (users: readonly number[]) =>
      [0, 1, 11, 21, 31, 41, 51, 61, 71, 81, 91].map((from, index) => ({
        from,
        to: index * 10,
        users: users[index],
      }))
    expect(await client.points.summary('gems')).toEqual(ranges([2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]))
    expect(await client.points.summary('gems', { userAttributes: 'plan:pro' })).toEqual(
      ranges([1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
    )
    const french = await client.points.summary('gems', { userAttributes: 'plan:pro,country:fr' })
    expect(french).toHaveLength(11)
    expect(french[0]).toEqual({ from: 0, to: 0, users: 1 })
    expect(french.slice(1).every(({ users }) => users === 0)).toBe(true)
  })

  test('has ranges up to the next power of ten, itself included', async () => {
    const { client } = await start({
      metrics: { words: { name: 'Words written' } },
      points: { coins: { name: 'Coins', triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 1 }] } },
    })
    const filled = async () => (await client.points.summary('coins')).filter(({ users }) => users > 0)
    await client.metrics.event('words', { user: ann, value: 7 })
    expect(await filled()).toEqual([{ from: 7, to: 7, users: 1 }])
    await client.metrics.event('words', { user: ann, value: 3 })
    expect(await filled()).toEqual([{ from: 10, to: 10, users: 1 }])
    await client.metrics.event('words', { user: ann, value: 1 })
    expect(await filled()).toEqual([{ from: 11, to: 20, users: 1 }])
    await client.metrics.event('words', { user: ann, value: 89 })
    expect(await filled()).toEqual([{ from: 91, to: 100, users: 1 }])
    await client.metrics.event('words', { user: ann, value: 1 })
    expect(await filled()).toEqual([{ from: 101, to: 200, users: 1 }])
    await client.metrics.event('words', { user: { id: 'bob' }, value: 100 })
    expect(await filled()).toEqual([
      { from: 1, to: 100, users: 1 },
      { from: 101, to: 200, users: 1 },
    ])
  })

  test('has eleven ranges where nobody has points, and where there are no users', async () => {
    const { client } = await start()
    const nobody = await client.points.summary('karma')
    expect(nobody).toHaveLength(11)
    expect(nobody[0]).toEqual({ from: 0, to: 0, users: 0 })
    await client.users.create({ id: 'ann' })
    const poor = await client.points.summary('karma')
    expect(poor).toHaveLength(11)
    expect(poor.map(({ users }) => users)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  })

  test('with malformed or unknown attributes is an UnprocessableEntityError', async () => {
    const { client } = await start()
    const refusal = { type: TrophyApi.UnprocessableEntityError, status: 422 }
    expect(await refusalOf(client.points.summary('xp', { userAttributes: 'plan' }))).toEqual({
      ...refusal,
      code: 'invalid_request',
    })
    expect(await refusalOf(client.points.summary('xp', { userAttributes: 'colour:red' }))).toEqual({
      ...refusal,
      code: 'unknown_attribute',
    })
  })
})
