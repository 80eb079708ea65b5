// @heavy: It takes more than three seconds.
// The callers of each route: every route of the two tables, with every kind of key, through every binding.

import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { memory } from '../../adapters/memory/index.ts'
import { adminApi, applicationApi } from '../../src/http/apis.ts'
import type { HttpRequest } from '../../src/http/exchange.ts'
import { createHandler } from '../../src/http/handler.ts'
import { routesOf } from '../../src/http/route.ts'
import { type Engine, NOON, openOn } from '../support/engine.ts'
import { BINDINGS } from '../support/http.ts'
import {
  ADMIN_API,
  type Allowed,
  APPLICATION_API,
  doesChange,
  game,
  OPERATIONS,
  type Operation,
} from './authorization-table.ts'
import { openWorld, TENANT, type World } from './authorization-world.ts'
import { ask, type RawAnswer } from './raw.ts'

const APIS = [
  { name: 'application API', api: applicationApi, known: APPLICATION_API },
  { name: 'admin API', api: adminApi, known: ADMIN_API },
]

function call(world: World, operation: Operation, key: string | null, user = 'ann'): Promise<RawAnswer> {
  const body = operation.body === undefined ? undefined : JSON.stringify(operation.body(user))
  const headers = [['Tenant-ID', TENANT]] as const
  return ask(world.server.port, operation.method, operation.target(user), { key, body, headers })
}

type Attempt = readonly [operation: Operation, key: string | null, user: string]

/** Expects every request to be refused with the same bytes, of this status, and nothing to have been written. */
async function expectDenied(world: World, status: 401 | 403, attempts: readonly Attempt[]): Promise<void> {
  const before = world.tables()
  const titles = new Map<string, string>()
  for (const [operation, key, user] of attempts) {
    const { head, text } = await call(world, operation, key, user)
    titles.set(`${head}\r\n\r\n${text}`, `${operation.method} ${operation.target(user)} with ${key}`)
  }
  expect([...titles.values()]).toHaveLength(1)
  const [answer = ''] = titles.keys()
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  const code = status === 401 ? 'unauthorized' : 'forbidden'
  expect(answer).toMatch(new RegExp(`\r\n\r\n\\{"error":"[^"]*","code":"${code}"\\}$`))
  expect(world.tables()).toEqual(before)
}

describe.each(APIS)('The table of this file', ({ name, api, known }) => {
  test(`has every route of the ${name}, and no other: a new one is to be judged here`, () => {
    const routes = api.routes.map(({ operationId, method, path }) => [operationId, `${method} ${path}`])
    const judged = Object.entries(known).map(([operationId, { method, path }]) => [operationId, `${method} ${path}`])
    expect(routes.sort()).toEqual(judged.sort())
  })

  test.each(Object.entries(known))(`says of %s on the ${name} what the route says of itself`, (operationId, judged) => {
    const found = api.routes.find((each) => each.operationId === operationId)
    expect(found?.isPublic).toBe(judged.applicationKeys === 'public')
    expect(found?.changes).toBe(doesChange(judged))
    expect(found?.applicationKeys !== undefined).toBe(['own', 'any'].includes(judged.applicationKeys))
  })
})

const callsOf = (...allowed: readonly Allowed[]) => OPERATIONS.filter((each) => allowed.includes(each.applicationKeys))

const SETTINGS = [
  { binding: 'node', multiTenant: false } as const,
  ...BINDINGS.map((binding) => ({ binding, multiTenant: true })),
]

describe.each(SETTINGS)('Through $binding (tenants: $multiTenant)', ({ binding, multiTenant }) => {
  test('a key that is not valid opens nothing, and every answer is the same', async () => {
    const world = await openWorld(binding, { multiTenant })
    const { bad, ofAnotherTenant } = world.keys
    const attempts = callsOf('own', 'any', 'no').flatMap((operation) =>
      [...Object.values(bad), ofAnotherTenant].flatMap((key, index): readonly Attempt[] => {
        // Elsewhere one of the three after the other: the answers are all alike.
        const users = binding === 'node' ? ['ann', 'bob', 'zoe'] : [['ann', 'bob', 'zoe'][index % 3] ?? '']
        return users.map((user) => [operation, key, user])
      }),
    )
    await expectDenied(world, 401, attempts)
  })

  test('an admin key opens everything', async () => {
    const world = await openWorld(binding, { multiTenant })
    for (const operation of OPERATIONS) {
      const own = operation.isFinal === true ? await openWorld(binding, { multiTenant }) : world
      for (const user of ['ann', 'bob']) {
        const { status, text } = await call(own, operation, own.keys.admin, user)
        expect({ operation, status, text }).toMatchObject({ status: operation.status })
      }
    }
  })

  test("a user's key opens what is the user's, and what is everybody's", async () => {
    const world = await openWorld(binding, { multiTenant })
    for (const operation of callsOf('own', 'any')) {
      const { status, text } = await call(world, operation, world.keys.ofAnn, 'ann')
      expect({ operation, status, text }).toMatchObject({ status: operation.status })
      expect(text).not.toMatch(/bob|Robert|77\.77|Secret/)
    }
  })

  test("another user's key opens nothing of a user's: the same bytes whether there is such a user or not", async () => {
    const world = await openWorld(binding, { multiTenant })
    const { ofAnn, ofBob } = world.keys
    const attempts = callsOf('own').flatMap((operation): readonly Attempt[] => [
      [operation, ofAnn, 'bob'],
      [operation, ofAnn, 'zoe'],
      [operation, ofBob, 'ann'],
      [operation, ofBob, 'zoe'],
    ])
    await expectDenied(world, 403, attempts)
  })

  test("a user's key opens nothing of the admin API, nor what looks over all users", async () => {
    const world = await openWorld(binding, { multiTenant })
    const { ofAnn, ofBob } = world.keys
    const attempts = callsOf('no').flatMap((operation): readonly Attempt[] => [
      [operation, ofAnn, 'ann'],
      [operation, ofBob, 'ann'],
    ])
    await expectDenied(world, 403, attempts)
  })

  test('what is public is so with any key, and with none', async () => {
    const world = await openWorld(binding, { multiTenant })
    const { admin, ofAnn, ofAnotherTenant, bad } = world.keys
    const before = world.tables()
    for (const operation of callsOf('public')) {
      const texts = new Set<string>()
      for (const key of [admin, ofAnn, ofAnotherTenant, ...Object.values(bad)]) {
        const { status, text } = await call(world, operation, key)
        expect(status).toBe(operation.status)
        texts.add(text)
      }
      expect(texts.size).toBe(1)
    }
    expect(world.tables()).toEqual(before)
  })
})

describe('A route whose entry says nothing of application keys', () => {
  const ran: string[] = []
  const run = (name: string) => async () => {
    ran.push(name)
    return {}
  }
  const route = routesOf('Users')
  const common = { summary: '', answers: { 200: { description: '', schema: {} } } }
  const bodySchema = z.object({ user: z.object({ id: z.string() }) })
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
  const routes = [
    ...methods.map((method) => route(`${method} /new`, `new_${method}`, { ...common, run: run(method) })),
    route('GET /users/{id}/new', 'new_id', { ...common, run: run('user') }),
    route('POST /new/body', 'new_body', { ...common, bodySchema, run: run('body') }),
  ]

  const request = (
    method: string,
    target: string,
    key: string | null,
    body = '{"user":{"id":"ann"}}',
  ): HttpRequest => ({
    method,
    target,
    header: (name) => ({ 'x-api-key': key ?? undefined, 'content-type': 'application/json' })[name],
    readBody: async () => ({ type: 'bytes', bytes: Buffer.from(body) }),
  })

  async function openEngine(): Promise<{ engine: Engine; admin: string; ofAnn: string }> {
    const engine = await openOn(memory(), { now: NOON }, game)
    onTestFinished(() => engine.close())
    await engine.users.create({ id: 'ann' })
    const { key: admin } = await engine.adminKeys.create()
    const { created } = await engine.admin.applicationApiKeys.create([{ userId: 'ann' }])
    return { engine, admin, ofAnn: created[0]?.key ?? '' }
  }

  const CALLED = [
    ...methods.map((method) => [method, '/new'] as const),
    ['GET', '/users/ann/new'] as const,
    ['POST', '/new/body'] as const,
  ]

  test.each(CALLED)('%s %s is denied to them, open to an admin key, and closed without one', async (method, target) => {
    const { engine, admin, ofAnn } = await openEngine()
    const handle = createHandler(engine, routes, {})
    expect(await handle(request(method, target, ofAnn))).toMatchObject({ status: 403, body: /"code":"forbidden"/ })
    expect(await handle(request(method, target, null))).toMatchObject({ status: 401 })
    expect(ran.splice(0)).toEqual([])
    expect(await handle(request(method, target, admin))).toMatchObject({ status: 200 })
    expect(ran.splice(0)).toHaveLength(1)
  })

  test('is denied though there are users whom it could name', async () => {
    const { engine, ofAnn } = await openEngine()
    const named = { may: 'its own user', users: () => ['ann', 'bob'] }
    const both = route('GET /both', 'both', { ...common, applicationKeys: named, run: run('') })
    expect(await createHandler(engine, [both], {})(request('GET', '/both', ofAnn))).toMatchObject({ status: 403 })
    expect(ran.splice(0)).toEqual([])
  })
})
