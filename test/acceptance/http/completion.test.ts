import { expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { UUID_5 } from '../../support/engine.ts'
import { expectInvalid, expectProblem, expectStatus, onEachStorage, type Server, serve } from './serve.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  streak: { frequency: 'daily', metrics: { words: {} } },
  userAttributes: ['plan'],
  achievements: {
    onboarded: {
      name: 'Onboarded',
      description: 'Finished the tour.',
      badgeUrl: 'https://example.com/tour.png',
      trigger: 'api',
    },
    plain: { name: 'Plain', trigger: 'api' },
    pro: { name: 'Pro', trigger: 'api', userAttributes: { plan: 'pro' } },
    first: { name: 'First', trigger: 'metric', metric: 'words', value: 1 },
    daily: { name: 'Daily', trigger: 'streak', length: 1 },
    both: { name: 'Both', trigger: 'achievement', achievements: ['onboarded', 'first'] },
    off: { name: 'Off', trigger: 'api', status: 'inactive' },
    locked: { name: 'Locked', trigger: 'api', status: 'locked' },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'achievement', achievement: 'onboarded', points: 20 },
        { type: 'achievement', achievement: 'both', points: 300 },
      ],
      levels: { high: { name: 'High', points: 300 } },
    },
  },
}

const complete = (server: Server, key: string, body: unknown = { user: { id: 'ann' } }) =>
  server.call('POST', `/v1/achievements/${key}/complete`, { body })

onEachStorage('2.3 the answer to a completion', () => {
  test('4.2 POST /achievements/{key}/complete answers 201 with completionId, achievement and points', async () => {
    const server = await serve(game)
    const answer = await complete(server, 'onboarded')
    expectStatus(answer, 201)
    expect(answer.body).toEqual({
      completionId: UUID_5,
      achievement: {
        id: UUID_5,
        key: 'onboarded',
        trigger: 'api',
        name: 'Onboarded',
        description: 'Finished the tour.',
        badgeUrl: 'https://example.com/tour.png',
        userAttributes: [],
        achievedAt: '2026-03-10T12:00:00.000Z',
      },
      points: {
        xp: {
          id: UUID_5,
          key: 'xp',
          name: 'XP',
          description: null,
          badgeUrl: null,
          maxPoints: null,
          total: 20,
          added: 20,
          awards: [
            {
              id: UUID_5,
              awarded: 20,
              date: '2026-03-10T12:00:00.000Z',
              total: 20,
              trigger: {
                id: UUID_5,
                type: 'achievement',
                points: 20,
                status: 'active',
                userAttributes: [],
                achievementId: UUID_5,
                achievementName: 'Onboarded',
                created: '1970-01-01T00:00:00.000Z',
                updated: '1970-01-01T00:00:00.000Z',
              },
            },
          ],
        },
      },
    })
  })

  test('points is {} where the completion pays nothing', async () => {
    const server = await serve(game)
    const { status, body } = await complete(server, 'plain')
    expect(status).toBe(201)
    expect(body.points).toEqual({})
  })

  test('points also carries what composites pay that it completes, and the level reached', async () => {
    const server = await serve(game)
    await server.call('POST', '/v1/metrics/words/event', { body: { user: { id: 'ann' }, value: 1 } })
    const { status, body } = await complete(server, 'onboarded')
    expect(status).toBe(201)
    expect(body.achievement.key).toBe('onboarded')
    expect(body.points).toMatchObject({
      xp: {
        total: 320,
        added: 320,
        level: { id: UUID_5, key: 'high', name: 'High', description: '', badgeUrl: null, points: 300 },
      },
    })
  })
})

onEachStorage('4.2 POST /achievements/{key}/complete', () => {
  test('creates or updates the user', async () => {
    const server = await serve(game)
    await complete(server, 'onboarded', { user: { id: 'ann', tz: 'Asia/Tokyo' } })
    await complete(server, 'plain', { user: { id: 'ann', name: 'Ann' } })
    expect((await server.call('GET', '/v1/users/ann')).body).toMatchObject({ tz: 'Asia/Tokyo', name: 'Ann' })
  })

  test('again: 201 with the first completionId and achievedAt, points {} and nothing new', async () => {
    const server = await serve(game)
    const first = await complete(server, 'onboarded')
    server.engine.at('2026-04-01T09:00:00.000Z')
    const again = await complete(server, 'onboarded')
    expectStatus(again, 201)
    expect(again.body).toEqual({
      completionId: first.body.completionId,
      achievement: {
        id: UUID_5,
        key: 'onboarded',
        trigger: 'api',
        name: 'Onboarded',
        description: 'Finished the tour.',
        badgeUrl: 'https://example.com/tour.png',
        userAttributes: [],
        achievedAt: '2026-03-10T12:00:00.000Z',
      },
      points: {},
    })
    expect((await server.call('GET', '/v1/users/ann/points/xp')).body.total).toBe(20)
  })

  test('attributes that come with the request count', async () => {
    const server = await serve(game)
    const { status, body } = await complete(server, 'pro', { user: { id: 'ann', attributes: { plan: 'pro' } } })
    expect(status).toBe(201)
    expect(body.achievement).toMatchObject({ key: 'pro', userAttributes: [{ key: 'plan', value: 'pro' }] })
  })

  test.each([
    ['an unknown key', 'nothing'],
    ['__proto__', '__proto__'],
    ['an inactive achievement', 'off'],
    ['a metric achievement', 'first'],
    ['a streak achievement', 'daily'],
    ['a composite', 'both'],
  ])('404: %s, and nothing is written', async (_, key) => {
    const server = await serve(game)
    expectProblem(await complete(server, key), 404, 'unknown_achievement')
    expectProblem(await server.call('GET', '/v1/users/ann'), 404, 'unknown_user')
  })

  test('422: a locked achievement, and nothing is written', async () => {
    const server = await serve(game)
    expectProblem(await complete(server, 'locked'), 422, 'achievement_locked')
    expectProblem(await server.call('GET', '/v1/users/ann'), 404, 'unknown_user')
  })

  test('422: attributes that do not match its filters, and nothing is written', async () => {
    const server = await serve(game)
    const user = { id: 'ann', name: 'Ann', attributes: { plan: 'free' } }
    expectProblem(await complete(server, 'pro', { user }), 422, 'achievement_not_accessible')
    expectProblem(await server.call('GET', '/v1/users/ann'), 404, 'unknown_user')
  })

  test.each([
    ['no user', 'user', {}],
    ['a user that is a string', 'user', { user: 'ann' }],
    ['no id', 'user.id', { user: {} }],
    ['an empty id', 'user.id', { user: { id: '' } }],
    ['a name that is a number', 'user.name', { user: { id: 'ann', name: 7 } }],
  ])('422: %s, and the issues name %s', async (_, path, body) => {
    const server = await serve(game)
    expectInvalid(await complete(server, 'onboarded', body), path)
    expectProblem(await server.call('GET', '/v1/users/ann'), 404, 'unknown_user')
  })

  test('422: an unknown user attribute or time zone, and nothing is written', async () => {
    const server = await serve(game)
    const withAttribute = await complete(server, 'onboarded', { user: { id: 'ann', attributes: { colour: 'red' } } })
    expect(withAttribute).toMatchObject({ status: 422, body: { code: 'unknown_attribute' } })
    const withZone = await complete(server, 'onboarded', { user: { id: 'ann', tz: 'Mars/Base' } })
    expect(withZone).toMatchObject({ status: 422, body: { code: 'unknown_time_zone' } })
    expectProblem(await server.call('GET', '/v1/users/ann'), 404, 'unknown_user')
  })
})
