import { expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { expectInvalid, expectProblem, expectStatus, onEachStorage, type Server, serve } from './serve.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' }, runs: { name: 'Runs' } },
  streak: { frequency: 'daily', metrics: { words: { threshold: 1 } } },
}
const customized: GameDefinition = {
  ...game,
  streak: { frequency: 'daily', metrics: { words: { threshold: 1 } }, customization: true },
}

const serveAnn = async (definition: GameDefinition): Promise<Server> => {
  const server = await serve(definition)
  await server.call('POST', '/v1/users', { body: { id: 'ann' } })
  return server
}

const PATH = '/v1/users/ann/preferences'

onEachStorage('4.8 GET /users/{id}/preferences', () => {
  test('answers 200 with empty notifications where nothing was set', async () => {
    const server = await serveAnn(customized)
    const answer = await server.call('GET', PATH)
    expectStatus(answer, 200)
    expect(answer.body).toEqual({ notifications: {} })
  })

  test('404: an unknown user', async () => {
    const server = await serve(game)
    expectProblem(await server.call('GET', PATH), 404, 'unknown_user')
  })

  test('422: an id of 256 characters', async () => {
    const server = await serve(game)
    expectInvalid(await server.call('GET', `/v1/users/${'x'.repeat(256)}/preferences`))
  })
})

onEachStorage('4.9 PATCH /users/{id}/preferences', () => {
  test('2.8 notifications: the four types with email and push, answered with 200 and read again', async () => {
    const server = await serveAnn(game)
    const expected = {
      notifications: {
        achievement_completed: ['email', 'push'],
        recap: ['email'],
        reactivation: [],
        streak_reminder: ['push', 'email'],
      },
    }
    const body = {
      notifications: {
        achievement_completed: ['email', 'push'],
        recap: ['email'],
        reactivation: [],
        streak_reminder: ['push', 'email'],
      },
    }
    const answer = await server.call('PATCH', PATH, { body })
    expectStatus(answer, 200)
    expect(answer.body).toEqual(expected)
    expect((await server.call('GET', PATH)).body).toEqual(expected)
  })

  test('replaces each type that it names and leaves the others', async () => {
    const server = await serveAnn(game)
    await server.call('PATCH', PATH, { body: { notifications: { recap: ['email', 'push'], reactivation: ['email'] } } })
    const body = { notifications: { recap: ['push'], streak_reminder: ['email'] } }
    expect((await server.call('PATCH', PATH, { body })).body).toEqual({
      notifications: { recap: ['push'], reactivation: ['email'], streak_reminder: ['email'] },
    })
  })

  test('duplicates are dropped', async () => {
    const server = await serveAnn(game)
    const body = { notifications: { recap: ['push', 'email', 'push'] } }
    expect((await server.call('PATCH', PATH, { body })).body).toEqual({ notifications: { recap: ['push', 'email'] } })
  })

  test('{} changes nothing and is 200', async () => {
    const server = await serveAnn(game)
    const { status, body } = await server.call('PATCH', PATH, { body: {} })
    expect({ status, body }).toEqual({ status: 200, body: { notifications: {} } })
  })

  test('2.8 streak: evaluationMode and metrics with key and threshold, there once set', async () => {
    const server = await serveAnn(customized)
    const expected = {
      notifications: {},
      streak: { evaluationMode: 'OR', metrics: [{ key: 'runs', threshold: 2 }] },
    }
    const body = { streak: { evaluationMode: 'OR', metrics: [{ key: 'runs', threshold: 2 }] } }
    const answer = await server.call('PATCH', PATH, { body })
    expectStatus(answer, 200)
    expect(answer.body).toEqual(expected)
    expect((await server.call('GET', PATH)).body).toEqual(expected)
    const later = await server.call('PATCH', PATH, { body: { notifications: { recap: ['email'] } } })
    expect(later.body).toEqual({ ...expected, notifications: { recap: ['email'] } })
  })

  test("2.8 streak: the user's own metrics and threshold count", async () => {
    const server = await serveAnn(customized)
    await server.call('PATCH', PATH, {
      body: { streak: { evaluationMode: 'OR', metrics: [{ key: 'runs', threshold: 2 }] } },
    })
    const run = () => server.call('POST', '/v1/metrics/runs/event', { body: { user: { id: 'ann' }, value: 1 } })
    expect((await run()).body.currentStreak).toMatchObject({ length: 0, extended: false })
    expect((await run()).body.currentStreak).toMatchObject({ length: 1, extended: true })
  })

  test('403: streak while customization is off, and the notifications of the same body are not written', async () => {
    const server = await serveAnn(game)
    const body = {
      notifications: { recap: ['email'] },
      streak: { evaluationMode: 'OR', metrics: [{ key: 'runs', threshold: 2 }] },
    }
    expectProblem(await server.call('PATCH', PATH, { body }), 403, 'streak_customization_disabled')
    expect((await server.call('GET', PATH)).body).toEqual({ notifications: {} })
  })

  test('404: an unknown user, who stays unknown', async () => {
    const server = await serve(customized)
    const body = { notifications: { recap: ['email'] } }
    expectProblem(await server.call('PATCH', PATH, { body }), 404, 'unknown_user')
    expectProblem(await server.call('GET', '/v1/users/ann'), 404, 'unknown_user')
  })

  test.each([
    ['an unknown type', { notifications: { newsletter: ['email'] } }],
    ['an unknown channel', { notifications: { recap: ['sms'] } }],
    ['a channel that is not in a list', { notifications: { recap: 'email' } }],
    ['a list of types', { notifications: ['recap'] }],
    ['a valid type beside an unknown one', { notifications: { recap: ['email'], newsletter: ['email'] } }],
    ['an unknown mode', { streak: { evaluationMode: 'XOR', metrics: [{ key: 'runs', threshold: 1 }] } }],
    ['a threshold as string', { streak: { evaluationMode: 'OR', metrics: [{ key: 'runs', threshold: '1' }] } }],
    ['metrics as an object', { streak: { evaluationMode: 'OR', metrics: { runs: 1 } } }],
    [
      'a metric twice',
      {
        streak: {
          evaluationMode: 'OR',
          metrics: [
            { key: 'runs', threshold: 1 },
            { key: 'runs', threshold: 2 },
          ],
        },
      },
    ],
  ])('422: %s, with issues, and nothing is written', async (_, body) => {
    const server = await serveAnn(customized)
    expectInvalid(await server.call('PATCH', PATH, { body }))
    expect((await server.call('GET', PATH)).body).toEqual({ notifications: {} })
  })

  test('422: an unknown metric, and nothing is written', async () => {
    const server = await serveAnn(customized)
    const body = {
      notifications: { recap: ['email'] },
      streak: { evaluationMode: 'OR', metrics: [{ key: 'swims', threshold: 1 }] },
    }
    const answer = await server.call('PATCH', PATH, { body })
    expect(answer).toMatchObject({ status: 422, body: { code: 'unknown_metric' } })
    expect((await server.call('GET', PATH)).body).toEqual({ notifications: {} })
  })
})
