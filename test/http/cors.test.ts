// @heavy: It takes more than three seconds.
// Pages that hold an application key (decisions, section 8), through every binding.

import { describe, expect, onTestFinished, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import type { Storage } from '../../src/index.ts'
import { findKey } from '../../src/sql/api-keys.ts'
import { aroundQuery } from '../support/around-query.ts'
import { extendStorage } from '../support/extend-storage.ts'
import { BINDINGS, type BindingName, openServer, type Server } from '../support/http.ts'
import { game, OPERATIONS } from './authorization-table.ts'
import { fetchAsPage, headerOf } from './browser.ts'
import { ask, type RawAnswer } from './raw.ts'

const PAGE = 'https://app.example.com'
const OTHERS = [
  'https://evil.example',
  'http://app.example.com',
  'https://app.example.com:8443',
  'https://app.example.com.evil.example',
  'https://evil.example?https://app.example.com',
  'https://evilapp.example.com',
  'https://sub.app.example.com',
  'https://APP.example.com',
  'null',
  '*',
]

interface World {
  readonly server: Server
  /** Ann's. */
  readonly key: string
  /** How often the storage has been asked for a key. */
  keysAsked(): number
}

async function open(binding: BindingName, origins: readonly string[] | '*' | null, storage = memory()): Promise<World> {
  let asked = 0
  const counting: Storage = extendStorage(
    storage,
    aroundQuery(
      (storage) => findKey(storage, ''),
      (run) => {
        asked += 1
        return run()
      },
    ),
  )
  const cors = origins === null ? {} : { cors: { origins } }
  const server = await openServer({ definition: game, binding, storage: counting, ...cors })
  onTestFinished(() => server.close())
  await server.engine.users.create({ id: 'ann' })
  return { server, key: await server.applicationKey('ann'), keysAsked: () => asked }
}

const namesOf = (answer: RawAnswer): readonly string[] =>
  answer.head
    .split('\r\n')
    .map((line) => line.slice(0, line.indexOf(':')).toLowerCase())
    .filter((name) => name.startsWith('access-control-') || name === 'vary')
    .sort()

const SHARED = ['access-control-allow-origin', 'access-control-expose-headers', 'vary']

/** As the official client sends them, and a page's own. */
const HEADERS = (key: string) =>
  [
    ['X-API-KEY', key],
    ['Content-Type', 'application/json'],
    ['Idempotency-Key', 'k-1'],
    ['X-SDK-VERSION', '1.20.1'],
    ['Tenant-ID', 'acme'],
  ] as const

describe.each(BINDINGS)('Through %s', (binding) => {
  test('a page of an origin that is named can do all that its key can', async () => {
    const { server, key } = await open(binding, ['https://www.example.com', PAGE])
    for (const { method, target, body, status, applicationKeys } of OPERATIONS) {
      const json = body === undefined ? undefined : JSON.stringify(body('ann'))
      const page = { port: server.port, origin: PAGE, method, target: target('ann'), headers: HEADERS(key), body: json }
      const { preflight, answer, isReadable } = await fetchAsPage(page)
      expect([preflight?.status, preflight?.text]).toEqual([204, ''])
      expect([page.target, isReadable, answer?.status]).toEqual([
        page.target,
        true,
        applicationKeys === 'no' ? 403 : status,
      ])
      expect(headerOf(answer as RawAnswer, 'access-control-allow-origin')).toBe(PAGE)
    }
  })

  test('a page of another origin is stopped by its browser, and a call without one goes on', async () => {
    const { server, key } = await open(binding, [PAGE])
    for (const origin of OTHERS) {
      const page = { port: server.port, origin, target: '/v1/users/ann', headers: HEADERS(key) }
      for (const method of ['GET', 'PUT', 'PATCH']) {
        const { preflight, answer, isReadable } = await fetchAsPage({ ...page, method })
        expect([origin, answer, isReadable]).toEqual([origin, null, false])
        expect(namesOf(preflight as RawAnswer)).toEqual(['vary'])
      }
      // Simple requests are sent unasked; without the header they hold no key, and cannot be read.
      const simple = await fetchAsPage({ ...page, method: 'GET', headers: [] })
      expect([simple.answer?.status, simple.isReadable]).toEqual([401, false])
      expect(namesOf(simple.answer as RawAnswer)).toEqual(['vary'])
    }
    const server2server = await ask(server.port, 'GET', '/v1/users/ann', { key })
    expect([server2server.status, namesOf(server2server)]).toEqual([200, ['vary']])
  })

  test('an empty list of origins lets nobody in', async () => {
    const { server, key } = await open(binding, [])
    for (const origin of [PAGE, ...OTHERS]) {
      const page = { port: server.port, origin, method: 'GET', target: '/v1/users/ann', headers: HEADERS(key) }
      expect((await fetchAsPage(page)).answer).toBeNull()
    }
  })

  test('a preflight needs no key, and nothing is looked up for it', async () => {
    const { server, keysAsked } = await open(binding, [PAGE])
    const before = keysAsked()
    const asked = [
      ['Origin', PAGE],
      ['Access-Control-Request-Method', 'PATCH'],
      ['Access-Control-Request-Headers', 'x-api-key'],
    ] as const
    const targets = ['/v1/users/ann', '/v1/users/zoe', '/v1/nothing', '/v1/users/%00', '/admin/v1/application-api-keys']
    for (const target of targets) {
      const answer = await ask(server.port, 'OPTIONS', target, { headers: asked })
      expect([target, answer.status, answer.text]).toEqual([target, 204, ''])
      expect(namesOf(answer)).toEqual([
        'access-control-allow-headers',
        'access-control-allow-methods',
        'access-control-allow-origin',
        'access-control-expose-headers',
        'access-control-max-age',
        'vary',
      ])
    }
    expect(keysAsked()).toBe(before)
  })

  test('errors can be read by the page, too', async () => {
    const { server, key } = await open(binding, [PAGE])
    const own = [['X-API-KEY', key]] as const
    const json = [...own, ['Content-Type', 'application/json']] as const
    const event = '/v1/metrics/words/event'
    const failing: readonly (readonly [number, string, string, readonly (readonly [string, string])[], string?])[] = [
      [400, 'GET', '/v1/streaks?userIds=%zz', own],
      [400, 'POST', event, [...json, ['Idempotency-Key', 'a b']], '{"user":{"id":"ann"},"value":1}'],
      [401, 'GET', '/v1/users/ann', [['X-API-KEY', 'junk']]],
      [401, 'GET', '/v1/users/ann', []],
      [403, 'GET', '/v1/users/bob', own],
      [403, 'POST', '/admin/v1/application-api-keys', json, '[{"userId":"ann"}]'],
      [404, 'GET', '/v1/nothing', own],
      [404, 'GET', '/v1/users/ann/metrics/swims', own],
      [404, 'GET', '/admin/v1/nothing', own],
      [405, 'DELETE', '/v1/users/ann', own],
      [415, 'POST', event, [...own, ['Content-Type', 'text/plain']], '{}'],
      [422, 'POST', event, json, '{"user":{"id":"ann"}}'],
      [422, 'GET', '/v1/users/ann/streak?historyPeriods=401', own],
      // The host's parser answers its own refusals.
      ...(binding === 'express-parsed'
        ? []
        : [
            [400, 'POST', event, json, '{"user":'] as const,
            [413, 'POST', event, json, `{"more":"${'x'.repeat(300_000)}"}`] as const,
          ]),
    ]
    for (const [status, method, target, headers, body] of failing) {
      const { answer, isReadable } = await fetchAsPage({
        port: server.port,
        origin: PAGE,
        method,
        target,
        headers,
        body,
      })
      expect([method, target, answer?.status, isReadable]).toEqual([method, target, status, true])
      expect(namesOf(answer as RawAnswer)).toEqual(SHARED)
      expect(headerOf(answer as RawAnswer, 'vary')).toBe('Origin')
    }
  })

  test('every answer varies by origin, so that no cache hands one page what was meant for another', async () => {
    const { server, key } = await open(binding, [PAGE])
    for (const origin of [PAGE, 'https://evil.example', null]) {
      const headers = origin === null ? [] : ([['Origin', origin]] as const)
      for (const target of ['/v1/users/ann', '/v1/achievements', '/v1/openapi.json', '/v1/nothing', '/v1/users/bob']) {
        const answer = await ask(server.port, 'GET', target, { key, headers })
        expect([target, origin, headerOf(answer, 'vary')]).toEqual([target, origin, 'Origin'])
        const shared = origin === PAGE ? PAGE : null
        expect([target, origin, headerOf(answer, 'access-control-allow-origin')]).toEqual([target, origin, shared])
      }
    }
  })
})
