import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { schemaOf } from '../../src/api/endpoint.ts'
import { createDispatch } from '../../src/http/dispatch.ts'
import { adminApi, applicationApi } from '../../src/http/index.ts'
import type { Storage } from '../../src/index.ts'
import type { Problem } from '../../src/shapes/operate.ts'
import { mistakesOf } from '../support/answer-schemas.ts'
import { NOON, openOn } from '../support/engine.ts'
import { howMany } from '../support/share.ts'
import { seedOfRun } from '../support/zones.ts'
import { game } from './authorization-table.ts'
import { type Bare, createBare, type Told } from './bare.ts'
import { requestBy } from './fuzz-requests.ts'
import type { RawRequest } from './raw-connection.ts'

const SEED = seedOfRun()
/** Requests of one run share an engine. */
const IN_RUN = 100
const RUNS = howMany(6, 16, 450)

/** Every status of section 1 of the decisions except 503, because nothing fails here. */
const STATUSES = [200, 201, 202, 400, 401, 403, 404, 405, 409, 413, 415, 422]

const DISPATCHES = [applicationApi, adminApi].map(({ prefix, routes }) => [prefix, createDispatch(routes)] as const)

/** An answer has the shape that its route declares, or that of an error. */
function check(asked: RawRequest, told: Told): void {
  expect(STATUSES).toContain(told.status)
  const isStream = told.headers.get('content-type') === 'application/x-ndjson; charset=utf-8'
  if (!isStream) expect(told.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(told.headers.has('allow')).toBe(told.status === 405)
  if (asked.method === 'HEAD') expect(told.status).not.toBeOneOf([201, 202])
  // The last line of a stream has what another answer has as a whole.
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
  const answer = route.answers[told.status]
  expect(answer).toBeDefined()
  expect(isStream).toBe(answer?.type !== undefined)
  expect(mistakesOf(answer?.schema ?? {}, body)).toEqual([])
}

interface Run {
  readonly bare: Bare
  readonly keys: readonly string[]
  close(): Promise<void>
}

/** An engine with a known user, an admin key and a key of that user. */
async function startRun(storage: Storage, multiTenant: boolean): Promise<Run> {
  const engine = await openOn(storage, { now: NOON }, { ...game, multiTenant })
  const api = multiTenant ? engine.tenant('acme') : engine
  await api.users.create({ id: 'ann', attributes: { plan: 'pro' } })
  const { created } = await api.admin.applicationApiKeys.create([{ userId: 'ann' }])
  const { key } = await engine.adminKeys.create()
  // The last use of a key is stored later, so wait until no request can be blamed for it.
  await engine.authenticate(key)
  await expect.poll(async () => (await engine.adminKeys.list())[0]?.lastUsed).not.toBe(null)
  return { bare: createBare(engine), keys: [key, key, created[0]?.key ?? ''], close: () => engine.close() }
}

function open() {
  const database = new Database(':memory:')
  const statement = database.prepare<[], { n: number }>('select total_changes() as n')
  return { storage: sqlite(database), changes: () => statement.get()?.n ?? 0 }
}

describe('The handler', () => {
  test(`answers ${RUNS * IN_RUN} damaged requests as its document says (seed ${SEED})`, {
    timeout: 3_000_000,
  }, async () => {
    for (let run = 0; run < RUNS; run += 1) {
      const { storage, changes } = open()
      const { bare, keys, close } = await startRun(storage, run % 2 === 1)
      for (const asked of fc.sample(requestBy(keys), { numRuns: IN_RUN, seed: SEED + run })) {
        const before = changes()
        const told = await bare.ask(asked)
        if (told === undefined) continue
        try {
          if (told === null) throw new Error('There was no answer.')
          check(asked, told)
          // A denied or failed request changes no table, and neither does a read.
          if (['GET', 'HEAD'].includes(asked.method) || told.status >= 400) expect(changes() - before).toBe(0)
        } catch (cause) {
          const body = asked.body === undefined ? null : Buffer.from(asked.body).toString('latin1').slice(0, 2_000)
          throw new Error(`${String(cause)}\nwhen asked ${JSON.stringify({ ...asked, body })}`, { cause })
        }
      }
      await close()
    }
  })
})
