import { describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { expectInvalid, expectStatus, type Server, serve } from './serve.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  userAttributes: ['city', 'plan'],
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 1 }] } },
  streak: { frequency: 'daily', metrics: { words: {} } },
  leaderboards: {
    top: {
      name: 'Top',
      description: 'Of the month.',
      rankBy: 'metric',
      metric: 'words',
      start: '2026-01-01',
      end: '2026-12-31',
      run: { unit: 'month', interval: 1 },
      maxParticipants: 3,
    },
    cities: {
      name: 'Cities',
      rankBy: 'points',
      system: 'xp',
      start: '2026-01-01',
      startTime: '09:00',
      breakdown: ['city'],
    },
    secret: { name: 'Secret', rankBy: 'streak', start: '2027-01-01', private: true },
  },
}

const write = (server: Server, id: string, value: number, user: object = {}) =>
  server.call('POST', '/v1/metrics/words/event', { body: { user: { id, ...user }, value } })

/** ann, bob and cid with 30, 20 and 10 words. */
const serveThree = async (): Promise<Server> => {
  const server = await serve(game)
  await write(server, 'cid', 10, { attributes: { city: 'Paris' } })
  await write(server, 'bob', 20, { attributes: { city: 'London' } })
  await write(server, 'ann', 30, { name: 'Ann', attributes: { city: 'London' } })
  return server
}

const usersAt = async (server: Server, path: string) => {
  const answer = await server.call('GET', path)
  expectStatus(answer, 200)
  return answer.body.rankings.map(({ userId, rank }: { userId: string; rank: number }) => `${rank} ${userId}`)
}

describe('GET /leaderboards', () => {
  test.each(['', 'yes', '1', 'TRUE', 'true&includeFinished=true'])('422: ?includeFinished=%s', async (value) => {
    const server = await serve(game)
    expectInvalid(await server.call('GET', `/v1/leaderboards?includeFinished=${value}`), 'includeFinished')
  })
})

describe('GET /leaderboards/{key}', () => {
  test('?offset= and ?limit= take a page, ?userId= counts from a user', async () => {
    const server = await serveThree()
    expect(await usersAt(server, '/v1/leaderboards/top?limit=2')).toEqual(['1 ann', '2 bob'])
    expect(await usersAt(server, '/v1/leaderboards/top?offset=2&limit=2')).toEqual(['3 cid'])
    expect(await usersAt(server, '/v1/leaderboards/top?userId=bob')).toEqual(['2 bob', '3 cid'])
    expect(await usersAt(server, '/v1/leaderboards/top?userId=bob&offset=-1&limit=2')).toEqual(['1 ann', '2 bob'])
    expect(await usersAt(server, '/v1/leaderboards/top?userId=nobody')).toEqual([])
    expect(await usersAt(server, '/v1/leaderboards/top?limit=0')).toEqual([])
  })

  test('?run= takes the run in which a date lies', async () => {
    const server = await serveThree()
    server.engine.at('2026-04-01T00:00:00.000Z')
    expect(await usersAt(server, '/v1/leaderboards/top')).toEqual([])
    expect(await usersAt(server, '/v1/leaderboards/top?run=2026-03-31')).toEqual(['1 ann', '2 bob', '3 cid'])
    const { body } = await server.call('GET', '/v1/leaderboards/top?run=2026-03-31')
    expect(body).toMatchObject({ start: '2026-03-01', end: '2026-03-31', status: 'active' })
  })

  test('?userAttributes= takes a group, and so does ?userId=', async () => {
    const server = await serveThree()
    expect(await usersAt(server, '/v1/leaderboards/cities?userAttributes=city:London')).toEqual(['1 ann', '2 bob'])
    expect(await usersAt(server, '/v1/leaderboards/cities?userAttributes=city%3AParis')).toEqual(['1 cid'])
    expect(await usersAt(server, '/v1/leaderboards/cities?userAttributes=city:')).toEqual([])
    expect(await usersAt(server, '/v1/leaderboards/cities?userId=cid')).toEqual(['1 cid'])
  })

  test('there is no ?among=: it is ignored as any unknown parameter', async () => {
    const server = await serveThree()
    expect(await usersAt(server, '/v1/leaderboards/top?among=cid')).toEqual(['1 ann', '2 bob', '3 cid'])
  })

  test.each([
    ['offset', '-1'],
    ['offset', ''],
    ['limit', '1001'],
    ['run', '2026-02-30'],
    ['run', ''],
    ['run', '2025-12-31'],
    ['userId', 'a&userId=b'],
    ['userAttributes', 'city:London'],
  ])('422: ?%s=%s', async (name, value) => {
    const server = await serve(game)
    expectInvalid(await server.call('GET', `/v1/leaderboards/top?${name}=${value}`), name)
  })
})

describe('GET /users/{id}/leaderboards/{key}', () => {
  test.each([
    ['numEvents', '101'],
    ['run', '2026-13-01'],
    ['run', '2025-12-31'],
  ])('422: ?%s=%s', async (name, value) => {
    const server = await serveThree()
    expectInvalid(await server.call('GET', `/v1/users/ann/leaderboards/top?${name}=${value}`), name)
  })
})
