import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { memory } from '../../adapters/memory/index.ts'
import { arg, defineOperation, eachOperation, type OperationsOf } from '../../src/api/operation.ts'
import { OPERATIONS } from '../../src/api/operations.ts'
import type { Takes } from '../../src/api/takes.ts'
import { defineGame } from '../../src/game/define-game.ts'
import { createGamification } from '../../src/gamification.ts'

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  leaderboards: { weekly: { name: 'Weekly', rankBy: 'metric', metric: 'words', start: '2026-01-05' } },
})

const open = () => createGamification({ game, storage: memory() })

async function messageOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'no error',
    (error: Error) => error.message,
  )
}

test('arguments are checked from the first to the last', async () => {
  const { leaderboard } = open().users as unknown as { leaderboard(...given: unknown[]): Promise<unknown> }
  expect(await messageOf(leaderboard('', '', null))).toBe('Invalid user id: must not be empty')
  expect(await messageOf(leaderboard('18', '', null))).toBe('Invalid leaderboard key: must not be empty')
  expect(await messageOf(leaderboard('18', 'weekly', null))).toMatch(/^Invalid request: must be an object.*, not null$/)
  expect(await messageOf(leaderboard('18', 'weekly'))).toMatch(/^Unknown user "18"/)
})

test('a method can be taken from its group, and a group can be spread', async () => {
  const { leaderboards } = open()
  const { all } = leaderboards
  const mine = { ...leaderboards, runs: () => 'mine' }
  expect(await all()).toMatchObject([{ key: 'weekly' }])
  expect(await mine.get('weekly')).toMatchObject({ key: 'weekly', rankings: [] })
  expect(mine.runs()).toBe('mine')
})

test('an operation is named by its place', () => {
  const names = [...eachOperation(OPERATIONS as never)].map(([name]) => name)
  expect(names).toEqual(expect.arrayContaining(['metrics.event', 'leaderboards.get', 'users.leaderboard']))
})

test('the compiler compares an operation with its method', () => {
  interface Calls {
    get(key: string, request?: { readonly limit?: number }): Promise<number>
  }
  const key = arg('key', z.string())
  const request = arg('request', z.object({ limit: z.number().optional() }))
  const good: OperationsOf<Calls> = {
    get: defineOperation({ kind: 'read', takes: [key, request], run: async () => 1 }),
  }
  // @ts-expect-error: an argument is missing.
  const short: OperationsOf<Calls> = { get: defineOperation({ kind: 'read', takes: [key], run: async () => 1 }) }
  const options: OperationsOf<Calls> = {
    // @ts-expect-error: a call that writes has a parameter more, its options.
    get: defineOperation({ kind: 'write', takes: [key, request], run: async () => 1 }),
  }
  const other: OperationsOf<Calls> = {
    // @ts-expect-error: the answer is a text.
    get: defineOperation({ kind: 'read', takes: [key, request], run: async () => '1' }),
  }
  // @ts-expect-error: the operation is missing.
  const none: OperationsOf<Calls> = {}
  // @ts-expect-error: `run` takes another argument first.
  defineOperation({ kind: 'read', takes: [key, request], run: async (_, of: { limit?: number }) => of })
  expect([good, short, options, other].map(({ get }) => get.takes.length)).toEqual([2, 1, 2, 2])
  expect(none).toEqual({})
})

test('the compiler compares a schema with the interface of its request', () => {
  const schema = z.strictObject({ user: z.string(), limit: z.int().default(10), days: z.array(z.string()).optional() })
  type Of<Request> = Takes<typeof schema, Request>
  interface Right {
    readonly user: string
    readonly limit?: number
    readonly days?: readonly string[]
  }
  expectTypeOf<Of<Right>>().toEqualTypeOf<true>()
  expectTypeOf<Of<Omit<Right, 'limit'>>>().toEqualTypeOf<['the request lacks', 'limit']>()
  expectTypeOf<Of<Right & { readonly after?: string }>>().toEqualTypeOf<['the schema lacks', 'after']>()
  expectTypeOf<Of<{ readonly user: number; readonly limit?: number }>>().toMatchTypeOf<readonly [string, object]>()
  expectTypeOf<Of<Omit<Right, 'user'> & { readonly user?: string }>>().toMatchTypeOf<readonly [string, object]>()
})
