import { describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { expectInvalid, expectProblem, expectStatus, type Server, serve } from './serve.ts'

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

describe('4.9 PATCH /users/{id}/preferences', () => {
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

  test('403: streak while customization is off, and the notifications of the same body are not written', async () => {
    const server = await serveAnn(game)
    const body = {
      notifications: { recap: ['email'] },
      streak: { evaluationMode: 'OR', metrics: [{ key: 'runs', threshold: 2 }] },
    }
    expectProblem(await server.call('PATCH', PATH, { body }), 403, 'streak_customization_disabled')
    expect((await server.call('GET', PATH)).body).toEqual({ notifications: {} })
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
})
