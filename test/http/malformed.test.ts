import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import type { GameDefinition } from '../../src/index.ts'
import { type Engine, NOON, openOn } from '../support/engine.ts'
import { BINDINGS, openServer, type Server } from '../support/http.ts'
import { shareOf } from '../support/share.ts'
import { type Bare, createBare, type Told } from './bare.ts'
import { BODIES } from './malformed-bodies.ts'
import { type Exception, type MalformedCase, VALID_KEY } from './malformed-cases.ts'
import { WRONG_METHODS } from './malformed-methods.ts'
import { PATHS } from './malformed-paths.ts'
import { QUERIES } from './malformed-queries.ts'
import { type Connection, openConnection, type RawRequest, toBytes } from './raw-connection.ts'

const definition: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  userAttributes: ['plan'],
  eventAttributes: ['source'],
  achievements: { tour: { name: 'Tour', trigger: 'api' } },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 1 }] } },
  streak: { frequency: 'daily', metrics: { words: {} } },
}

const CASES: readonly MalformedCase[] = [...BODIES, ...PATHS, ...QUERIES]

let engine: Engine
let bare: Bare
let bareKey: string

beforeAll(async () => {
  engine = await openOn(memory(), { now: NOON }, definition)
  await engine.users.create({ id: 'ann' })
  bare = createBare(engine)
  bareKey = (await engine.adminKeys.create()).key
})
afterAll(() => engine.close())

function withKey(request: RawRequest, key: string): RawRequest {
  const { headers = [] } = request
  const isKeyed = headers.some(([name]) => name === 'X-API-KEY')
  const filled = headers.map(([name, value]) => [name, value.replace(VALID_KEY, key)] as const)
  return { ...request, headers: isKeyed ? filled : [['X-API-KEY', key], ...filled] }
}

/** The status, and an error in the one shape: nothing else in it, no trace of where it was made. */
function expectTold(told: Told, { request, status, code, allow }: MalformedCase): void {
  const isHead = request.method === 'HEAD'
  expect({ status: told.status, code: isHead ? code : codeOf(told) }).toEqual({ status, code })
  expect(told.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(told.headers.get('allow')?.split(', ').sort()).toEqual(allow?.toSorted())
  if (code === undefined || isHead) return
  const { error, code: _, issues, ...others } = JSON.parse(told.body)
  expect({ error, others }).toEqual({ error: expect.stringMatching(/\S{2,}\s+\S{2,}/), others: {} })
  if (code === 'invalid_request') expect(issues).not.toEqual([])
  else expect(issues).toBeUndefined()
  expect(told.body).not.toMatch(/\bat .*:\d+|node_modules|file:/)
}

function codeOf({ body }: Told): unknown {
  return JSON.parse(body).code
}

/** Requests that a host answers itself. */
function expectException(told: Told, { status, says, code }: Exception): void {
  if (says === 'ours') {
    expect({ status: told.status, code: codeOf(told) }).toEqual({ status, code })
    return
  }
  const type = says === 'html of Express' ? 'text/html; charset=utf-8' : expect.stringMatching(/^application\/json/)
  expect({ status: told.status, type: told.headers.get('content-type') }).toEqual({ status, type })
  if (says === 'JSON of Fastify') expect(JSON.parse(told.body)).toMatchObject({ statusCode: status })
}

/** Ids of what was recorded differ from one engine to the next. */
function withoutIds(body: string): string {
  return body.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid')
}

async function expectOfBare(what: MalformedCase): Promise<void> {
  const told = await bare.ask(withKey(what.request, bareKey))
  // The binding decides about paths under no prefix.
  if (told === undefined) return
  expect(told).not.toBeNull()
  if (told !== null) expectTold(told, what)
}

describe('the bare handler', () => {
  test.each(CASES)('answers $what with $status', expectOfBare)

  test.each(WRONG_METHODS)('$path takes no other method', async ({ cases }) => {
    for (const what of cases) await expectOfBare(what)
  })
})

test('the document, which anybody can ask for without a key, costs little', async () => {
  const AT_ONCE = 20
  const costs: number[] = []
  for (let round = 0; round < 15; round += 1) {
    const before = process.cpuUsage()
    for (let count = 0; count < AT_ONCE; count += 1) await bare.ask({ method: 'GET', path: '/v1/openapi.json' })
    costs.push(process.cpuUsage(before).user / 1_000)
  }
  // Half a dozen milliseconds a call would be a hundred times what a read with a key costs. Other work of this process
  // (other files, a collection of garbage) can only add to a round, so the cheapest round shows the cost of the calls
  // alone.
  expect(Math.min(...costs)).toBeLessThan(AT_ONCE * 6)
})

describe.each(BINDINGS)('through %s', (binding) => {
  let server: Server

  beforeAll(async () => {
    server = await openServer({ definition, binding })
    await server.engine.users.create({ id: 'ann' })
  })
  afterAll(() => server.close())

  async function expectThrough(connection: Connection, what: MalformedCase): Promise<void> {
    const { request, exceptions = [] } = what
    connection.write(toBytes(withKey(request, server.adminKey)))
    const told = await connection.next({ isHead: request.method === 'HEAD' })
    if (typeof told === 'string') throw new Error(`The connection is ${told}`)

    const exception = exceptions.find(({ bindings }) => bindings.includes(binding))
    if (exception !== undefined) expectException(told, exception)
    else {
      expectTold(told, what)
      await expectSameAsBare(told, request)
    }

    connection.write(toBytes({ method: 'GET', path: '/v1/streaks', headers: [['X-API-KEY', server.adminKey]] }))
    expect(await connection.next({ patience: 2_000 })).toMatchObject({ status: 200, body: '[]' })
  }

  async function converse(cases: readonly MalformedCase[]): Promise<void> {
    const connection = await openConnection(server.port)
    try {
      for (const what of cases) await expectThrough(connection, what)
    } finally {
      connection.destroy()
    }
  }

  const isOwn = ({ exceptions = [] }: MalformedCase): boolean =>
    exceptions.some(({ bindings }) => bindings.includes(binding))

  test.each(shareOf(binding, CASES, isOwn))('$what is answered with $status, and the connection goes on', (what) =>
    converse([what]),
  )

  test.each(shareOf(binding, WRONG_METHODS))('$path takes no other method, and the connection goes on', ({ cases }) =>
    converse(cases),
  )
})

const SAME_HEADERS = ['content-type', 'cache-control', 'x-content-type-options', 'allow', 'retry-after']

async function expectSameAsBare(told: Told, request: RawRequest): Promise<void> {
  const reference = await bare.ask(withKey(request, bareKey))
  if (reference === undefined || reference === null) return
  expect(SAME_HEADERS.map((name) => told.headers.get(name))).toEqual(
    SAME_HEADERS.map((name) => reference.headers.get(name)),
  )
  // An event answers with the user's total, which differs by what was sent before.
  if (request.method === 'HEAD' || reference.status < 400) return
  expect(withoutIds(told.body)).toBe(withoutIds(reference.body))
}
