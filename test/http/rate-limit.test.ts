// @heavy: It takes more than three seconds.
// The option rateLimit, through every binding: who is asked for, when, and what is answered.

import { TrophyApiClient } from '@trophyso/node'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../adapters/client/index.ts'
import { applicationApi, type RateLimit } from '../../adapters/fetch/index.ts'
import { memory } from '../../adapters/memory/index.ts'
import { limit } from '../support/busy-machine.ts'
import { NOON, openOn } from '../support/engine.ts'
import { BINDINGS, type BindingName, openServer, type Server } from '../support/http.ts'
import { game } from './authorization-table.ts'
import { headerOf } from './browser.ts'
import { ask } from './raw.ts'

async function open(binding: BindingName, rateLimit: RateLimit): Promise<Server> {
  const server = await openServer({ definition: game, binding, rateLimit })
  onTestFinished(() => server.close())
  await server.engine.users.create({ id: 'ann' })
  return server
}

describe.each(BINDINGS)('Through %s', (binding) => {
  test('a caller over the limit is answered 429 with the seconds to wait, before its body is read', async () => {
    const server = await open(binding, async ({ kind }) => (kind === 'admin' ? null : { retryAfter: 1.2 }))
    const key = await server.applicationKey('ann')
    const json = ['Content-Type', 'application/json'] as const
    // A hundred bytes are announced, and none comes: but a host's own parser waits for them before.
    const headers = binding === 'express-parsed' ? [json] : [json, ['Content-Length', '100'] as const]
    const withKey = await ask(server.port, 'POST', '/v1/metrics/words/event', { key, headers })
    const page = [['Cookie', 'user=ann'] as const, ['Origin', 'http://127.0.0.1'] as const]
    const inSession = await ask(server.port, 'POST', '/user/v1/metrics/words/event', { headers: [...headers, ...page] })
    for (const answer of [withKey, inSession]) {
      expect(answer).toMatchObject({ status: 429, text: expect.stringContaining('"code":"too_many_requests"') })
      expect(headerOf(answer, 'retry-after')).toBe('2')
    }
    expect((await server.call('GET', '/v1/users/ann')).status).toBe(200)
  })

  test('whoever has a valid key or session is asked for once, and nobody else', async () => {
    const asked: unknown[] = []
    const server = await open(binding, (caller) => void asked.push(caller))
    const key = await server.applicationKey('ann')
    asked.length = 0
    await server.call('GET', '/v1/users/ann', { key })
    await server.call('GET', '/v1/users/ann')
    await server.call('GET', '/user/v1/users/ann', { key: null, headers: { cookie: 'user=ann' } })
    await server.call('GET', '/v1/users/ann', { key: 'app_000000000000.x' })
    await server.call('GET', '/user/v1/users/ann', { key: null })
    await server.call('GET', '/v1/health', { key: null })
    await server.call('GET', '/v1/nothing')
    expect(asked).toEqual([
      { kind: 'application', keyId: expect.any(String), tenant: '', userId: 'ann' },
      { kind: 'admin', keyId: expect.any(String) },
      { kind: 'session', tenant: '', userId: 'ann' },
    ])
  })
})

describe('A limit', () => {
  const event = { user: { id: 'ann' }, value: 5 }

  interface Limited {
    readonly server: Server
    readonly official: TrophyApiClient
    /** When each call was asked about. */
    readonly asked: number[]
  }

  /** A caller has to wait until `seconds` after the first request. */
  async function waiting(seconds: number): Promise<Limited> {
    const asked: number[] = []
    const server = await open('node', () => {
      const now = performance.now()
      const since = now - (asked[0] ?? now)
      asked.push(now)
      return asked.length > 1 && since > seconds * 1_000 - 20 ? null : { retryAfter: seconds }
    })
    asked.length = 0
    const environment = { api: `${server.base}/v1`, admin: `${server.base}/admin/v1` }
    return { server, asked, official: new TrophyApiClient({ apiKey: server.adminKey, environment }) }
  }

  const valuesOf = async ({ server }: Limited): Promise<readonly unknown[]> =>
    (await server.engine.users.events('ann')).entries.flatMap(({ value }) => (value === undefined ? [] : [value]))

  test('is waited for by our client as Retry-After says, and the event is recorded once', async () => {
    const limited = await waiting(2)
    const ours = createClient({ baseUrl: `${limited.server.base}/v1`, apiKey: limited.server.adminKey })
    expect(await ours.metrics.event('words', event)).toMatchObject({ total: 5 })
    const [first = 0, second = 0] = limited.asked
    expect(limited.asked).toHaveLength(2)
    expect(second - first).toBeGreaterThan(1_980)
    expect(second - first).toBeLessThan(limit(3_500))
    expect(await valuesOf(limited)).toEqual([5])
  })

  test('is a function, or refused when it is mounted', async () => {
    const engine = await openOn(memory(), { now: NOON }, game)
    onTestFinished(() => engine.close())
    expect(() => applicationApi(engine, { rateLimit: 100 as never })).toThrow(
      'Invalid rateLimit: must be a function that answers null, or { retryAfter } in seconds, not 100.',
    )
  })
})
