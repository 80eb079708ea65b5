import { describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import type { BindingName } from '../../support/http.ts'
import { expectInvalid, expectProblem, expectStatus, type Server, send, serve } from './serve.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  achievements: { tour: { name: 'Tour', trigger: 'api' } },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 1 }] } },
  streak: { frequency: 'daily', metrics: { words: {} } },
}

const BINDINGS: readonly BindingName[] = ['node', 'express', 'express-4', 'fastify', 'fetch']

const EVENT = '{"user":{"id":"ann"},"value":1}'
const EVENT_PATH = '/v1/metrics/words/event'
const LIMIT = 262_144

const post = (server: Server, body: string | Buffer, headers: Record<string, string> = {}, key?: string | null) =>
  send(server, 'POST', EVENT_PATH, { body, headers, ...(key === undefined ? {} : { key }) })

describe.each(BINDINGS)('section 1, over %s: the order of the checks', (binding) => {
  const big = EVENT.padEnd(LIMIT + 1, ' ')
  const text = { 'Content-Type': 'text/plain' }

  test('the path (404) comes first', async () => {
    const server = await serve({ ...game, multiTenant: true }, { binding })
    const headers = { ...text, 'Idempotency-Key': '' }
    expectProblem(await send(server, 'POST', '/v1/nothing', { key: null, body: big, headers }), 404)
  })

  test('then the method (405)', async () => {
    const server = await serve({ ...game, multiTenant: true }, { binding })
    const headers = { ...text, 'Idempotency-Key': '' }
    expectProblem(await send(server, 'PUT', EVENT_PATH, { key: null, body: big, headers }), 405)
  })

  test('then the key (401)', async () => {
    const server = await serve({ ...game, multiTenant: true }, { binding })
    for (const key of [null, 'x', 'AAAAAAAA.x']) {
      expectProblem(await post(server, '{', {}, key), 401)
      expectProblem(await post(server, big, text, key), 401)
      expectProblem(await post(server, EVENT, { 'Idempotency-Key': '' }, key), 401)
      expectProblem(await post(server, '{}', {}, key), 401)
    }
  })

  test('then the tenant (422)', async () => {
    const server = await serve({ ...game, multiTenant: true }, { binding })
    expectProblem(await post(server, '{'), 422, 'tenant_required')
    expectProblem(await post(server, big, text), 422, 'tenant_required')
    expectProblem(await post(server, EVENT, { 'Idempotency-Key': '' }), 422, 'tenant_required')
  })

  test('a request without a body and a type is told to send one', async () => {
    const server = await serve(game)
    const answer = await server.call('POST', '/v1/users')
    expectProblem(answer, 415)
    expect(answer.body.error).toBe(
      'There is no body: send a JSON object, with the header Content-Type: application/json.',
    )
  })

  test('then the body: 413, then 415, then 400', async () => {
    const server = await serve(game, { binding })
    expectProblem(await post(server, big, text), 413)
    expectProblem(await post(server, '{'.padEnd(LIMIT + 1, ' ')), 413)
    expectProblem(await post(server, '{', text), 415)
    expectProblem(await post(server, '{'), 400)
  })

  test('then the schema (422)', async () => {
    const server = await serve(game, { binding })
    expectProblem(await post(server, '{"user":{}}', { 'Idempotency-Key': 'a b' }), 400, 'invalid_idempotency_key')
    expectInvalid(await send(server, 'POST', '/v1/metrics/swims/event', { body: '{"user":{"id":"ann"}}' }), 'value')
    expectInvalid(await send(server, 'POST', '/v1/achievements/nothing/complete', { body: '{}' }), 'user')
    expectInvalid(await send(server, 'PATCH', '/v1/users/nobody', { body: '{"name":7}' }), 'name')
  })

  test('then ownership (403)', async () => {
    const server = await serve(game, { binding })
    await server.call('PUT', '/v1/users/ann', { body: {} })
    const key = await server.applicationKey('ann')
    expectInvalid(await post(server, '{"user":{"id":"bob"}}', {}, key), 'value')
    expectProblem(await post(server, '{"user":{"id":"bob"},"value":1}', {}, key), 403)
    const body = '{"user":{"id":"bob"},"value":1}'
    expectProblem(await send(server, 'POST', '/v1/metrics/swims/event', { key, body }), 403)
    expectProblem(await send(server, 'GET', '/v1/users/bob', { key }), 403)
  })

  test('on the admin API an application key is denied (403) before anything is looked up', async () => {
    const server = await serve(game, { binding })
    await server.call('PUT', '/v1/users/ann', { body: {} })
    const key = await server.applicationKey('ann')
    const path = '/admin/v1/application-api-keys'
    expectProblem(await send(server, 'POST', path, { key, body: '[{"userId":"ann"' }), 400)
    expectInvalid(await send(server, 'POST', path, { key, body: '{"userId":"ann"}' }))
    expectProblem(await send(server, 'POST', path, { key, body: '[{"userId":"ann"}]' }), 403)
    expectProblem(await send(server, 'POST', path, { key, body: '[{"userId":"nobody"}]' }), 403)
  })

  test('then a used idempotency key (202), then the rules (404, 422)', async () => {
    const server = await serve(
      {
        metrics: { words: { name: 'Words' }, spent: { name: 'Spent' } },
        points: {
          coins: {
            name: 'Coins',
            triggers: [
              { type: 'metric', metric: 'words', threshold: 1, points: 1 },
              { type: 'metric', metric: 'spent', threshold: 1, points: -1, blockIfOutOfPoints: true },
            ],
          },
        },
      },
      { binding },
    )
    await post(server, EVENT)
    const headers = { 'Idempotency-Key': 'k' }
    const spend = (sent: Record<string, string>) =>
      send(server, 'POST', '/v1/metrics/spent/event', { body: EVENT, headers: sent })
    expectStatus(await spend(headers), 201)
    expectStatus(await spend(headers), 202)
    expectProblem(await spend({}), 422, 'out_of_points')
    expectProblem(await send(server, 'POST', '/v1/metrics/swims/event', { body: EVENT }), 422, 'unknown_metric')
  })
})

describe('section 1: what is wrong with an event is a matter of the schema or of the rules, and keeps its place', () => {
  const AS_SCHEMA = { forAnother: 422, underUsedKey: 422 }
  const AFTER_OWNERSHIP = { forAnother: 403, underUsedKey: 422 }
  const AS_RULE = { forAnother: 403, underUsedKey: 202 }

  test.each([
    ['a value out of range', [AS_RULE, AS_SCHEMA], (id: string) => `{"user":{"id":"${id}"},"value":1e16}`],
    ['an unknown time zone', [AFTER_OWNERSHIP], (id: string) => `{"user":{"id":"${id}","tz":"Mars/X"},"value":1}`],
    [
      'an unknown user attribute',
      [AS_RULE],
      (id: string) => `{"user":{"id":"${id}","attributes":{"x":"y"}},"value":1}`,
    ],
    [
      'an unknown event attribute',
      [AS_RULE],
      (id: string) => `{"user":{"id":"${id}"},"value":1,"attributes":{"x":"y"}}`,
    ],
    [
      'a subscription without email',
      [AS_RULE],
      (id: string) => `{"user":{"id":"${id}","subscribedToEmails":true},"value":1}`,
    ],
    ['no value', [AS_SCHEMA], (id: string) => `{"user":{"id":"${id}"}}`],
  ])('%s', async (_, places, wrong) => {
    const server = await serve(game)
    const headers = { 'Idempotency-Key': 'k' }
    expectStatus(await post(server, EVENT, headers), 201)
    const key = await server.applicationKey('ann')
    const forAnother = (await post(server, wrong('bob'), {}, key)).status
    const underUsedKey = (await post(server, wrong('ann'), headers)).status
    expect(places).toContainEqual({ forAnother, underUsedKey })
  })
})

describe.each(BINDINGS)('over %s: headers', (binding) => {
  test.each(['1.20.1', '0', '99.0.0', 'banana', '', '1.20.1, 1.20.1'])(
    'X-SDK-VERSION "%s" is accepted and ignored',
    async (version) => {
      const server = await serve(game, { binding })
      expectStatus(await post(server, EVENT, { 'X-SDK-VERSION': version }), 201)
    },
  )

  test('every answer is JSON, with the length in bytes', async () => {
    const server = await serve(game, { binding })
    await send(server, 'PUT', '/v1/users/ann', { body: '{"name":"Zo\u00eb \u{1f989}"}' })
    const { text, headers, body } = await send(server, 'GET', '/v1/users/ann')
    expect(body.name).toBe('Zo\u00eb \u{1f989}')
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    const length = headers.get('content-length')
    if (length !== null) expect(Number(length)).toBe(Buffer.byteLength(text))
  })
})
