import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import type { BindingName } from '../../support/http.ts'
import { shareOf } from '../../support/share.ts'
import { ANY_CODE, type Answer, expectInvalid, expectProblem, expectStatus, type Server, send, serve } from './serve.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  achievements: { tour: { name: 'Tour', trigger: 'api' } },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 1 }] } },
  streak: { frequency: 'daily', metrics: { words: {} } },
}

const BINDINGS: readonly BindingName[] = ['node', 'express', 'express-4', 'fastify', 'fetch']

const PATHS: readonly (readonly [path: string, allowed: readonly string[]])[] = [
  ['/v1/achievements', ['GET', 'HEAD']],
  ['/v1/achievements/tour/complete', ['POST']],
  ['/v1/metrics/words/event', ['POST']],
  ['/v1/users', ['POST']],
  ['/v1/users/ann', ['GET', 'HEAD', 'PATCH', 'PUT']],
  ['/v1/users/ann/preferences', ['GET', 'HEAD', 'PATCH']],
  ['/v1/users/ann/metrics', ['GET', 'HEAD']],
  ['/v1/users/ann/metrics/words', ['GET', 'HEAD']],
  ['/v1/users/ann/metrics/words/event-summary', ['GET', 'HEAD']],
  ['/v1/users/ann/achievements', ['GET', 'HEAD']],
  ['/v1/users/ann/streak', ['GET', 'HEAD']],
  ['/v1/users/ann/points/xp', ['GET', 'HEAD']],
  ['/v1/streaks', ['GET', 'HEAD']],
  ['/v1/points/xp', ['GET', 'HEAD']],
  ['/v1/points/xp/levels', ['GET', 'HEAD']],
  ['/v1/points/xp/level-summary', ['GET', 'HEAD']],
  ['/v1/points/xp/summary', ['GET', 'HEAD']],
  ['/v1/points/xp/boosts', ['GET', 'HEAD']],
  ['/v1/users/ann/points/xp/boosts', ['GET', 'HEAD']],
  ['/v1/leaderboards', ['GET', 'HEAD']],
  ['/v1/leaderboards/top', ['GET', 'HEAD']],
  ['/v1/users/ann/leaderboards/top', ['GET', 'HEAD']],
  ['/v1/openapi.json', ['GET', 'HEAD']],
  ['/admin/v1/application-api-keys', ['DELETE', 'GET', 'HEAD', 'POST']],
  ['/admin/v1/metrics/events', ['POST']],
]

const NO_PATHS: readonly string[] = [
  '/v1/nothing',
  '/v1/achievements/',
  '/v1/users/',
  '/v1/users/ann/',
  '/v1/users/ann/nothing',
  '/v1/users/ann/preferences/',
  '/v1/users/ann/metrics/words/event-summary/',
  '/v1/users/ann/metrics/words/nothing',
  '/v1/metrics/words',
  '/v1/metrics/words/event/',
  '/v1/achievements/tour',
  '/v1/points',
  '/v1/Users/ann',
  '/v1/application-api-keys',
  '/v1/__proto__',
  '/v1/users/ann/__proto__',
  '/v1/constructor',
  '/admin/v1/nothing',
  '/admin/v1/application-api-keys/',
  '/admin/v1/users/ann/streak',
  '/admin/v1/achievements',
]

const EVENT = '{"user":{"id":"ann"},"value":1}'
const EVENT_PATH = '/v1/metrics/words/event'
const LIMIT = 262_144

const post = (server: Server, body: string | Buffer, headers: Record<string, string> = {}, key?: string | null) =>
  send(server, 'POST', EVENT_PATH, { body, headers, ...(key === undefined ? {} : { key }) })

/** Sends the beginning of a call and closes the connection. */
const breakOff = (server: Server, part: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.base)
    const socket = connect(Number(port), hostname, () => {
      const head = [`POST ${EVENT_PATH} HTTP/1.1`, `Host: ${hostname}`, `X-API-KEY: ${server.adminKey}`]
      const length = `Content-Length: ${part.length + 10}`
      socket.write(`${[...head, 'Content-Type: application/json', length].join('\r\n')}\r\n\r\n${part}`)
      setTimeout(() => socket.destroy(), 30)
    })
    socket.on('error', reject)
    socket.on('close', () => setTimeout(resolve, 30))
  })

const allowOf = (answer: Answer): readonly string[] => (answer.headers.get('allow') ?? '').split(/\s*,\s*/).sort()

describe.each(BINDINGS)('section 1, over %s: the path', (binding) => {
  test.each(shareOf(binding, NO_PATHS))('404: %s, with and without a key, by any method', async (path) => {
    const server = await serve(game, { binding })
    await server.call('PUT', '/v1/users/ann', { body: {} })
    expectProblem(await send(server, 'GET', path), 404)
    expectProblem(await send(server, 'GET', path, { key: null }), 404)
    expectProblem(await send(server, 'POST', path, { key: 'x', body: '{' }), 404)
    expectProblem(await send(server, 'DELETE', path, { key: null }), 404)
  })

  test('a query does not change the path', async () => {
    const server = await serve(game, { binding })
    expectStatus(await send(server, 'GET', '/v1/achievements?'), 200)
    expectProblem(await send(server, 'GET', '/v1/nothing?x=/v1/achievements'), 404)
  })

  test('an encoded slash does not part a path', async () => {
    const server = await serve(game, { binding })
    await send(server, 'PUT', '/v1/users/ann%2Fpreferences', { body: '{"name":"X"}' })
    expect((await send(server, 'GET', '/v1/users/ann%2Fpreferences')).body).toMatchObject({
      id: 'ann/preferences',
      name: 'X',
    })
  })

  test('400: U+0000 in an id', async () => {
    const server = await serve(game, { binding })
    expectProblem(await send(server, 'GET', '/v1/users/%00'), 400)
  })

  test.each(['%zz', '%ff'])('400: /v1/users/%s', async (id) => {
    const server = await serve(game, { binding })
    const answer = await send(server, 'GET', `/v1/users/${id}`)
    // Fastify answers a URL that it cannot decode before any plugin is asked, the README says.
    if (binding !== 'fastify') expectProblem(answer, 400)
    else expect(answer).toMatchObject({ status: 400, body: { error: expect.any(String), code: expect.any(String) } })
  })

  test('an id of 255 characters is one as others, one of 256 is 422', async () => {
    const server = await serve(game, { binding })
    const longest = 'x'.repeat(255)
    const { status, body } = await send(server, 'PUT', `/v1/users/${longest}`, { body: '{}' })
    expect({ status, id: body.id }).toEqual({ status: 200, id: longest })
    expectStatus(await send(server, 'GET', `/v1/users/${longest}/metrics/words`), 200)
    expectInvalid(await send(server, 'GET', `/v1/users/${longest}x`))
  })

  test('emojis, slashes and __proto__ are ids as others', async () => {
    const server = await serve(game, { binding })
    for (const [path, id] of [
      ['%F0%9F%A6%89', '\u{1f989}'],
      ['team%2Fann', 'team/ann'],
      ['__proto__', '__proto__'],
      ['%252F', '%2F'],
    ] as const) {
      const { status, body } = await send(server, 'PUT', `/v1/users/${path}`, { body: '{}' })
      expect({ status, id: body.id }).toEqual({ status: 200, id })
      expect((await send(server, 'GET', `/v1/users/${path}`)).body.id).toBe(id)
    }
  })
})

describe.each(BINDINGS)('section 1, over %s: the method', (binding) => {
  test.each(shareOf(binding, PATHS))('405 with Allow, with and without a key: %s', async (path, allowed) => {
    const server = await serve(game, { binding })
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (allowed.includes(method)) continue
      for (const key of [server.adminKey, null]) {
        const answer = await send(server, method, path, { key })
        expectProblem(answer, 405)
        expect({ method, allow: allowOf(answer) }).toEqual({ method, allow: allowed })
      }
    }
  })

  const READ = PATHS.filter(([, allowed]) => allowed.includes('GET'))
  const NOT_READ = PATHS.filter(([, allowed]) => !allowed.includes('GET'))

  test.each(shareOf(binding, READ))('answered as GET without a body: HEAD %s', async (path) => {
    const server = await serve(game, { binding })
    await server.call('PUT', '/v1/users/ann', { body: {} })
    for (const key of [server.adminKey, null]) {
      const got = await send(server, 'GET', path, { key })
      const { status, text, headers } = await send(server, 'HEAD', path, { key })
      const type = headers.get('content-type')
      expect({ status, type, text }).toEqual({ status: got.status, type: got.headers.get('content-type'), text: '' })
    }
    expect((await send(server, 'HEAD', '/v1/users/ann')).status).toBe(200)
    expect((await send(server, 'HEAD', '/v1/users/ann', { key: null })).status).toBe(401)
    expect((await send(server, 'HEAD', '/v1/users/nobody')).status).toBe(404)
  })

  test.each(shareOf(binding, NOT_READ))('405 with Allow and without a body: HEAD %s', async (path, allowed) => {
    const server = await serve(game, { binding })
    const answer = await send(server, 'HEAD', path)
    expect({ status: answer.status, text: answer.text, allow: allowOf(answer) }).toEqual({
      status: 405,
      text: '',
      allow: allowed,
    })
  })

  test('405 with a body, before the body is looked at', async () => {
    const server = await serve(game, { binding })
    expectProblem(await send(server, 'DELETE', '/v1/users/ann', { body: '{', key: null }), 405)
    expectProblem(await send(server, 'PUT', '/v1/users', { body: 'x'.repeat(1000), key: null }), 405)
  })

  test('405: PROPFIND', async () => {
    const server = await serve(game, { binding })
    expectProblem(await send(server, 'PROPFIND', '/v1/users/ann'), 405)
  })
})

// A `Request` of fetch cannot be made with the method TRACE.
describe.each(BINDINGS.filter((binding) => binding !== 'fetch'))('section 1, over %s: TRACE', (binding) => {
  test.each(shareOf(binding, PATHS))('405 with Allow: TRACE %s', async (path, allowed) => {
    const server = await serve(game, { binding })
    const answer = await send(server, 'TRACE', path)
    expectProblem(answer, 405)
    expect(allowOf(answer)).toEqual(allowed)
  })
})

describe.each(BINDINGS)('section 1, over %s: the body', (binding) => {
  test.each([
    ['nothing', ''],
    ['an open object', '{"user":{"id":"ann"},"value":1'],
    ['a trailing comma', '{"user":{"id":"ann"},"value":1,}'],
    ['single quotes', "{'user':{'id':'ann'},'value':1}"],
    ['two values', `${EVENT}${EVENT}`],
    ['a form', 'user=ann&value=1'],
    ['a raw line break in a string', '{"user":{"id":"a\nb"},"value":1}'],
  ])('400: %s is malformed JSON', async (_, body) => {
    const server = await serve(game, { binding })
    expectProblem(await post(server, body), 400)
    expectProblem(await server.call('GET', '/v1/users/ann'), 404, 'unknown_user')
  })

  test('400: bad UTF-8', async () => {
    const server = await serve(game, { binding })
    const withByte = (...bytes: readonly number[]) =>
      Buffer.concat([Buffer.from('{"user":{"id":"a'), Buffer.from(bytes), Buffer.from('"},"value":1}')])
    for (const bytes of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0xa6]]) {
      expectProblem(await post(server, withByte(...bytes)), 400)
    }
    const owl = await post(server, withByte(0xf0, 0x9f, 0xa6, 0x89))
    expect(owl.status).toBe(201)
    expectStatus(await send(server, 'GET', '/v1/users/a%F0%9F%A6%89'), 200)
  })

  test('400: an Idempotency-Key that is empty, of 256 characters, with a space or sent twice', async () => {
    const server = await serve(game, { binding })
    for (const key of ['', 'k'.repeat(256), 'a b', 'cl\u00e9']) {
      expectProblem(await post(server, EVENT, { 'Idempotency-Key': key }), 400, 'invalid_idempotency_key')
    }
    const headers = { 'Idempotency-Key': ['a', 'a'] }
    // Through fetch the two have become one, `a, a`.
    expectProblem(await send(server, 'POST', EVENT_PATH, { body: EVENT, headers }), 400, ANY_CODE)
    expectProblem(await server.call('GET', '/v1/users/ann'), 404, 'unknown_user')
    expectStatus(await post(server, EVENT, { 'Idempotency-Key': 'k'.repeat(255) }), 201)
  })

  test.each(['[]', 'null', '"ann"', '5', 'true'])('422: %s is JSON, but not an object', async (body) => {
    const server = await serve(game, { binding })
    expectInvalid(await post(server, body))
    expectInvalid(await send(server, 'PUT', '/v1/users/ann', { body }))
    expectInvalid(await send(server, 'PATCH', '/v1/users/ann', { body }))
  })

  test('413: one byte over 256 KiB; 256 KiB are accepted', async () => {
    const server = await serve(game, { binding })
    expectStatus(await post(server, EVENT.padEnd(LIMIT, ' ')), 201)
    expectProblem(await post(server, EVENT.padEnd(LIMIT + 1, ' ')), 413)
    expectProblem(await post(server, EVENT.padEnd(4 * LIMIT, ' ')), 413)
    expect((await server.call('GET', '/v1/users/ann/metrics/words')).body.current).toBe(1)
  })

  test('413: over 256 KiB in pieces, without a length', async () => {
    const server = await serve(game, { binding })
    const pieces = (length: number) => [EVENT, ...Array.from({ length }, () => ' '.repeat(65_000))]
    expectStatus(await send(server, 'POST', EVENT_PATH, { chunks: pieces(4) }), 201)
    expectProblem(await send(server, 'POST', EVENT_PATH, { chunks: pieces(5) }), 413)
    expect((await server.call('GET', '/v1/users/ann/metrics/words')).body.current).toBe(1)
  })

  test('the limit counts bytes, not characters', async () => {
    const server = await serve(game, { binding })
    const body = `{"user":{"id":"ann"},"value":1,"ignored":"${'\u00e9'.repeat(131_072)}"}`
    expectProblem(await post(server, body), 413)
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml'])(
    '415: %s',
    async (type) => {
      const server = await serve(game, { binding })
      expectProblem(await post(server, EVENT, { 'Content-Type': type }), 415)
      expectProblem(
        await send(server, 'PATCH', '/v1/users/ann', { body: '{}', headers: { 'Content-Type': type } }),
        415,
      )
      expectProblem(await server.call('GET', '/v1/users/ann'), 404, 'unknown_user')
    },
  )

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON',
  ])('the content type %s is accepted', async (type) => {
    const server = await serve(game, { binding })
    expectStatus(await post(server, EVENT, { 'Content-Type': type }), 201)
  })

  test('a hundred thousand nested lists are answered, not crashed on', async () => {
    const server = await serve(game, { binding })
    const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect([400, 422]).toContain((await post(server, nested)).status)
    const attributes = `{"user":{"id":"ann"},"value":1,"attributes":{"x":${nested}}}`
    expect([400, 422]).toContain((await post(server, attributes)).status)
    expectStatus(await post(server, EVENT), 201)
  })

  test('a compressed body is not read as anything else', async () => {
    const server = await serve(game, { binding })
    const answer = await post(server, gzipSync(EVENT), { 'Content-Encoding': 'gzip' })
    expect([400, 415]).toContain(answer.status)
    expectProblem(await server.call('GET', '/v1/users/ann'), 404, 'unknown_user')
  })

  test('a call that breaks off in its body stores nothing', async () => {
    const server = await serve(game, { binding })
    await breakOff(server, EVENT)
    expectProblem(await server.call('GET', '/v1/users/ann'), 404, 'unknown_user')
    expectStatus(await post(server, EVENT), 201)
  })

  test('a GET with a content type is read as without', async () => {
    const server = await serve(game, { binding })
    const headers = { 'Content-Type': 'text/plain' }
    expectStatus(await send(server, 'GET', '/v1/achievements', { headers }), 200)
  })
})

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

describe('over express, behind a parser of the host', () => {
  const binding = 'express-parsed'

  test('a body that the host has parsed is read', async () => {
    const server = await serve(game, { binding })
    const { status, body } = await post(server, EVENT)
    expect({ status, total: body.total }).toEqual({ status: 201, total: 1 })
    expectStatus(await send(server, 'PATCH', '/v1/users/ann', { body: '{"name":"Ann"}' }), 200)
    const keys = await send(server, 'POST', '/admin/v1/application-api-keys', { body: '[{"userId":"ann"}]' })
    expect(keys.status).toBe(201)
  })

  test('what the parser lets through is checked in the same order', async () => {
    const server = await serve(game, { binding })
    expectProblem(await send(server, 'POST', '/v1/nothing', { body: EVENT, key: null }), 404)
    expectProblem(await send(server, 'PUT', EVENT_PATH, { body: EVENT, key: null }), 405)
    expectProblem(await post(server, '{}', {}, null), 401)
    expectProblem(await post(server, EVENT, { 'Content-Type': 'text/plain' }), 415)
    expectInvalid(await post(server, '{"user":{"id":"ann"}}'), 'value')
    expectInvalid(await post(server, '[]'))
    expectStatus(await send(server, 'GET', '/v1/achievements'), 200)
  })
})
