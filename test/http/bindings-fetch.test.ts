import { describe, expect, test } from 'vitest'
import { adminApi, applicationApi } from '../../adapters/fetch/index.ts'
import type { DefinedGame, Gamification } from '../../src/index.ts'
import { untyped } from '../support/engine.ts'
import { EVENT, EVENT_PATH, openGamification, wordsOf } from './hosts.ts'

const BASE = 'http://localhost'

interface Sent {
  readonly method?: string
  readonly key: string
  readonly body?: RequestInit['body']
  readonly type?: string
}

function toRequest(path: string, { method, key, body = null, type = 'application/json' }: Sent): Request {
  return new Request(BASE + path, {
    method: method ?? (body === null ? 'GET' : 'POST'),
    headers: { 'X-API-KEY': key, ...(body === null ? {} : { 'Content-Type': type }) },
    body,
    duplex: 'half',
  } as RequestInit)
}

const open = async (): Promise<{ gamification: Gamification<DefinedGame>; key: string; event: () => Request }> => {
  const { gamification, key } = await openGamification()
  return { gamification, key, event: () => toRequest(EVENT_PATH, { key, body: JSON.stringify(EVENT) }) }
}

async function tell(response: Response): Promise<{ status: number; body: unknown }> {
  return { status: response.status, body: JSON.parse(await response.text()) }
}

function streamOf(...chunks: readonly unknown[]): ReadableStream {
  return new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
}

test.each([
  ['a request of Express', { url: '/v1/users/ann', headers: {} }, 'an object with url, headers'],
  ['nothing', undefined, 'undefined'],
])('whoever calls with %s hears which binding there is for it', async (_, request, named) => {
  const { gamification } = await open()
  await expect(applicationApi(gamification)(untyped(request))).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(`was given ${named}. There are laurels/express for Express`),
  })
})

describe('a prefix', () => {
  test('is /v1 and /admin/v1 unless it is given', async () => {
    const { gamification, key } = await open()
    const application = applicationApi(gamification)
    const admin = adminApi(gamification)
    expect(await tell(await application(toRequest('/v1/users/ann', { key })))).toMatchObject({ status: 200 })
    expect(await tell(await application(toRequest('/users/ann', { key })))).toMatchObject({ status: 404 })
    expect(await tell(await application(toRequest('/v1x/users/ann', { key })))).toMatchObject({ status: 404 })
    const keys = toRequest('/admin/v1/application-api-keys', { key, body: '[{"userId":"ann"}]' })
    expect(await tell(await admin(keys))).toMatchObject({ status: 201 })
  })

  test('can be another', async () => {
    const { gamification, key } = await open()
    const application = applicationApi(gamification, { prefix: '/game/api' })
    expect(await tell(await application(toRequest('/game/api/users/ann?x=1', { key })))).toMatchObject({ status: 200 })
    expect(await tell(await application(toRequest('/v1/users/ann', { key })))).toMatchObject({ status: 404 })
  })

  test('can be empty, where a router has taken it off', async () => {
    const { gamification, key } = await open()
    const application = applicationApi(gamification, { prefix: '' })
    expect(await tell(await application(toRequest('/users/ann', { key })))).toMatchObject({ status: 200 })
    expect(await tell(await application(toRequest('/v1/users/ann', { key })))).toMatchObject({ status: 404 })
    expect(await tell(await application(new Request(BASE)))).toMatchObject({
      status: 404,
      body: { code: 'unknown_path' },
    })
  })

  test.each(['v1', '/v1/', '/'])('that is %s is refused at once', async (prefix) => {
    const { gamification } = await open()
    expect(() => applicationApi(gamification, { prefix })).toThrow(/^The prefix .* must /)
  })
})

describe('a body', () => {
  test('may be a stream of any pieces', async () => {
    const { gamification, key } = await open()
    const bytes = new TextEncoder().encode(JSON.stringify({ user: { id: 'ann', name: 'Änn 😀' }, value: 1 }))
    const pieces = [...bytes].map((byte) => Uint8Array.of(byte))
    const request = toRequest(EVENT_PATH, { key, body: streamOf(...pieces, new Uint8Array()) })
    expect(await tell(await applicationApi(gamification)(request))).toMatchObject({ status: 201 })
    expect(await gamification.users.get('ann')).toMatchObject({ name: 'Änn 😀' })
  })

  test('in a stream over the limit is refused, and no more of it is kept', async () => {
    const { gamification, key } = await open()
    let pulled = 0
    const endless = new ReadableStream({
      pull: (controller) => {
        pulled += 1
        controller.enqueue(new Uint8Array(65_536))
        if (pulled === 64) controller.close()
      },
    })
    const told = await tell(await applicationApi(gamification)(toRequest(EVENT_PATH, { key, body: endless })))
    expect(told).toMatchObject({ status: 413, body: { code: 'body_too_large' } })
  })

  test('that never ends is refused as soon as it is over the limit', async () => {
    const { gamification, key } = await open()
    let isCancelled = false
    let waits: (() => void) | undefined
    const endless = new ReadableStream({
      pull: async (controller) => {
        controller.enqueue(new Uint8Array(65_536))
        // At the pace of a network.
        await new Promise<void>((resolve) => {
          waits = resolve
          setTimeout(resolve, 1)
        })
        if (isCancelled) controller.close()
      },
    })
    const told = await tell(await applicationApi(gamification)(toRequest(EVENT_PATH, { key, body: endless })))
    expect(told).toMatchObject({ status: 413 })
    isCancelled = true
    waits?.()
  })

  test('that breaks off stores nothing', async () => {
    const { gamification, key } = await open()
    const broken = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode(JSON.stringify(EVENT)))
      },
      pull: (controller) => controller.error(new Error('The client has gone.')),
    })
    const told = await tell(await applicationApi(gamification)(toRequest(EVENT_PATH, { key, body: broken })))
    expect(told).toMatchObject({ status: 400, body: { code: 'malformed_request' } })
    expect(await wordsOf(gamification)).toBe(0)
  })
})

describe('a request', () => {
  test('that was given up is answered all the same, or not at all', async () => {
    const { gamification, key } = await open()
    const controller = new AbortController()
    const request = new Request(BASE + EVENT_PATH, {
      method: 'POST',
      headers: { 'X-API-KEY': key, 'Content-Type': 'application/json' },
      body: JSON.stringify(EVENT),
      signal: controller.signal,
    })
    controller.abort()
    const response = await applicationApi(gamification)(request)
    expect(response.status).toBeOneOf([201, 400])
    expect(await wordsOf(gamification)).toBe(response.status === 201 ? 1 : 0)
  })

  test('for HEAD is answered as for GET, without a body', async () => {
    const { gamification, key } = await open()
    const handle = applicationApi(gamification)
    const response = await handle(toRequest('/v1/users/ann', { key, method: 'HEAD' }))
    expect(response.status).toBe(200)
    expect(response.body).toBeNull()
    const got = await handle(toRequest('/v1/users/ann', { key }))
    expect(Object.fromEntries(response.headers)).toEqual(Object.fromEntries(got.headers))
    expect((await handle(toRequest('/v1/users/ann', { key: 'none', method: 'HEAD' }))).status).toBe(401)
  })
})

test('an answer says what it is', async () => {
  const { gamification, key, event } = await open()
  const response = await applicationApi(gamification)(event())
  expect(Object.fromEntries(response.headers)).toEqual({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  const preflight = await applicationApi(gamification, { cors: { origins: '*' } })(
    new Request(`${BASE}/v1/users/ann`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example.com', 'access-control-request-method': 'GET', 'X-API-KEY': key },
    }),
  )
  expect({ status: preflight.status, body: preflight.body }).toEqual({ status: 204, body: null })
})
