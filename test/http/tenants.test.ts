// @heavy: It takes more than three seconds.
// Tenants over HTTP (decisions, section 9), through every binding.

import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { dump } from '../support/dump.ts'
import { BINDINGS, type BindingName, openServer, type Server } from '../support/http.ts'
import { game, OPERATIONS } from './authorization-table.ts'
import { ask, type RawAnswer, type RawCall } from './raw.ts'

interface World {
  readonly server: Server
  tables(): ReadonlyMap<string, readonly string[]>
}

async function open(binding: BindingName, multiTenant = true): Promise<World> {
  const host = new Database(':memory:')
  const server = await openServer({ definition: { ...game, multiTenant }, binding, storage: sqlite(host) })
  onTestFinished(async () => {
    await server.close()
    host.close()
  })
  return { server, tables: () => dump(host, { everything: true }) }
}

interface Call extends RawCall {
  /** The values of the header, in their order; absent if it is not sent. */
  readonly tenant?: string | readonly string[]
}

function call({ port, adminKey }: Server, method: string, target: string, asked: Call = {}): Promise<RawAnswer> {
  const { tenant = [], key = adminKey, headers = [], ...rest } = asked
  const named = [tenant].flat().map((value) => ['Tenant-ID', value] as const)
  return ask(port, method, target, { ...rest, key, headers: [...headers, ...named] })
}

const event = (id: string, value: number): string => JSON.stringify({ user: { id, name: `${value}` }, value })
const bodyOf = ({ text }: RawAnswer) => JSON.parse(text)
const codeOf = (answer: RawAnswer): unknown => [answer.status, bodyOf(answer).code]

/** Makes an application key and returns it in full, with its id. */
async function makeKey(server: Server, tenant: string, userId: string): Promise<{ id: string; key: string }> {
  const body = JSON.stringify([{ userId }])
  const answer = await call(server, 'POST', '/admin/v1/application-api-keys', { tenant, body })
  expect(answer.status).toBe(201)
  return bodyOf(answer).created[0]
}

const WITH_TENANT = OPERATIONS.filter(({ applicationKeys }) => applicationKeys !== 'public')

describe.each(BINDINGS)('Through %s, where the game has tenants,', (binding) => {
  test('every call must say which: else 422, and nothing is written', async () => {
    const { server, tables } = await open(binding)
    await call(server, 'POST', '/v1/users', { tenant: 'acme', body: '{"id":"ann"}' })
    const { key } = await makeKey(server, 'acme', 'ann')
    const before = tables()
    const expectRequired = async (method: string, target: string, asked: Call): Promise<void> => {
      const answer = await call(server, method, target, asked)
      expect([method, target, asked, codeOf(answer)]).toEqual([method, target, asked, [422, 'tenant_required']])
    }
    for (const { method, target, body } of WITH_TENANT) {
      const json = body === undefined ? undefined : JSON.stringify(body('ann'))
      await expectRequired(method, target('ann'), { body: json })
      await expectRequired(method, target('ann'), { body: json, key })
    }
    for (const tenant of ['', ' \t']) await expectRequired('GET', '/v1/users/ann', { tenant })
    expect(tables()).toEqual(before)
    expect((await call(server, 'GET', '/v1/openapi.json', { key: null })).status).toBe(200)
  })

  test("an application key with another tenant's id is 401, whatever is called, and writes nothing", async () => {
    const { server, tables } = await open(binding)
    for (const tenant of ['acme', 'umbrella']) {
      await call(server, 'POST', '/v1/users', { tenant, body: '{"id":"ann"}' })
    }
    const { key } = await makeKey(server, 'acme', 'ann')
    const before = tables()
    const unauthorized = await call(server, 'GET', '/v1/users/ann', { tenant: 'acme', key: 'junk' })
    for (const { method, target, body } of WITH_TENANT) {
      const json = body === undefined ? undefined : JSON.stringify(body('ann'))
      expect(await call(server, method, target('ann'), { tenant: 'umbrella', key, body: json })).toEqual(unauthorized)
    }
    for (const tenant of [
      'nobody',
      'ACME',
      'acme2',
      'acm',
      '*',
      '%',
      'acme%00',
      "acme' or '1'='1",
      '""',
      '__proto__',
    ]) {
      expect([tenant, await call(server, 'GET', '/v1/users/ann', { tenant, key })]).toEqual([tenant, unauthorized])
    }
    expect(tables()).toEqual(before)
    expect((await call(server, 'GET', '/v1/users/ann', { tenant: 'acme', key })).status).toBe(200)
    expect((await call(server, 'GET', '/v1/users/ann', { tenant: ' acme\t', key })).status).toBe(200)
  })

  test('two tenants in one call are refused, the own one among them or not', async () => {
    const { server, tables } = await open(binding)
    for (const tenant of ['acme', 'umbrella', 'acme, umbrella']) {
      await server.engine.tenant(tenant).users.create({ id: 'ann' })
    }
    const { key } = await makeKey(server, 'acme', 'ann')
    const before = tables()
    for (const tenant of [
      ['acme', 'umbrella'],
      ['umbrella', 'acme'],
      ['acme', 'acme'],
      ['acme', ''],
      ['', 'acme'],
      ['acme,umbrella'],
    ]) {
      expect([400, 401]).toContain((await call(server, 'GET', '/v1/users/ann', { tenant, key })).status)
      expect(codeOf(await call(server, 'GET', '/v1/users/ann', { tenant }))).toEqual([400, 'malformed_request'])
      const body = event('ann', 1)
      expect([400, 401]).toContain(
        (await call(server, 'POST', '/v1/metrics/words/event', { tenant, key, body })).status,
      )
    }
    expect(tables()).toEqual(before)
  })

  test('admin keys belong to the account; an application key is deleted in its own tenant alone', async () => {
    const { server } = await open(binding)
    for (const tenant of ['acme', 'umbrella']) {
      await call(server, 'POST', '/v1/users', { tenant, body: '{"id":"ann"}' })
    }
    await call(server, 'POST', '/v1/users', { tenant: 'umbrella', body: '{"id":"bob"}' })
    const path = '/admin/v1/application-api-keys'
    const ofBob = await call(server, 'POST', path, { tenant: 'acme', body: '[{"userId":"bob"}]' })
    expect([ofBob.status, bodyOf(ofBob)]).toMatchObject([200, { created: [], issues: [{ index: 0, userId: 'bob' }] }])

    const { id, key } = await makeKey(server, 'acme', 'ann')
    const elsewhere = await call(server, 'DELETE', `${path}?ids=${id}`, { tenant: 'umbrella' })
    expect([elsewhere.status, bodyOf(elsewhere)]).toMatchObject([200, { deleted: [], issues: [{ id }] }])
    expect((await call(server, 'GET', '/v1/users/ann', { tenant: 'acme', key })).status).toBe(200)
    const here = await call(server, 'DELETE', `${path}?ids=${id}`, { tenant: 'acme' })
    expect([here.status, bodyOf(here)]).toMatchObject([200, { deleted: [{ id }], issues: [] }])
    expect((await call(server, 'GET', '/v1/users/ann', { tenant: 'acme', key })).status).toBe(401)
  })
})

describe.each(BINDINGS)('Through %s, where the game has no tenants,', (binding) => {
  test('the header is ignored, whatever it holds', async () => {
    const { server } = await open(binding, false)
    await call(server, 'POST', '/v1/users', { tenant: 'acme', body: '{"id":"ann"}' })
    const key = await server.applicationKey('ann')
    for (const tenant of [[], [''], ['acme'], ['umbrella'], ['a', 'b'], ['x'.repeat(5_000)], ['cl\u00e9'], ['a,b']]) {
      expect((await call(server, 'GET', '/v1/users/ann', { tenant })).status).toBe(200)
      expect((await call(server, 'GET', '/v1/users/ann', { tenant, key })).status).toBe(200)
    }
  })
})
