// The route's own declaration, and not its method, decides who may call it in the console.

import { expect, test } from 'vitest'
import type { Method } from '../../../src/api/endpoint.ts'
import { createConsoleHandler } from '../../../src/http/console.ts'
import { type Route, routesOf } from '../../../src/http/route.ts'
import { openGamification } from '../../http/hosts.ts'

const common = { summary: '', answers: { 200: { description: '', schema: {} } } }

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const routeOf = (method: Method, name: string, changes: { readonly changes?: boolean }): Route =>
  routesOf('Users')(`${method} /${name}`, `${method}_${name}`, { ...common, ...changes, run: async () => ({}) })

const routes = METHODS.flatMap((method) => [
  routeOf(method, 'unsaid', {}),
  routeOf(method, 'changes', { changes: true }),
  routeOf(method, 'changes-nothing', { changes: false }),
])

async function statusesOf(access: 'read' | 'write', name: string): Promise<readonly unknown[]> {
  const { gamification } = await openGamification()
  const api = { title: '', description: '', callers: 'keys', closesEnums: true, prefix: '/v1', routes } as const
  const handle = createConsoleHandler(gamification, [api], { version: '', tenant: null })
  const headers: Record<string, string> = { host: 'a', origin: 'http://a', 'content-type': 'application/json' }
  const ask = (method: Method) =>
    handle(
      {
        method,
        target: `/api/v1/${name}`,
        header: (header) => headers[header],
        readBody: async () => ({ type: 'bytes', bytes: new Uint8Array() }),
      },
      { access: () => access },
    )
  return Promise.all(METHODS.map(async (method) => (await ask(method))?.status))
}

test('A route that says nothing changes something unless it is GET', async () => {
  expect(await statusesOf('read', 'unsaid')).toEqual([200, 403, 403, 403, 403])
})

test('A route that says it changes something is closed to who may only look, be it GET', async () => {
  expect(await statusesOf('read', 'changes')).toEqual([403, 403, 403, 403, 403])
})

test('A route that says it changes nothing is open to who may only look, be it POST', async () => {
  expect(await statusesOf('read', 'changes-nothing')).toEqual([200, 200, 200, 200, 200])
})

test('Who may write may call all of them', async () => {
  for (const name of ['unsaid', 'changes', 'changes-nothing']) {
    expect(await statusesOf('write', name)).toEqual([200, 200, 200, 200, 200])
  }
})
