import { describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { expectInvalid, type Server, serve } from './serve.ts'

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

const earn = (server: Server, id: string, points: number, plan = 'free') =>
  server.call('POST', '/v1/metrics/words/event', {
    body: { user: { id, attributes: { plan } }, value: points },
  })

describe('GET /users/{id}/points/{key}', () => {
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
})

describe('GET /points/{key}/level-summary', () => {
  test('422: a system without levels', async () => {
    const server = await serve(game)
    expectInvalid(await server.call('GET', '/v1/points/mixed/level-summary'), 'key')
  })
})

describe('GET /points/{key}/boosts, GET /users/{id}/points/{key}/boosts', () => {
  test('422: ?includeFinished= is neither true nor false', async () => {
    const server = await serve(game)
    expectInvalid(await server.call('GET', '/v1/points/xp/boosts?includeFinished=yes'), 'includeFinished')
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

describe('GET /points/{key}/summary', () => {
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
