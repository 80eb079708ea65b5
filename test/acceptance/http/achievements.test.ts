import { describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { UUID_5 } from '../../support/engine.ts'
import { expectInvalid, type Server, serve } from './serve.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  eventAttributes: ['source', 'lang'],
  userAttributes: ['plan', 'country'],
  achievements: {
    hundred: {
      name: 'A hundred',
      description: 'A hundred words.',
      badgeUrl: 'https://example.com/hundred.png',
      trigger: 'metric',
      metric: 'words',
      value: 100,
    },
    web: { name: 'Web', trigger: 'metric', metric: 'words', value: 10, eventAttributes: { source: 'web' } },
    french: {
      name: 'French',
      trigger: 'metric',
      metric: 'words',
      value: 10,
      eventAttributes: { source: 'web', lang: 'fr' },
    },
    tour: { name: 'Tour', trigger: 'api' },
    week: { name: 'Week', trigger: 'streak', length: 7 },
    pro: { name: 'Pro', trigger: 'api', userAttributes: { plan: 'pro' } },
    'pro-french': { name: 'Pro in France', trigger: 'api', userAttributes: { plan: 'pro', country: 'fr' } },
    odd: { name: 'Odd', trigger: 'api', userAttributes: { plan: 'a:b' } },
    off: { name: 'Off', trigger: 'api', status: 'inactive' },
    locked: { name: 'Locked', trigger: 'api', status: 'locked' },
  },
  streak: { frequency: 'daily', metrics: { words: {} } },
}

const complete = (server: Server, key: string, id: string) =>
  server.call('POST', `/v1/achievements/${key}/complete`, { body: { user: { id } } })

const keys = async (server: Server, query: string) => {
  const { status, body } = await server.call('GET', `/v1/achievements${query}`)
  expect(status).toBe(200)
  return body.map(({ key }: { key: string }) => key).sort()
}

describe('4.1 GET /achievements?userAttributes=', () => {
  const TO_ALL = ['french', 'hundred', 'tour', 'web', 'week']

  test.each([
    ['plan:pro', ['french', 'hundred', 'pro', 'tour', 'web', 'week']],
    ['plan:free', TO_ALL],
    ['country:fr', TO_ALL],
    ['plan:pro,country:fr', ['french', 'hundred', 'pro', 'pro-french', 'tour', 'web', 'week']],
    ['country:fr,plan:pro', ['french', 'hundred', 'pro', 'pro-french', 'tour', 'web', 'week']],
    ['plan:a:b', ['french', 'hundred', 'odd', 'tour', 'web', 'week']],
    ['plan%3Aa%3Ab', ['french', 'hundred', 'odd', 'tour', 'web', 'week']],
    ['plan%3Apro%2Ccountry%3Afr', ['french', 'hundred', 'pro', 'pro-french', 'tour', 'web', 'week']],
  ])('%s: what is accessible to a user with those attributes', async (userAttributes, expected) => {
    const server = await serve(game)
    expect(await keys(server, `?userAttributes=${userAttributes}`)).toEqual(expected)
  })

  test.each(['plan', 'plan:pro,', ',plan:pro', 'plan:pro,,country:fr', 'plan:pro,country', ''])(
    '422: malformed as "%s"',
    async (userAttributes) => {
      const server = await serve(game)
      expectInvalid(await server.call('GET', `/v1/achievements?userAttributes=${userAttributes}`))
    },
  )

  test.each(['colour:red', '%20plan:pro', 'plan:pro,colour:red', '__proto__:x', 'source:web'])(
    '422: an unknown attribute as "%s"',
    async (userAttributes) => {
      const server = await serve(game)
      const { status, body } = await server.call('GET', `/v1/achievements?userAttributes=${userAttributes}`)
      expect({ status, body }).toMatchObject({ status: 422, body: { code: 'unknown_attribute' } })
    },
  )
})

describe('GET /users/{id}/achievements', () => {
  test('?includeIncomplete=true has those too that the user has not, with achievedAt null', async () => {
    const server = await serve({
      metrics: { words: { name: 'Words written' } },
      achievements: { tour: { name: 'Tour', trigger: 'api' }, quiz: { name: 'Quiz', trigger: 'api' } },
    })
    await complete(server, 'tour', 'ann')
    const { status, body } = await server.call('GET', '/v1/users/ann/achievements?includeIncomplete=true')
    expect(status).toBe(200)
    expect(body).toHaveLength(2)
    expect(body).toContainEqual({
      id: UUID_5,
      key: 'tour',
      trigger: 'api',
      name: 'Tour',
      description: null,
      badgeUrl: null,
      userAttributes: [],
      completions: 1,
      rarity: 100,
      achievedAt: '2026-03-10T12:00:00.000Z',
    })
    expect(body).toContainEqual({
      id: UUID_5,
      key: 'quiz',
      trigger: 'api',
      name: 'Quiz',
      description: null,
      badgeUrl: null,
      userAttributes: [],
      completions: 0,
      rarity: 0,
      achievedAt: null,
    })
  })
})
