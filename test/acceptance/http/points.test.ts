import { expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { UUID_5 } from '../../support/engine.ts'
import { expectInvalid, expectProblem, expectStatus, onEachStorage, type Server, serve } from './serve.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  eventAttributes: ['source'],
  userAttributes: ['plan'],
  achievements: { tour: { name: 'Tour', trigger: 'api' } },
  points: {
    xp: {
      name: 'XP',
      description: 'Experience',
      badgeUrl: 'https://example.com/xp.png',
      maxPoints: 100_000,
      triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 1 }],
      levels: {
        silver: {
          name: 'Silver',
          description: 'Second',
          badgeUrl: 'https://example.com/silver.png',
          points: 100,
        },
        bronze: { name: 'Bronze', points: 10 },
        gold: { name: 'Gold', points: 1000 },
      },
    },
    mixed: {
      name: 'Mixed',
      triggers: [
        {
          type: 'metric',
          metric: 'words',
          threshold: 100,
          points: 10,
          eventAttributes: { source: 'web' },
          created: '2026-01-01T00:00:00.000Z',
          updated: '2026-02-01T00:00:00.000Z',
        },
        { type: 'achievement', achievement: 'tour', points: 50 },
        { type: 'streak', length: 7, points: 5, userAttributes: { plan: 'pro' } },
        { type: 'user_creation', points: 1 },
      ],
    },
  },
  streak: { frequency: 'daily', metrics: { words: {} } },
}

const BRONZE = { id: UUID_5, key: 'bronze', name: 'Bronze', description: '', badgeUrl: null, points: 10 }
const SILVER = {
  id: UUID_5,
  key: 'silver',
  name: 'Silver',
  description: 'Second',
  badgeUrl: 'https://example.com/silver.png',
  points: 100,
}
const GOLD = { id: UUID_5, key: 'gold', name: 'Gold', description: '', badgeUrl: null, points: 1000 }

const earn = (server: Server, id: string, points: number, plan = 'free') =>
  server.call('POST', '/v1/metrics/words/event', {
    body: { user: { id, attributes: { plan } }, value: points },
  })

onEachStorage('GET /users/{id}/points/{key}', () => {
  test('answers 200 with the system, the total, the level and the newest awards first', async () => {
    const server = await serve(game)
    await earn(server, 'ann', 9)
    server.engine.at('2026-03-11T09:00:00.000Z')
    await earn(server, 'ann', 6)
    const answer = await server.call('GET', '/v1/users/ann/points/xp')
    expectStatus(answer, 200)
    expect(answer.body).toEqual({
      id: UUID_5,
      key: 'xp',
      name: 'XP',
      description: 'Experience',
      badgeUrl: 'https://example.com/xp.png',
      maxPoints: 100_000,
      total: 15,
      level: BRONZE,
      awards: [
        {
          id: UUID_5,
          awarded: 6,
          date: '2026-03-11T09:00:00.000Z',
          total: 15,
          trigger: {
            id: UUID_5,
            type: 'metric',
            points: 1,
            status: 'active',
            userAttributes: [],
            metricId: UUID_5,
            metricName: 'Words written',
            metricThreshold: 1,
            eventAttributes: [],
            created: '1970-01-01T00:00:00.000Z',
            updated: '1970-01-01T00:00:00.000Z',
          },
        },
        {
          id: UUID_5,
          awarded: 9,
          date: '2026-03-10T12:00:00.000Z',
          total: 9,
          trigger: {
            id: UUID_5,
            type: 'metric',
            points: 1,
            status: 'active',
            userAttributes: [],
            metricId: UUID_5,
            metricName: 'Words written',
            metricThreshold: 1,
            eventAttributes: [],
            created: '1970-01-01T00:00:00.000Z',
            updated: '1970-01-01T00:00:00.000Z',
          },
        },
      ],
    })
  })

  test('is 0 without awards, and level null, for a user without points', async () => {
    const server = await serve(game)
    await server.call('POST', '/v1/users', { body: { id: 'ann' } })
    const { status, body } = await server.call('GET', '/v1/users/ann/points/xp')
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        id: UUID_5,
        key: 'xp',
        name: 'XP',
        description: 'Experience',
        badgeUrl: 'https://example.com/xp.png',
        maxPoints: 100_000,
        total: 0,
        level: null,
        awards: [],
      },
    })
  })

  test('has ten awards, unless ?awards= says another number', async () => {
    const server = await serve(game)
    for (let count = 1; count <= 11; count += 1) await earn(server, 'ann', 1)
    const awardsAt = async (query: string) =>
      (await server.call('GET', `/v1/users/ann/points/xp${query}`)).body.awards.map(
        ({ total }: { total: number }) => total,
      )
    expect(await awardsAt('')).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
    expect(await awardsAt('?awards=11')).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    expect(await awardsAt('?awards=0')).toEqual([])
  })

  test('?awards= says how many awards', async () => {
    const server = await serve(game)
    for (const points of [1, 2, 3]) await earn(server, 'ann', points)
    const { status, body } = await server.call('GET', '/v1/users/ann/points/xp?awards=2')
    expect(status).toBe(200)
    expect(body.total).toBe(6)
    expect(body.awards).toMatchObject([
      { awarded: 3, total: 6 },
      { awarded: 2, total: 3 },
    ])
  })

  test.each(['x', '-1', '1.5', '1e400'])('422: ?awards=%s', async (awards) => {
    const server = await serve(game)
    await earn(server, 'ann', 1)
    expectInvalid(await server.call('GET', `/v1/users/ann/points/xp?awards=${awards}`), 'awards')
  })

  test('404: an unknown user, an unknown points system', async () => {
    const server = await serve(game)
    expectProblem(await server.call('GET', '/v1/users/ann/points/xp'), 404, 'unknown_user')
    await earn(server, 'ann', 1)
    expectProblem(await server.call('GET', '/v1/users/ann/points/gems'), 404, 'unknown_points_system')
    expectProblem(await server.call('GET', '/v1/users/ann/points/__proto__'), 404, 'unknown_points_system')
  })
})

onEachStorage('GET /points/{key}', () => {
  test('answers 200 with the system and its trigger', async () => {
    const server = await serve(game)
    const { body: event } = await earn(server, 'ann', 1)
    const answer = await server.call('GET', '/v1/points/xp')
    expectStatus(answer, 200)
    expect(answer.body).toMatchObject({
      id: UUID_5,
      key: 'xp',
      name: 'XP',
      description: 'Experience',
      badgeUrl: 'https://example.com/xp.png',
      maxPoints: 100_000,
      triggers: [
        {
          id: UUID_5,
          type: 'metric',
          points: 1,
          status: 'active',
          metricId: event.metricId,
          metricName: 'Words written',
          metricThreshold: 1,
          created: '1970-01-01T00:00:00.000Z',
          updated: '1970-01-01T00:00:00.000Z',
        },
      ],
    })
  })

  test('has the triggers of every kind, in the order of the game', async () => {
    const server = await serve(game)
    const { body: achievements } = await server.call('GET', '/v1/achievements')
    const { status, body } = await server.call('GET', '/v1/points/mixed')
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: UUID_5, name: 'Mixed', description: null, badgeUrl: null, maxPoints: null })
    expect(body.triggers).toHaveLength(4)
    expect(body.triggers).toMatchObject([
      {
        id: UUID_5,
        type: 'metric',
        points: 10,
        status: 'active',
        metricId: UUID_5,
        metricName: 'Words written',
        metricThreshold: 100,
        eventAttribute: { key: 'source', value: 'web' },
        created: '2026-01-01T00:00:00.000Z',
        updated: '2026-02-01T00:00:00.000Z',
      },
      {
        id: UUID_5,
        type: 'achievement',
        points: 50,
        status: 'active',
        achievementId: achievements[0].id,
        achievementName: 'Tour',
        created: '1970-01-01T00:00:00.000Z',
        updated: '1970-01-01T00:00:00.000Z',
      },
      {
        id: UUID_5,
        type: 'streak',
        points: 5,
        status: 'active',
        streakLengthThreshold: 7,
        userAttributes: [{ key: 'plan', value: 'pro' }],
      },
      { id: UUID_5, type: 'user_creation', points: 1, status: 'active' },
    ])
  })

  test('the id of a trigger is that in an award', async () => {
    const server = await serve(game)
    const { body: event } = await earn(server, 'ann', 1)
    const { body } = await server.call('GET', '/v1/points/xp')
    expect(event.points.xp.awards[0].trigger.id).toBe(body.triggers[0].id)
  })

  test('the trigger of an award is that of the system, whole', async () => {
    const server = await serve(game)
    const { body: event } = await server.call('POST', '/v1/metrics/words/event', {
      body: { user: { id: 'ann' }, value: 100, attributes: { source: 'web' } },
    })
    const { body } = await server.call('GET', '/v1/points/mixed')
    const of = (type: string) => body.triggers.find((trigger: { type: string }) => trigger.type === type)
    expect(event.points.mixed.awards.map(({ trigger }: { trigger: unknown }) => trigger)).toEqual([
      of('user_creation'),
      of('metric'),
    ])
    expect(event.points.mixed.awards[1].trigger).toEqual({
      id: UUID_5,
      type: 'metric',
      points: 10,
      status: 'active',
      userAttributes: [],
      metricId: event.metricId,
      metricName: 'Words written',
      metricThreshold: 100,
      eventAttributes: [{ key: 'source', value: 'web' }],
      eventAttribute: { key: 'source', value: 'web' },
      created: '2026-01-01T00:00:00.000Z',
      updated: '2026-02-01T00:00:00.000Z',
    })
  })

  test.each(['gems', 'XP', '__proto__', 'constructor'])('404: the points system %s', async (key) => {
    const server = await serve(game)
    expectProblem(await server.call('GET', `/v1/points/${key}`), 404, 'unknown_points_system')
    expectProblem(await server.call('GET', `/v1/points/${key}/levels`), 404, 'unknown_points_system')
    expectProblem(await server.call('GET', `/v1/points/${key}/level-summary`), 404, 'unknown_points_system')
    expectProblem(await server.call('GET', `/v1/points/${key}/summary`), 404, 'unknown_points_system')
  })
})

onEachStorage('GET /points/{key}/levels', () => {
  test('answers 200 with the levels, ascending, with every field', async () => {
    const server = await serve(game)
    const answer = await server.call('GET', '/v1/points/xp/levels')
    expectStatus(answer, 200)
    expect(answer.body).toEqual([BRONZE, SILVER, GOLD])
  })

  test('is [] for a system without levels', async () => {
    const server = await serve(game)
    const { status, body } = await server.call('GET', '/v1/points/mixed/levels')
    expect({ status, body }).toEqual({ status: 200, body: [] })
  })
})

onEachStorage('GET /points/{key}/level-summary', () => {
  test('answers 200 with the number of users on each level, ascending', async () => {
    const server = await serve(game)
    await earn(server, 'ann', 9)
    await earn(server, 'bob', 10)
    await earn(server, 'cid', 99)
    await earn(server, 'dan', 100)
    const answer = await server.call('GET', '/v1/points/xp/level-summary')
    expectStatus(answer, 200)
    expect(answer.body).toEqual([
      { level: BRONZE, users: 2 },
      { level: SILVER, users: 1 },
      { level: GOLD, users: 0 },
    ])
  })

  test('422: a system without levels', async () => {
    const server = await serve(game)
    expectInvalid(await server.call('GET', '/v1/points/mixed/level-summary'), 'key')
  })
})

onEachStorage('GET /points/{key}/boosts, GET /users/{id}/points/{key}/boosts', () => {
  test('are [] in a game without boosts', async () => {
    const server = await serve(game)
    await earn(server, 'ann', 1)
    for (const path of ['/v1/points/xp/boosts', '/v1/users/ann/points/xp/boosts']) {
      const { status, body } = await server.call('GET', path)
      expect({ path, status, body }).toEqual({ path, status: 200, body: [] })
    }
    for (const value of ['true', 'false']) {
      const { status, body } = await server.call('GET', `/v1/points/xp/boosts?includeFinished=${value}`)
      expect({ value, status, body }).toEqual({ value, status: 200, body: [] })
    }
  })

  test('422: ?includeFinished= is neither true nor false', async () => {
    const server = await serve(game)
    expectInvalid(await server.call('GET', '/v1/points/xp/boosts?includeFinished=yes'), 'includeFinished')
  })

  test('404: an unknown points system, an unknown user', async () => {
    const server = await serve(game)
    expectProblem(await server.call('GET', '/v1/users/ann/points/xp/boosts'), 404, 'unknown_user')
    await earn(server, 'ann', 1)
    for (const key of ['gems', 'XP', '__proto__', 'constructor']) {
      expectProblem(await server.call('GET', `/v1/points/${key}/boosts`), 404, 'unknown_points_system')
      expectProblem(await server.call('GET', `/v1/users/ann/points/${key}/boosts`), 404, 'unknown_points_system')
    }
  })
})

/** Ten ranges of `size` from 1 on, with the users in them by place. */
function ranges(size: number, users: Record<number, number> = {}): unknown[] {
  return Array.from({ length: 10 }, (_, place) => ({
    from: place * size + 1,
    to: (place + 1) * size,
    users: users[place] ?? 0,
  }))
}

onEachStorage('GET /points/{key}/summary', () => {
  test('answers 200 with eleven ranges where nobody has points', async () => {
    const server = await serve(game)
    const answer = await server.call('GET', '/v1/points/xp/summary')
    expectStatus(answer, 200)
    expect(answer.body).toEqual([
      { from: 0, to: 0, users: 0 },
      { from: 1, to: 1, users: 0 },
      { from: 2, to: 2, users: 0 },
      { from: 3, to: 3, users: 0 },
      { from: 4, to: 4, users: 0 },
      { from: 5, to: 5, users: 0 },
      { from: 6, to: 6, users: 0 },
      { from: 7, to: 7, users: 0 },
      { from: 8, to: 8, users: 0 },
      { from: 9, to: 9, users: 0 },
      { from: 10, to: 10, users: 0 },
    ])
  })

  test('counts a user without points in the first range', async () => {
    const server = await serve(game)
    await server.call('POST', '/v1/users', { body: { id: 'ann' } })
    const { body } = await server.call('GET', '/v1/points/xp/summary')
    expect(body).toEqual([{ from: 0, to: 0, users: 1 }, ...ranges(1)])
  })

  test('has ten ranges of one size, up to the highest total rounded up to a power of ten', async () => {
    const server = await serve(game)
    await earn(server, 'ann', 0)
    await earn(server, 'bob', 1)
    await earn(server, 'cid', 10)
    expect((await server.call('GET', '/v1/points/xp/summary')).body).toEqual([
      { from: 0, to: 0, users: 1 },
      ...ranges(1, { 0: 1, 9: 1 }),
    ])
    await earn(server, 'dan', 11)
    await earn(server, 'eve', 100)
    expect((await server.call('GET', '/v1/points/xp/summary')).body).toEqual([
      { from: 0, to: 0, users: 1 },
      ...ranges(10, { 0: 2, 1: 1, 9: 1 }),
    ])
    await earn(server, 'fay', 10_001)
    expect((await server.call('GET', '/v1/points/xp/summary')).body).toEqual([
      { from: 0, to: 0, users: 1 },
      ...ranges(10_000, { 0: 4, 1: 1 }),
    ])
  })

  test('?userAttributes=plan:pro counts only users with that attribute', async () => {
    const server = await serve(game)
    await earn(server, 'ann', 5, 'free')
    await earn(server, 'bob', 6, 'pro')
    await earn(server, 'cid', 50, 'free')
    await earn(server, 'dan', 60, 'pro')
    const { status, body } = await server.call('GET', '/v1/points/xp/summary?userAttributes=plan:pro')
    expect({ status, body }).toEqual({
      status: 200,
      body: [{ from: 0, to: 0, users: 0 }, ...ranges(10, { 0: 1, 5: 1 })],
    })
  })

  test('422: a malformed filter, an unknown attribute', async () => {
    const server = await serve(game)
    expectInvalid(await server.call('GET', '/v1/points/xp/summary?userAttributes=plan'))
    const unknown = await server.call('GET', '/v1/points/xp/summary?userAttributes=colour:red')
    expect(unknown).toMatchObject({ status: 422, body: { code: 'unknown_attribute' } })
  })
})
