import { expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { UUID_5 } from '../../support/engine.ts'
import { expectInvalid, expectProblem, expectStatus, onEachStorage, type Server, serve } from './serve.ts'

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

const listed = async (server: Server, key: string) => {
  const { body } = await server.call('GET', '/v1/achievements')
  return body.find((achievement: { key: string }) => achievement.key === key)
}

const keys = async (server: Server, query: string) => {
  const { status, body } = await server.call('GET', `/v1/achievements${query}`)
  expect(status).toBe(200)
  return body.map(({ key }: { key: string }) => key).sort()
}

onEachStorage('2.2 the fields of an achievement with stats', () => {
  test('4.1 GET /achievements answers 200 with the whole list', async () => {
    const server = await serve({
      metrics: { words: { name: 'Words written' } },
      achievements: { tour: { name: 'Tour', trigger: 'api' } },
    })
    const answer = await server.call('GET', '/v1/achievements')
    expectStatus(answer, 200)
    expect(answer.body).toEqual([
      {
        id: UUID_5,
        key: 'tour',
        trigger: 'api',
        name: 'Tour',
        description: null,
        badgeUrl: null,
        userAttributes: [],
        completions: 0,
        rarity: 0,
      },
    ])
  })

  test('a game without achievements has an empty list', async () => {
    const server = await serve({ metrics: { words: { name: 'Words written' } } })
    const { status, body } = await server.call('GET', '/v1/achievements')
    expect({ status, body }).toEqual({ status: 200, body: [] })
  })

  test('trigger metric: metricId, metricName, metricValue and eventAttributes', async () => {
    const server = await serve(game)
    const event = await server.call('POST', '/v1/metrics/words/event', { body: { user: { id: 'ann' }, value: 1 } })
    expect(await listed(server, 'hundred')).toEqual({
      id: UUID_5,
      key: 'hundred',
      trigger: 'metric',
      name: 'A hundred',
      description: 'A hundred words.',
      badgeUrl: 'https://example.com/hundred.png',
      userAttributes: [],
      metricId: event.body.metricId,
      metricName: 'Words written',
      metricValue: 100,
      eventAttributes: [],
      completions: 0,
      rarity: 0,
    })
  })

  test('eventAttribute is there too when there is exactly one', async () => {
    const server = await serve(game)
    expect(await listed(server, 'web')).toEqual({
      id: UUID_5,
      key: 'web',
      trigger: 'metric',
      name: 'Web',
      description: null,
      badgeUrl: null,
      userAttributes: [],
      metricId: UUID_5,
      metricName: 'Words written',
      metricValue: 10,
      eventAttribute: { key: 'source', value: 'web' },
      eventAttributes: [{ key: 'source', value: 'web' }],
      completions: 0,
      rarity: 0,
    })
    const french = await listed(server, 'french')
    expect(french.eventAttributes).toHaveLength(2)
    expect(french.eventAttributes).toEqual(
      expect.arrayContaining([
        { key: 'source', value: 'web' },
        { key: 'lang', value: 'fr' },
      ]),
    )
    expect(french).not.toHaveProperty('eventAttribute')
  })

  test('trigger streak: streakLength', async () => {
    const server = await serve(game)
    expect(await listed(server, 'week')).toEqual({
      id: UUID_5,
      key: 'week',
      trigger: 'streak',
      name: 'Week',
      description: null,
      badgeUrl: null,
      userAttributes: [],
      streakLength: 7,
      completions: 0,
      rarity: 0,
    })
  })

  test('userAttributes: an array of {key, value}', async () => {
    const server = await serve(game)
    expect((await listed(server, 'pro')).userAttributes).toEqual([{ key: 'plan', value: 'pro' }])
    const both = (await listed(server, 'pro-french')).userAttributes
    expect(both).toHaveLength(2)
    expect(both).toEqual(
      expect.arrayContaining([
        { key: 'plan', value: 'pro' },
        { key: 'country', value: 'fr' },
      ]),
    )
  })

  test('completions counts users, rarity is their percentage with two decimals', async () => {
    const server = await serve(game)
    await complete(server, 'tour', 'ann')
    expect(await listed(server, 'tour')).toMatchObject({ completions: 1, rarity: 100 })
    await server.call('POST', '/v1/users', { body: { id: 'bob' } })
    expect(await listed(server, 'tour')).toMatchObject({ completions: 1, rarity: 50 })
    await server.call('POST', '/v1/users', { body: { id: 'cid' } })
    expect(await listed(server, 'tour')).toMatchObject({ completions: 1, rarity: 33.33 })
    await complete(server, 'tour', 'bob')
    expect(await listed(server, 'tour')).toMatchObject({ completions: 2, rarity: 66.67 })
    await complete(server, 'tour', 'bob')
    expect(await listed(server, 'tour')).toMatchObject({ completions: 2, rarity: 66.67 })
  })
})

onEachStorage('4.1 GET /achievements?userAttributes=', () => {
  const TO_ALL = ['french', 'hundred', 'tour', 'web', 'week']

  test('absent: all active ones', async () => {
    const server = await serve(game)
    expect(await keys(server, '')).toEqual(['french', 'hundred', 'odd', 'pro', 'pro-french', 'tour', 'web', 'week'])
  })

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

onEachStorage('GET /users/{id}/achievements', () => {
  test('answers 200 with what the user has, with stats and achievedAt', async () => {
    const server = await serve(game)
    await complete(server, 'tour', 'ann')
    await server.call('POST', '/v1/users', { body: { id: 'bob' } })
    const answer = await server.call('GET', '/v1/users/ann/achievements')
    expectStatus(answer, 200)
    expect(answer.body).toEqual([
      {
        id: UUID_5,
        key: 'tour',
        trigger: 'api',
        name: 'Tour',
        description: null,
        badgeUrl: null,
        userAttributes: [],
        completions: 1,
        rarity: 50,
        achievedAt: '2026-03-10T12:00:00.000Z',
      },
    ])
    const ofBob = await server.call('GET', '/v1/users/bob/achievements')
    expect({ status: ofBob.status, body: ofBob.body }).toEqual({ status: 200, body: [] })
  })

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

  test('inactive ones appear nowhere, locked ones only to who has them', async () => {
    const server = await serve(game)
    await server.call('POST', '/v1/users', { body: { id: 'ann' } })
    const { body } = await server.call('GET', '/v1/users/ann/achievements?includeIncomplete=true')
    const found = body.map(({ key }: { key: string }) => key)
    expect(found).toContain('tour')
    expect(found).not.toContain('off')
    expect(found).not.toContain('locked')
  })

  test('404: an unknown user', async () => {
    const server = await serve(game)
    expectProblem(await server.call('GET', '/v1/users/ann/achievements'), 404, 'unknown_user')
  })
})
