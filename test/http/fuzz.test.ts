import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { Problem } from '../../src/api/operate/types.ts'
import { createDispatch } from '../../src/http/dispatch.ts'
import { adminApi, applicationApi } from '../../src/http/index.ts'
import { schemaOf } from '../../src/http/route.ts'
import { mistakesOf } from '../support/answer-schemas.ts'
import { howMany } from '../support/share.ts'
import { seedOfRun } from '../support/zones.ts'
import { createBare, type Told } from './bare.ts'
import { request } from './fuzz-requests.ts'
import { startRun } from './fuzz-run.ts'
import type { RawRequest } from './raw-connection.ts'

const SOAK = process.env.SOAK !== undefined
const SEED = seedOfRun()
/** Requests of one run share an engine, which starts empty but for Ann. */
const IN_RUN = 100

/** All statuses of decisions, section 1, but 503: nothing fails here. */
const STATUSES = [200, 201, 202, 400, 401, 403, 404, 405, 413, 415, 422]

const DISPATCHES = [applicationApi, adminApi].map(({ prefix, routes }) => [prefix, createDispatch(routes)] as const)

/** Every answer of every operation when all is well. */
const ANSWERS = [applicationApi, adminApi].flatMap(({ routes }) =>
  routes.flatMap(({ operationId, answers }) => Object.keys(answers).map((status) => `${operationId} ${status}`)),
)

/** An answer of the one shape for its status: an error, or what the route says it answers. */
function check(asked: RawRequest, told: Told, tally: Tally): void {
  count(tally, `${told.status}`)
  expect(STATUSES).toContain(told.status)
  const isStream = told.headers.get('content-type') === 'application/x-ndjson; charset=utf-8'
  if (!isStream) expect(told.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(told.headers.has('allow')).toBe(told.status === 405)
  if (asked.method === 'HEAD') {
    expect(told.status).not.toBeOneOf([201, 202])
    // What is bare has the body of GET, which the bindings leave out.
    if (told.body === '') return
  }
  // Of a stream the last line has what another answer has as a whole.
  const body: unknown = JSON.parse(isStream ? (told.body.trimEnd().split('\n').at(-1) ?? '') : told.body)
  if (told.status >= 400) {
    expect(mistakesOf(schemaOf('Problem'), body)).toEqual([])
    const { error, code, issues } = body as Problem
    expect(error).toMatch(/\S+ \S+/)
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(told.body).not.toMatch(/\bat .+:\d+:\d+|node_modules/)
    if (code === 'invalid_request' && told.status === 422) expect(issues ?? [{}]).not.toEqual([])
    return
  }
  const [prefix, dispatch] = DISPATCHES.find(([known]) => asked.path.startsWith(known)) ?? DISPATCHES[0]!
  const { route } = dispatch(asked.method, asked.path.slice(prefix.length).replace(/\?.*$/s, ''))
  count(tally, `${route.operationId} ${told.status}`)
  const answer = route.answers[told.status]
  expect({ operation: route.operationId, status: told.status, isDescribed: answer !== undefined }).toMatchObject({
    isDescribed: true,
  })
  expect(isStream).toBe(answer?.type !== undefined)
  const mistakes = mistakesOf(answer?.schema ?? {}, body)
  expect({ operation: route.operationId, mistakes }).toMatchObject({ mistakes: [] })
}

/** What was answered, by status and operation: over enough requests nothing may be left out. */
type Tally = Map<string, number>

function count(tally: Tally, key: string): void {
  tally.set(key, (tally.get(key) ?? 0) + 1)
}

async function fuzz(
  total: number,
  tally: Tally,
  converse: (multiTenant: boolean, requests: readonly RawRequest[]) => Promise<void>,
): Promise<void> {
  const requests = fc.array(request, { minLength: IN_RUN, maxLength: IN_RUN })
  await fc.assert(
    fc.asyncProperty(fc.boolean(), requests, converse),
    // Shrinking a run of 100 is long, and the request that failed is in the message.
    { numRuns: Math.ceil(total / IN_RUN), seed: SEED, endOnFailure: true, unbiased: true },
  )
  if (!SOAK) return
  console.info(Object.fromEntries([...tally].sort()))
  for (const reached of [...STATUSES.map(String), ...ANSWERS]) {
    expect({ reached, count: tally.get(reached) ?? 0 }).not.toEqual({ reached, count: 0 })
  }
}

/** Says which request it was. */
async function during<T>(asked: RawRequest, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { method, path, headers, body, chunk } = asked
    const sent = {
      method,
      path,
      headers,
      body: body === undefined ? null : Buffer.from(body).toString('latin1').slice(0, 2_000),
      chunk,
    }
    throw new Error(`${error instanceof Error ? error.message : String(error)}\nwhen asked ${JSON.stringify(sent)}`, {
      cause: error,
    })
  }
}

const STORAGES = {
  memory: () => ({ storage: memory(), changes: () => 0 }),
  SQLite: () => {
    const database = new Database(':memory:')
    const statement = database.prepare<[], { n: number }>('select total_changes() as n')
    return { storage: sqlite(database), changes: () => statement.get()?.n ?? 0 }
  },
}

const BARE = howMany(600, 1_600, 45_000)

describe.each(Object.entries(STORAGES))('the bare handler on %s', (_, open) => {
  test(`answers ${BARE} requests that are more or less off (seed ${SEED})`, { timeout: 3_000_000 }, async () => {
    const tally: Tally = new Map()
    await fuzz(BARE, tally, async (multiTenant, requests) => {
      const { storage, changes } = open()
      const { engine, fill, learn } = await startRun(storage, multiTenant)
      const bare = createBare(engine)
      for (const draft of requests) {
        const asked = fill(draft)
        await during(asked, async () => {
          const before = changes()
          const told = await bare.ask(asked)
          if (told === undefined) return
          if (told === null) throw new Error('There was no answer.')
          check(asked, told, tally)
          // "A denied or failed request changes no table and a read none" (decisions, section 1).
          if (['GET', 'HEAD'].includes(asked.method) || told.status >= 400) expect(changes() - before).toBe(0)
          learn(told)
        })
      }
      await engine.close()
    })
  })
})
