import { expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { UUID_5 } from '../../support/engine.ts'
import { expectInvalid, expectProblem, expectStatus, onEachStorage, type Server, serve } from './serve.ts'

const game: GameDefinition = {
  metrics: {
    words: { name: 'Words written' },
    pages: { name: 'Pages' },
    old: { name: 'Old', status: 'archived' },
  },
  achievements: {
    hundred: {
      name: 'A hundred',
      description: 'A hundred words.',
      badgeUrl: 'https://example.com/hundred.png',
      trigger: 'metric',
      metric: 'words',
      value: 100,
    },
    thousand: { name: 'A thousand', trigger: 'metric', metric: 'words', value: 1000 },
    tour: { name: 'Tour', trigger: 'api' },
  },
}

const add = (server: Server, metric: string, value: number, id = 'ann') =>
  server.call('POST', `/v1/metrics/${metric}/event`, { body: { user: { id }, value } })

const WORDS_OF_ANN = {
  id: UUID_5,
  key: 'words',
  name: 'Words written',
  status: 'active',
  current: 250,
  achievements: [
    {
      id: UUID_5,
      key: 'hundred',
      trigger: 'metric',
      name: 'A hundred',
      description: 'A hundred words.',
      badgeUrl: 'https://example.com/hundred.png',
      userAttributes: [],
      metricId: UUID_5,
      metricName: 'Words written',
      metricValue: 100,
      eventAttributes: [],
      achievedAt: '2026-03-10T12:00:00.000Z',
    },
    {
      id: UUID_5,
      key: 'thousand',
      trigger: 'metric',
      name: 'A thousand',
      description: null,
      badgeUrl: null,
      userAttributes: [],
      metricId: UUID_5,
      metricName: 'Words written',
      metricValue: 1000,
      eventAttributes: [],
      achievedAt: null,
    },
  ],
}

onEachStorage('4.10 GET /users/{id}/metrics', () => {
  test('answers 200 with every active metric and every field of 2.7', async () => {
    const server = await serve(game)
    await add(server, 'words', 250)
    const answer = await server.call('GET', '/v1/users/ann/metrics')
    expectStatus(answer, 200)
    expect(answer.body).toHaveLength(2)
    expect(answer.body).toContainEqual(WORDS_OF_ANN)
    expect(answer.body).toContainEqual({
      id: UUID_5,
      key: 'pages',
      name: 'Pages',
      status: 'active',
      current: 0,
      achievements: [],
    })
  })

  test('404: an unknown user', async () => {
    const server = await serve(game)
    expectProblem(await server.call('GET', '/v1/users/ann/metrics'), 404, 'unknown_user')
  })

  test('422: an id of 256 characters', async () => {
    const server = await serve(game)
    expectInvalid(await server.call('GET', `/v1/users/${'x'.repeat(256)}/metrics`))
  })
})

onEachStorage('4.11 GET /users/{id}/metrics/{key}', () => {
  test('answers 200 with every field of 2.7', async () => {
    const server = await serve(game)
    await add(server, 'words', 250)
    const answer = await server.call('GET', '/v1/users/ann/metrics/words')
    expectStatus(answer, 200)
    expect(answer.body).toEqual(WORDS_OF_ANN)
    expect(answer.body.achievements[0].metricId).toBe(answer.body.id)
  })

  test('current is of this user', async () => {
    const server = await serve(game)
    await add(server, 'words', 5)
    await add(server, 'words', 7, 'bob')
    expect((await server.call('GET', '/v1/users/ann/metrics/words')).body.current).toBe(5)
    expect((await server.call('GET', '/v1/users/bob/metrics/words')).body.current).toBe(7)
  })

  test('404: an unknown user', async () => {
    const server = await serve(game)
    expectProblem(await server.call('GET', '/v1/users/ann/metrics/words'), 404, 'unknown_user')
  })

  test.each(['swims', 'old', '__proto__', 'constructor', 'Words'])('404: the metric %s', async (key) => {
    const server = await serve(game)
    await add(server, 'words', 5)
    expectProblem(await server.call('GET', `/v1/users/ann/metrics/${key}`), 404, 'unknown_metric')
  })

  test('422: an id of 256 characters', async () => {
    const server = await serve(game)
    expectInvalid(await server.call('GET', `/v1/users/${'x'.repeat(256)}/metrics/words`))
  })
})
