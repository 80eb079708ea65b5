// The routes as the console calls them: the allowed callers, the allowed pages, and each answer.

import { describe, expect, onTestFinished, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { serveConsole } from '../../../src/http/apis.ts'
import type { ConsoleSettings } from '../../../src/http/console.ts'
import type { HttpResponse } from '../../../src/http/exchange.ts'
import type { DefinedGame, Gamification } from '../../../src/index.ts'
import { doesChange, game, OPERATIONS, type Operation } from '../../http/authorization-table.ts'
import { openWorld, TENANT } from '../../http/authorization-world.ts'
import { openGamification } from '../../http/hosts.ts'

type Headers = { readonly [name: string]: string | undefined }

const OWN_PAGE: Headers = { host: 'console.test', origin: 'https://console.test', 'content-type': 'application/json' }
const SETTINGS: ConsoleSettings = { version: '1.2.3', tenant: null }

interface Asked {
  readonly access?: unknown
  readonly headers?: Headers
  readonly body?: unknown
}

function openConsole(engine: Gamification<DefinedGame>, settings = SETTINGS) {
  const handle = serveConsole(engine, settings)
  return (method: string, target: string, { access, headers = {}, body }: Asked = {}): Promise<HttpResponse | null> =>
    handle(
      {
        method,
        target,
        header: (name) => ({ ...OWN_PAGE, ...headers })[name],
        readBody: async () => ({ type: 'bytes', bytes: Buffer.from(body === undefined ? '' : JSON.stringify(body)) }),
      },
      {
        access: () => {
          if (access instanceof Error) throw access
          return access
        },
      },
    )
}

async function openOne(multiTenant = false) {
  const world = await openWorld('node', { multiTenant })
  const ask = openConsole(world.server.engine)
  const call = (operation: Operation, access: unknown, user = 'ann'): Promise<HttpResponse | null> =>
    ask(operation.method, `/api${operation.target(user)}`, {
      access,
      headers: { 'tenant-id': TENANT },
      body: operation.body?.(user),
    })
  return { world, ask, call }
}

const CHANGING = OPERATIONS.filter(doesChange)
const READING = OPERATIONS.filter((operation) => !doesChange(operation))

describe.each([
  ['without tenants', false],
  ['with tenants', true],
])('In a game %s', (_, multiTenant) => {
  test('who may write may do everything', async () => {
    const { call } = await openOne(multiTenant)
    for (const operation of OPERATIONS) {
      const { call: onItsOwn } = operation.isFinal === true ? await openOne(multiTenant) : { call }
      const answer = await onItsOwn(operation, 'write')
      expect({ operation, answer }).toMatchObject({ answer: { status: operation.status } })
    }
  })

  test('who may read may do what changes nothing', async () => {
    const { world, call } = await openOne(multiTenant)
    const before = world.tables()
    for (const operation of READING) {
      const answer = await call(operation, 'read')
      expect({ operation, answer }).toMatchObject({ answer: { status: operation.status } })
    }
    expect(world.tables()).toEqual(before)
  })

  test('who may read changes nothing, and is told the same of everything that would', async () => {
    const { world, call } = await openOne(multiTenant)
    const before = world.tables()
    const answers = new Set<string>()
    for (const operation of CHANGING) {
      for (const user of ['ann', 'zoe']) answers.add(JSON.stringify(await call(operation, 'read', user)))
    }
    expect([...answers]).toEqual([
      expect.stringMatching(/^\{"status":403,.*The console is read-only for you: this would change something\./),
    ])
    expect(world.tables()).toEqual(before)
  })

  test('nobody else is told anything, of what is public with keys neither', async () => {
    const { world, ask, call } = await openOne(multiTenant)
    const before = world.tables()
    const answers = new Set<string>()
    for (const operation of OPERATIONS) {
      for (const access of [null, undefined]) answers.add(JSON.stringify(await call(operation, access)))
    }
    for (const target of ['/api/console.json', '/api/v1/nothing', '/api', '/api/', '/api/v2/users', '/users']) {
      answers.add(JSON.stringify(await ask('GET', target)))
    }
    expect([...answers]).toEqual([expect.stringMatching(/^\{"status":401,.*Sign in: the request comes from/)])
    expect(world.tables()).toEqual(before)
  })
})

test('A key opens nothing of the console', async () => {
  const { world, ask } = await openOne()
  const headers = { 'x-api-key': world.keys.admin }
  expect(await ask('GET', '/api/v1/users/ann', { headers })).toMatchObject({ status: 401 })
  expect(await ask('DELETE', '/api/admin/v1/users/ann', { headers, access: 'read' })).toMatchObject({ status: 403 })
})

test('Tables lie below /api, and nothing else does', async () => {
  const { ask } = await openOne()
  const status = async (target: string, method = 'GET') => (await ask(method, target, { access: 'write' }))?.status
  expect(await status('/api/v1/users/ann')).toBe(200)
  expect(await status('/api/admin/v1/users/ann/events')).toBe(200)
  expect(await status('/api/admin/v1/users/ann/events', 'HEAD')).toBe(200)
  for (const target of [
    '/v1/users/ann',
    '/api/v1',
    '/api/user/v1/users/ann',
    '/api//v1/users/ann',
    '/api/admin/v1/../../v1/users/ann',
    '/API/v1/users/ann',
    '',
  ]) {
    expect({ target, status: await status(target) }).toEqual({ target, status: 404 })
  }
  expect(await status('/api/v1/users/ann', 'DELETE')).toBe(405)
  expect(await status('/api/v1/users/ann', 'QUERY')).toBe(405)
})

test('The console is told what it may do, before it knows a tenant', async () => {
  const { world, ask } = await openOne(true)
  const answer = await ask('GET', '/api/console.json', { access: 'read' })
  expect(JSON.parse(String(answer?.body))).toEqual({
    access: 'read',
    multiTenant: true,
    hasWebhookKey: true,
    version: '1.2.3',
    tenant: null,
  })
  const named = openConsole(world.server.engine, { version: '1.2.3', tenant: 'acme' })
  const begun = await named('GET', '/api/console.json?x=1', { access: 'write' })
  expect(JSON.parse(String(begun?.body))).toEqual({
    access: 'write',
    multiTenant: true,
    hasWebhookKey: true,
    version: '1.2.3',
    tenant: 'acme',
  })
  expect(await ask('PUT', '/api/console.json', { access: 'write' })).toMatchObject({ status: 405 })
})

test('In a game with tenants a request names one, as with a key', async () => {
  const { ask } = await openOne(true)
  expect(await ask('GET', '/api/v1/users/ann', { access: 'read' })).toMatchObject({
    status: 422,
    body: expect.stringMatching('tenant_required'),
  })
  const headers = { 'tenant-id': 'umbrella' }
  const other = await ask('GET', '/api/v1/users/ann', { access: 'read', headers })
  expect(other?.status).toBe(200)
  expect(other?.body).not.toMatch('Ann')
})

test('What is private to single users is shown, and what went wrong is told in full', async () => {
  const { ask } = await openOne()
  const secret = await ask('GET', '/api/v1/leaderboards/secret', { access: 'read' })
  expect(secret).toMatchObject({ status: 200, body: expect.stringMatching('Secret') })
  const unknown = await ask('GET', '/api/v1/users/ann/metrics/word', { access: 'read' })
  expect(unknown?.body).toMatch(/word/)
})

describe('A page of another site', () => {
  const EVENT = { user: { id: 'ann' }, value: 5 }

  test.each([
    ['names its origin', { origin: 'https://evil.example' }],
    ['has a name that begins alike', { origin: 'https://console.test.evil.example' }],
    ['is on another port', { origin: 'https://console.test:8443' }],
    ['is a frame without an origin', { origin: 'null' }],
    ['sends none', { origin: undefined }],
    ['is told by the browser', { 'sec-fetch-site': 'cross-site' }],
    ['is on another host of the same site', { 'sec-fetch-site': 'same-site' }],
  ])('that %s changes nothing', async (_, headers) => {
    const { world, ask } = await openOne()
    const before = world.tables()
    const answer = await ask('POST', '/api/v1/metrics/words/event', { access: 'write', headers, body: EVENT })
    expect(answer).toMatchObject({ status: 403 })
    expect(world.tables()).toEqual(before)
  })

  test.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain', ''])(
    'changes nothing by a form of the type %j',
    async (type) => {
      const { world, ask } = await openOne()
      const before = world.tables()
      const headers = { 'content-type': type }
      const answer = await ask('POST', '/api/v1/metrics/words/event', { access: 'write', headers, body: EVENT })
      expect(answer).toMatchObject({ status: 415 })
      expect(world.tables()).toEqual(before)
    },
  )

  test('is not even answered what it could not read', async () => {
    const { ask } = await openOne()
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'sec-fetch-site': site }
      expect(await ask('GET', '/api/v1/users/ann', { access: 'write', headers })).toMatchObject({ status: 403 })
    }
    for (const site of ['same-origin', 'none']) {
      const headers = { 'sec-fetch-site': site }
      expect(await ask('GET', '/api/v1/users/ann', { access: 'write', headers })).toMatchObject({ status: 200 })
    }
  })
})

test('A preview of a void writes nothing, whatever its body says, and nobody makes a change of it', async () => {
  const { world, ask } = await openOne()
  const sent = await world.server.call('POST', '/v1/metrics/words/event', {
    key: world.keys.ofAnn,
    body: { user: { id: 'ann' }, value: 5 },
  })
  const before = world.tables()
  const body = { eventId: sent.body.eventId, dryRun: false, revoke: true, reason: 'x' }
  const preview = (target: string, headers: Headers = {}) =>
    ask('POST', `/api/admin/v1/events/void${target}`, { access: 'read', headers, body })
  expect(await preview('/preview')).toMatchObject({ status: 200 })
  for (const target of ['', '?preview=1', '?dryRun=true', '/preview/..', '/', '/preview%2f..']) {
    const { status = 0 } = (await preview(target)) ?? {}
    expect({ target, status }).toEqual({ target, status: target === '' || target.startsWith('?') ? 403 : 404 })
  }
  const overridden = { 'x-http-method-override': 'GET', 'x-method-override': 'GET' }
  expect(await preview('', overridden)).toMatchObject({ status: 403 })
  expect(await preview('?_method=GET')).toMatchObject({ status: 403 })
  expect(world.tables()).toEqual(before)
})

describe('A host', () => {
  const logged: unknown[] = []

  async function openLogged() {
    const logger = { info: () => undefined, warn: () => undefined, error: (about: object) => void logged.push(about) }
    const { gamification } = await openGamification(memory(), { logger, definition: game })
    onTestFinished(() => {
      logged.length = 0
    })
    return openConsole(gamification)
  }

  test('that cannot say who asks is a fault: logged, and not told', async () => {
    const ask = await openLogged()
    const answer = await ask('GET', '/api/v1/users/ann', { access: new Error('The store of sessions is broken.') })
    expect(answer).toMatchObject({ status: 500, body: expect.not.stringMatching('store of sessions') })
    expect(logged).toMatchObject([{ err: { message: 'The store of sessions is broken.' } }])
  })

  test.each([true, false, 'admin', 'READ', 'Write', 1, {}, ['write'], ''])(
    'that answers %j lets nobody in',
    async (access) => {
      const ask = await openLogged()
      for (const target of ['/api/console.json', '/api/v1/health', '/api/nothing']) {
        expect(await ask('GET', target, { access })).toMatchObject({ status: 500 })
      }
      expect(logged).toHaveLength(3)
    },
  )
})
