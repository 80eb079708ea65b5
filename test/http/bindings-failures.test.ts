import { afterEach, describe, expect, test } from 'vitest'
import * as fetchApi from '../../adapters/fetch/index.ts'
import { memory } from '../../adapters/memory/index.ts'
import type { DefinedGame, Gamification, Storage } from '../../src/index.ts'
import { createGamification, defineGame, GamificationError } from '../../src/index.ts'
import type { Logger } from '../../src/runtime/context.ts'
import { listen } from '../support/bindings.ts'
import { NOON } from '../support/engine.ts'
import { BINDINGS, type BindingName } from '../support/http.ts'
import { type Bare, createBare } from './bare.ts'
import { type Connection, openConnection, type RawRequest, toBytes } from './raw-connection.ts'

/*
 * A storage that fails, and the answer to the caller. It has no detail of the failure. There is no answer at all if it
 * is not known whether the call was carried out (decisions, section 1; src/http/handler.ts).
 */

const SECRET = 'the password of the database is hunter2'

interface Entry {
  readonly message: string
  readonly details: { readonly [name: string]: unknown } | undefined
}

interface Failing {
  readonly engine: Gamification<DefinedGame>
  readonly key: string
  readonly errors: Entry[]
  /** The error that the storage throws from now on, by method. */
  fail(method: keyof Storage, error: unknown): void
  mend(): void
  /** How often the method was called while it failed. */
  calls(): number
}

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function openFailing(): Promise<Failing> {
  const failing = new Map<keyof Storage, unknown>()
  let calls = 0
  const failingOn = (inner: Storage): Storage =>
    new Proxy(inner, {
      get: (_, name) => {
        if (name === 'until') return (deadline: number) => failingOn(inner.until(deadline))
        if (!failing.has(name as keyof Storage)) return Reflect.get(inner, name)
        return () => {
          calls += 1
          return Promise.reject(failing.get(name as keyof Storage))
        }
      },
    })
  const storage = failingOn(memory())
  const errors: Entry[] = []
  const logger: Logger = { warn: () => undefined, error: (details, message) => errors.push({ message, details }) }
  const game = defineGame({
    metrics: { words: { name: 'Words' }, laps: { name: 'Laps' } },
    achievements: { tour: { name: 'Tour', trigger: 'api' } },
    points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 1 }] } },
    leaderboards: { top: { name: 'Top', rankBy: 'metric', metric: 'laps', start: '2026-01-01' } },
  })
  const engine = createGamification<DefinedGame>({ game, storage, logger, clock: () => new Date(NOON) })
  closing.push(() => engine.close())
  await engine.migrate()
  await engine.metrics.event('laps', { user: { id: 'ann' }, value: 1 })
  const { key } = await engine.adminKeys.create()
  return {
    engine,
    key,
    errors,
    fail: (method, error) => failing.set(method, error),
    mend: () => failing.clear(),
    calls: () => calls,
  }
}

const JSON_TYPE = ['Content-Type', 'application/json'] as const

const event = (key: string): RawRequest => ({
  method: 'POST',
  path: '/v1/metrics/words/event',
  headers: [['X-API-KEY', key], JSON_TYPE],
  body: '{"user":{"id":"ann"},"value":1}',
})
const write = (key: string, method: string, path: string, body: string): RawRequest => ({
  ...event(key),
  method,
  path,
  body,
})
const read = (key: string, path = '/v1/users/ann'): RawRequest => ({
  method: 'GET',
  path,
  headers: [['X-API-KEY', key]],
})

const WRITES: readonly (readonly [string, (key: string) => RawRequest])[] = [
  ['an event', event],
  ['POST /users', (key) => write(key, 'POST', '/v1/users', '{"id":"bob"}')],
  ['PUT /users/{id}', (key) => write(key, 'PUT', '/v1/users/bob', '{}')],
  ['PATCH /users/{id}', (key) => write(key, 'PATCH', '/v1/users/ann', '{"name":"Ann"}')],
  ['PATCH preferences', (key) => write(key, 'PATCH', '/v1/users/ann/preferences', '{"notifications":{"recap":[]}}')],
  ['a completion', (key) => write(key, 'POST', '/v1/achievements/tour/complete', '{"user":{"id":"ann"}}')],
]

const outcomeUnknown = (): GamificationError => new GamificationError('outcome_unknown', SECRET)
const unavailable = (): GamificationError => new GamificationError('unavailable', 'The database cannot be reached.')

/** JSON with `error` and `code`, and nothing of what was thrown. */
function expectFault(told: unknown, status: number, code: string): void {
  expect(told).toMatchObject({ status })
  const { body, headers } = told as { body: string; headers: ReadonlyMap<string, string> }
  expect(JSON.parse(body)).toEqual({ error: expect.stringMatching(/\S+ \S+/), code })
  expect(body).not.toMatch(/hunter2|Error:|\bat .*:\d+|\.ts\b|node_modules/)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
}

describe('the bare handler', () => {
  const open = async (): Promise<Failing & { bare: Bare }> => {
    const failing = await openFailing()
    return { ...failing, bare: createBare(failing.engine) }
  }

  test.each(WRITES)('says nothing when the outcome of %s is unknown, and the log says it', async (_, toRequest) => {
    const { bare, key, fail, errors } = await open()
    const error = outcomeUnknown()
    fail('commit', error)
    expect(await bare.ask(toRequest(key))).toBeNull()
    expect(errors).toEqual([{ message: expect.any(String), details: expect.objectContaining({ err: error }) }])
  })

  test.each(WRITES)('answers %s with 503 when the database cannot be reached', async (_, toRequest) => {
    const { bare, key, fail, mend, engine } = await open()
    fail('commit', unavailable())
    const told = await bare.ask(toRequest(key))
    expectFault(told, 503, 'unavailable')
    expect(told?.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    mend()
    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(0)
    expect((await bare.ask(toRequest(key)))?.status).toBeLessThan(300)
  })

  test.each([
    ['unavailable', 503, 'The database could not be reached or locked in time. Nothing was saved; try again.'],
    ['storage_full', 503, 'The database has no room left. Nothing was saved.'],
    ['closed', 503, 'The server is being closed. Nothing was saved; try again.'],
    ['storage_unusable', 500, 'Something went wrong here; the log of the server says what.'],
    ['internal', 500, 'Something went wrong here; the log of the server says what.'],
  ] as const)('tells where the database is to the log, and not in an answer of %s', async (code, status, told) => {
    const { bare, key, fail, errors } = await open()
    const error = new GamificationError(code, '/srv/app/rob.db and game@10.0.0.7/points are not to be had.')
    fail('read', error)
    const answer = await bare.ask(read(key))
    expect({ status: answer?.status, ...JSON.parse(answer?.body ?? '') }).toEqual({ status, error: told, code })
    expect(errors).toEqual([{ message: 'A request failed.', details: expect.objectContaining({ err: error }) }])
  })

  test('says nothing when a fault comes after a write, and the log says it', async () => {
    const { engine, key, errors } = await openFailing()
    const error = new TypeError(SECRET)
    const metrics: typeof engine.metrics = {
      event: async (metric, request) => {
        await engine.metrics.event(metric, request)
        throw error
      },
    }
    const bare = createBare({ ...engine, forRequest: () => ({ ...engine, metrics }) })
    expect(await bare.ask(event(key))).toBeNull()
    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(1)
    expect(errors).toEqual([{ message: expect.any(String), details: expect.objectContaining({ err: error }) }])
  })

  test('never rejects, even when the logger throws', async () => {
    const { engine, key, fail } = await openFailing()
    const logger: Logger = {
      warn: () => undefined,
      error: () => {
        throw new Error('The log is full.')
      },
    }
    const bare = createBare({ ...engine, logger })
    fail('read', new TypeError(SECRET))
    expectFault(await bare.ask(read(key)), 500, 'internal')
    fail('commit', new TypeError(SECRET))
    expectFault(await bare.ask(event(key)), 500, 'internal')
  })

  test('does not log what is the fault of whoever asks', async () => {
    const { bare, key, errors } = await open()
    await bare.ask(read('junk'))
    await bare.ask(read(key, '/v1/users/nobody'))
    await bare.ask(write(key, 'PUT', '/v1/users/ann', '{'))
    expect(errors).toEqual([])
  })
})

describe.each(BINDINGS)('through %s', (binding) => {
  interface Served extends Failing {
    readonly port: number
  }

  async function open(name: BindingName = binding): Promise<Served> {
    const failing = await openFailing()
    const { port, close } = await listen(name, failing.engine)
    closing.push(close)
    return { ...failing, port }
  }

  async function converse(port: number, talk: (connection: Connection) => Promise<void>): Promise<void> {
    const connection = await openConnection(port)
    try {
      await talk(connection)
    } finally {
      connection.destroy()
    }
  }

  test('the connection is closed without an answer when the outcome is unknown', async () => {
    const { port, key, fail, mend, calls, errors } = await open()
    fail('commit', outcomeUnknown())
    await converse(port, async (connection) => {
      connection.write(toBytes(event(key)))
      expect(await connection.next({ patience: 500 })).toBe('closed')
    })
    // No caller has tried again.
    expect(calls()).toBe(1)
    expect(errors).toHaveLength(1)
    mend()
    await converse(port, async (connection) => {
      connection.write(toBytes(event(key)))
      expect(await connection.next()).toMatchObject({ status: 201 })
    })
  })

  test('503 and 500 are answers like others, and the connection goes on', async () => {
    const { port, key, fail, mend, errors } = await open()
    await converse(port, async (connection) => {
      fail('commit', unavailable())
      connection.write(toBytes(event(key)))
      const busy = await connection.next()
      expectFault(busy, 503, 'unavailable')
      expect(busy).toMatchObject({
        headers: expect.toSatisfy((headers: Map<string, string>) => headers.has('retry-after')),
      })

      fail('read', new TypeError(SECRET))
      connection.write(toBytes(read(key)))
      expectFault(await connection.next(), 500, 'internal')
      expect(errors).toHaveLength(2)

      fail('commit', new TypeError(SECRET))
      connection.write(toBytes(event(key)))
      expectFault(await connection.next(), 500, 'internal')

      mend()
      connection.write(toBytes(event(key)))
      expect(await connection.next()).toMatchObject({ status: 201, body: expect.stringContaining('"total":1') })
    })
  })
})

test('through fetch the body of the answer breaks off when the outcome is unknown', async () => {
  const { engine, key, fail } = await openFailing()
  fail('commit', outcomeUnknown())
  const response = await fetchApi.applicationApi(engine)(
    new Request('http://localhost/v1/metrics/words/event', {
      method: 'POST',
      headers: { 'X-API-KEY': key, 'Content-Type': 'application/json' },
      body: '{"user":{"id":"ann"},"value":1}',
    }),
  )
  await expect(response.text()).rejects.toThrow()
  expect([...response.headers]).toEqual([])
})
