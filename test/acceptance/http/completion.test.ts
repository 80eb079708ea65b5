import { describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { expectInvalid, expectProblem, type Server, serve } from './serve.ts'

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

describe('4.2 POST /achievements/{key}/complete', () => {
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
