import { describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { expectInvalid, expectProblem, type Server, send, serve } from './serve.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' }, pages: { name: 'Pages' } },
  eventAttributes: ['source'],
  userAttributes: ['plan'],
  achievements: { one: { name: 'One', trigger: 'metric', metric: 'words', value: 1 } },
}

/** `value` as it stands in the JSON. */
const event = (server: Server, value: string, id = 'ann') =>
  send(server, 'POST', '/v1/metrics/words/event', { body: `{"user":{"id":"${id}"},"value":${value}}` })

describe('section 2: user ids in a path', () => {
  test.each([
    ['%zz', '%zz'],
    ['a lone %', '%'],
    ['half an escape', 'ann%2'],
    ['U+0000', '%00'],
    ['U+0000 among others', 'ann%00b'],
    ['a byte that is no UTF-8', '%ff'],
    ['a cut sequence of UTF-8', '%F0%9F%A6'],
    ['an overlong sequence of UTF-8', '%C0%AF'],
    ['a surrogate in UTF-8', '%ED%A0%80'],
  ])('400: %s', async (_, path) => {
    const server = await serve(game)
    expectProblem(await send(server, 'GET', `/v1/users/${path}`), 400)
    expectProblem(await send(server, 'PUT', `/v1/users/${path}`, { body: '{}' }), 400)
    expectProblem(await send(server, 'GET', `/v1/users/${path}/metrics/words`), 400)
    expectProblem(await send(server, 'GET', `/v1/users/ann/metrics/${path}`), 400)
  })

  test.each(['.', '..', '%2E', '%2e%2E'])('%s never names a user', async (path) => {
    const server = await serve(game)
    const { status } = await send(server, 'PUT', `/v1/users/${path}`, { body: '{}' })
    expect([404, 405, 422]).toContain(status)
  })

  test('255 characters are counted in code units or points, so that an id of 128 emojis is one way or the other', async () => {
    const server = await serve(game)
    const id = '\u{1f989}'.repeat(127)
    const { status, body } = await server.call('PUT', `/v1/users/${encodeURIComponent(id)}`, { body: {} })
    expect({ status, id: body.id }).toEqual({ status: 200, id })
    const longer = encodeURIComponent('\u{1f989}'.repeat(256))
    expectInvalid(await server.call('PUT', `/v1/users/${longer}`, { body: {} }))
  })
})

describe('section 2: strings in a query', () => {
  test.each(['plan:%zz', '%', 'plan:%ff', 'plan:%ED%A0%80'])('400: bad percent-encoding as %s', async (query) => {
    const server = await serve(game)
    expectProblem(await send(server, 'GET', `/v1/achievements?userAttributes=${query}`), 400)
  })
})

describe('section 2: strings in a body', () => {
  test.each([
    ['U+0000', '"a\\u0000"'],
    ['half a surrogate pair', '"a\\ud83e"'],
    ['the other half', '"\\udd89a"'],
  ])('422: %s, wherever it stands', async (_, text) => {
    const server = await serve(game)
    for (const body of [
      `{"id":${text}}`,
      `{"id":"ann","name":${text}}`,
      `{"id":"ann","email":${text}}`,
      `{"id":"ann","deviceTokens":[${text}]}`,
      `{"id":"ann","attributes":{"plan":${text}}}`,
    ]) {
      expectInvalid(await send(server, 'POST', '/v1/users', { body }))
    }
    const event = `{"user":{"id":"ann"},"value":1,"attributes":{"source":${text}}}`
    expectInvalid(await send(server, 'POST', '/v1/metrics/words/event', { body: event }), 'attributes.source')
    expectProblem(await server.call('GET', '/v1/users/ann'), 404, 'unknown_user')
  })

  test('__proto__, constructor and toString are ordinary names where the game has them', async () => {
    const server = await serve({
      metrics: { ['__proto__']: { name: 'Proto' }, constructor: { name: 'Constructor' } },
      userAttributes: ['__proto__', 'constructor', 'toString'],
      eventAttributes: ['__proto__'],
      points: {
        ['__proto__']: { name: 'P', triggers: [{ type: 'metric', metric: '__proto__', threshold: 1, points: 1 }] },
      },
    })
    const user = await send(server, 'POST', '/v1/users', {
      body: '{"id":"ann","attributes":{"__proto__":"a","toString":"b"}}',
    })
    expect(user.status).toBe(201)
    expect(user.text).toContain('"attributes":{"__proto__":"a","toString":"b"}')
    const body = '{"user":{"id":"ann","attributes":{"constructor":"c"}},"value":5,"attributes":{"__proto__":"x"}}'
    const event = await send(server, 'POST', '/v1/metrics/__proto__/event', { body })
    expect({ status: event.status, total: event.body.total }).toEqual({ status: 201, total: 5 })
    expect(Object.keys(event.body.points)).toEqual(['__proto__'])
    expect((await send(server, 'GET', '/v1/users/ann/points/__proto__')).body.total).toBe(5)
    expect((await send(server, 'GET', '/v1/users/ann/metrics/constructor')).body.current).toBe(0)
    const read = await send(server, 'GET', '/v1/users/ann')
    expect(Object.entries(read.body.attributes).sort()).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'c'],
      ['toString', 'b'],
    ])
  })

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    '%s is unknown where the game does not name it',
    async (name) => {
      const server = await serve(game)
      const answer = await send(server, 'POST', '/v1/users', { body: `{"id":"ann","attributes":{"${name}":"x"}}` })
      expect(answer).toMatchObject({ status: 422, body: { code: 'unknown_attribute' } })
      expectProblem(await event(server, '1').then(() => send(server, 'GET', `/v1/users/${name}`)), 404, 'unknown_user')
    },
  )

  test('a field that is only inherited is missing', async () => {
    const server = await serve(game)
    const body = '{"__proto__":{"user":{"id":"ann"}},"value":1}'
    expectInvalid(await send(server, 'POST', '/v1/metrics/words/event', { body }), 'user')
    expectInvalid(await send(server, 'POST', '/v1/users', { body: '{"__proto__":{"id":"ann"}}' }), 'id')
  })
})

describe('section 2: numbers', () => {
  test.each(['NaN', 'Infinity', '0x10', '01', '+1', '1.', '.5', '1n'])('400: %s is no JSON', async (value) => {
    const server = await serve(game)
    expectProblem(await event(server, value), 400)
    expectProblem(await server.call('GET', '/v1/users/ann'), 404, 'unknown_user')
  })
})
