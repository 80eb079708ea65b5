import { describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { type Answer, expectProblem, expectStatus, send, serve } from './serve.ts'

const game: GameDefinition = { metrics: { words: { name: 'Words written' } } }
const ORIGIN = 'https://app.example.com'
const cors = { origins: [ORIGIN, 'https://other.example.com'] }

const PREFLIGHT = {
  Origin: ORIGIN,
  'Access-Control-Request-Method': 'POST',
  'Access-Control-Request-Headers': 'x-api-key, idempotency-key, content-type',
}

const corsHeaders = (answer: Answer): readonly string[] =>
  [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))

const words = (text: string | null): readonly string[] =>
  (text ?? '')
    .toLowerCase()
    .split(/\s*,\s*/)
    .sort()

describe('section 8: CORS is off by default', () => {
  test('an answer has no header of it, and OPTIONS is 405', async () => {
    const server = await serve(game)
    const answer = await send(server, 'GET', '/v1/achievements', { headers: { Origin: ORIGIN } })
    expectStatus(answer, 200)
    expect(corsHeaders(answer)).toEqual([])
    const preflight = await send(server, 'OPTIONS', '/v1/metrics/words/event', { key: null, headers: PREFLIGHT })
    expectProblem(preflight, 405)
    expect(corsHeaders(preflight)).toEqual([])
  })
})

describe('section 8: CORS for the origins that an option names', () => {
  test('a preflight needs no key and allows the method and the five headers', async () => {
    const server = await serve(game, { cors })
    const answer = await send(server, 'OPTIONS', '/v1/metrics/words/event', { key: null, headers: PREFLIGHT })
    expect([200, 204]).toContain(answer.status)
    expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN)
    expect(words(answer.headers.get('access-control-allow-methods'))).toContain('post')
    expect(words(answer.headers.get('access-control-allow-headers'))).toEqual([
      'content-type',
      'idempotency-key',
      'tenant-id',
      'x-api-key',
      'x-sdk-version',
    ])
    expect(answer.text).toBe('')
  })

  test('a preflight for a path with several methods allows them', async () => {
    const server = await serve(game, { cors })
    const headers = { ...PREFLIGHT, 'Access-Control-Request-Method': 'PATCH' }
    const answer = await send(server, 'OPTIONS', '/v1/users/ann', { key: null, headers })
    expect(words(answer.headers.get('access-control-allow-methods'))).toEqual(
      expect.arrayContaining(['get', 'put', 'patch']),
    )
  })

  test('a preflight in a game with multiTenant needs no tenant', async () => {
    const server = await serve({ ...game, multiTenant: true }, { cors })
    const answer = await send(server, 'OPTIONS', '/v1/metrics/words/event', { key: null, headers: PREFLIGHT })
    expect([200, 204]).toContain(answer.status)
  })

  test('an answer carries the origin, and varies by it', async () => {
    const server = await serve(game, { cors })
    for (const origin of [ORIGIN, 'https://other.example.com']) {
      const answer = await send(server, 'GET', '/v1/achievements', { headers: { Origin: origin } })
      expectStatus(answer, 200)
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
      expect(words(answer.headers.get('vary'))).toContain('origin')
    }
  })

  test('errors carry the headers too', async () => {
    const server = await serve(game, { cors })
    const headers = { Origin: ORIGIN }
    const answers: readonly (readonly [number, Answer])[] = [
      [400, await send(server, 'POST', '/v1/users', { headers, body: '{' })],
      [401, await send(server, 'GET', '/v1/users/ann', { headers, key: null })],
      [404, await send(server, 'GET', '/v1/users/ann', { headers })],
      [404, await send(server, 'GET', '/v1/nothing', { headers })],
      [405, await send(server, 'DELETE', '/v1/users/ann', { headers })],
      [413, await send(server, 'POST', '/v1/users', { headers, body: '{}'.padEnd(262_145, ' ') })],
      [
        415,
        await send(server, 'POST', '/v1/users', { headers: { ...headers, 'Content-Type': 'text/plain' }, body: '{}' }),
      ],
      [422, await send(server, 'POST', '/v1/users', { headers, body: '{}' })],
    ]
    for (const [status, answer] of answers) {
      expect({ status: answer.status, origin: answer.headers.get('access-control-allow-origin') }).toEqual({
        status,
        origin: ORIGIN,
      })
    }
  })

  test.each(['https://evil.example.com', 'http://app.example.com', 'https://app.example.com.evil.com', 'null'])(
    'another origin as %s gets no header that allows it',
    async (origin) => {
      const server = await serve(game, { cors })
      const answer = await send(server, 'GET', '/v1/achievements', { headers: { Origin: origin } })
      expectStatus(answer, 200)
      expect(answer.headers.get('access-control-allow-origin')).toBe(null)
      const headers = { ...PREFLIGHT, Origin: origin }
      const preflight = await send(server, 'OPTIONS', '/v1/metrics/words/event', { key: null, headers })
      expect(preflight.headers.get('access-control-allow-origin')).toBe(null)
    },
  )

  test('credentials are not allowed: keys come in a header', async () => {
    const server = await serve(game, { cors })
    const answer = await send(server, 'GET', '/v1/achievements', { headers: { Origin: ORIGIN } })
    expect(answer.headers.get('access-control-allow-credentials')).toBe(null)
  })
})
