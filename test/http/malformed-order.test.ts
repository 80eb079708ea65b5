import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import type { DefinedGame, GameDefinition, Gamification } from '../../src/index.ts'
import { type Engine, NOON, openOn } from '../support/engine.ts'
import { BINDINGS, type BindingName, openServer, type Server } from '../support/http.ts'
import { shareOf } from '../support/share.ts'
import { seedOfRun } from '../support/zones.ts'
import { type Bare, createBare, type Told } from './bare.ts'
import { openConnection, type RawRequest, toBytes } from './raw-connection.ts'

/*
 * The order of the checks (decisions, section 1): "path (404), method (405), key (401), tenant (422), body (413, 415,
 * 400), schema (422), ownership (403, before anything is looked up), used idempotency key (202), then the rules (404,
 * 422)". A request with several faults is answered for the earliest. Whatever is wrong with a body alone, without looking
 * anything up, is of the schema, a number out of range too; but the name of a time zone is judged after whose key it is.
 */

const definition: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  eventAttributes: ['source'],
  userAttributes: ['plan'],
  achievements: { tour: { name: 'Tour', trigger: 'api' } },
  multiTenant: true,
}

const SEED = seedOfRun()

/** An event of Ann, with her application key; her idempotency key `used` has been used, and so has Bob's. */
interface Draft {
  readonly method: string
  readonly metric: string
  readonly end: string
  readonly query: string
  readonly key: string | null
  readonly tenant: string | null
  readonly idempotencyKey: string | null
  readonly type: string
  readonly user: { [field: string]: unknown }
  readonly value: unknown
  readonly attributes: { [name: string]: string }
  readonly pad: number
  readonly isCut: boolean
}

interface Fault {
  readonly what: string
  /** Place in the order. */
  readonly rank: number
  readonly status: number
  readonly code?: string
  /** Faults of one group cannot be had together. */
  readonly group?: string
  /** Bindings where a body parser of the host answers first. */
  readonly except?: readonly BindingName[]
  /** What is other than in a sound request. */
  readonly draft: Partial<Draft>
}

const FAULTS: readonly Fault[] = [
  {
    what: 'an unknown path',
    rank: 1,
    status: 404,
    code: 'unknown_path',
    draft: { end: '/nothing' },
  },
  {
    what: 'a wrong method',
    rank: 2,
    status: 405,
    code: 'method_not_allowed',
    draft: { method: 'PUT' },
  },
  { what: 'no valid key', rank: 3, status: 401, code: 'unauthorized', draft: { key: 'junk' } },
  { what: 'no tenant', rank: 4, status: 422, code: 'tenant_required', draft: { tenant: null } },
  {
    what: 'too large a body',
    rank: 5,
    status: 413,
    code: 'body_too_large',
    except: ['express-parsed'],
    draft: { pad: 300_000 },
  },
  {
    what: 'a body that is not JSON',
    rank: 6,
    status: 415,
    code: 'unsupported_media_type',
    draft: { type: 'text/plain' },
  },
  {
    what: 'malformed JSON',
    rank: 7,
    status: 400,
    code: 'malformed_request',
    except: ['express-parsed'],
    draft: { isCut: true },
  },
  {
    what: 'a query that cannot be read',
    rank: 7,
    status: 400,
    code: 'malformed_request',
    draft: { query: '?%zz' },
  },
  {
    what: 'a path that cannot be read',
    rank: 7,
    status: 400,
    code: 'malformed_request',
    draft: { metric: '%00' },
  },
  {
    what: 'an unusable idempotency key',
    rank: 7,
    status: 400,
    code: 'invalid_idempotency_key',
    group: 'idempotency key',
    draft: { idempotencyKey: '' },
  },
  {
    what: 'a field of the wrong type',
    rank: 8,
    status: 422,
    code: 'invalid_request',
    group: 'value',
    draft: { value: '1' },
  },
  {
    what: 'a name of the wrong type',
    rank: 8,
    status: 422,
    code: 'invalid_request',
    draft: { user: { name: 5 } },
  },
  { what: 'another user', rank: 9, status: 403, code: 'forbidden', draft: { user: { id: 'bob' } } },
  {
    what: 'a used idempotency key',
    rank: 10,
    status: 202,
    group: 'idempotency key',
    draft: { idempotencyKey: 'used' },
  },
  {
    what: 'an unknown event attribute',
    rank: 11,
    status: 422,
    code: 'unknown_attribute',
    draft: { attributes: { nothing: 'x' } },
  },
  {
    what: 'an unknown user attribute',
    rank: 11,
    status: 422,
    code: 'unknown_attribute',
    draft: { user: { attributes: { nothing: 'x' } } },
  },
  {
    what: 'a value out of range',
    rank: 8,
    status: 422,
    code: 'value_out_of_range',
    group: 'value',
    draft: { value: 1e16 },
  },
  {
    what: 'an unknown time zone',
    rank: 9.5,
    status: 422,
    code: 'unknown_time_zone',
    draft: { user: { tz: 'Mars/Base' } },
  },
  {
    what: 'emails without an address',
    rank: 11,
    status: 422,
    code: 'email_required',
    draft: { user: { subscribedToEmails: true } },
  },
]

/** Two malformed parts, or two broken rules: the documents do not say which is told. */
function areCompatible(faults: readonly Fault[]): boolean {
  const groups = faults.flatMap(({ group }) => group ?? [])
  return new Set(groups).size === groups.length
}

function earliest(faults: readonly Fault[]): {
  readonly status: number
  readonly codes: readonly (string | undefined)[]
} {
  const rank = Math.min(...faults.map((fault) => fault.rank))
  const first = faults.filter((fault) => fault.rank === rank)
  return { status: first[0]?.status ?? 201, codes: first.map(({ code }) => code) }
}

const SOUND: Draft = {
  method: 'POST',
  metric: 'words',
  end: '/event',
  query: '',
  key: null,
  tenant: 'acme',
  idempotencyKey: null,
  type: 'application/json',
  user: { id: 'ann' },
  value: 1,
  attributes: {},
  pad: 0,
  isCut: false,
}

/** `fresh` is the idempotency key where no fault says another. */
function toRequest(faults: readonly Fault[], annsKey: string, fresh: string): RawRequest {
  const drafts = [SOUND, ...faults.map(({ draft }) => draft)]
  const user = Object.assign({}, ...drafts.map((draft) => draft.user ?? {}))
  const { method, metric, end, query, key, tenant, idempotencyKey, type, value, attributes, pad, isCut }: Draft =
    Object.assign({}, ...drafts)
  const body = JSON.stringify({ user, value, attributes, pad: 'x'.repeat(pad) })
  return {
    method,
    path: `/v1/metrics/${metric}${end}${query}`,
    headers: [
      ['X-API-KEY', key ?? annsKey],
      ...(tenant === null ? [] : [['Tenant-ID', tenant] as const]),
      ['Idempotency-Key', idempotencyKey ?? fresh],
      ['Content-Type', type],
    ],
    body: isCut ? body.slice(0, -1) : body,
  }
}

async function useKeys(gamification: Gamification<DefinedGame>): Promise<void> {
  const { metrics } = gamification.tenant('acme')
  for (const id of ['ann', 'bob']) await metrics.event('words', { user: { id }, value: 1, idempotencyKey: 'used' })
}

function expectEarliest(told: Told, faults: readonly Fault[]): void {
  const { status, codes } = earliest(faults)
  const { code } = JSON.parse(told.body)
  expect({ status: told.status, code }).toEqual({ status, code: codes.includes(code) ? code : codes[0] })
}

const PAIRS = FAULTS.flatMap((left, index) => FAULTS.slice(index + 1).map((right) => [left, right] as const)).filter(
  areCompatible,
)

describe('the bare handler', () => {
  let engine: Engine
  let bare: Bare
  let key: string

  beforeAll(async () => {
    engine = await openOn(memory(), { now: NOON }, definition)
    await useKeys(engine)
    bare = createBare(engine)
    const { created } = await engine.tenant('acme').admin.applicationApiKeys.create([{ userId: 'ann' }])
    key = created[0]?.key ?? ''
  })
  afterAll(() => engine.close())

  async function ask(faults: readonly Fault[], fresh: string): Promise<Told> {
    const told = await bare.ask(toRequest(faults, key, fresh))
    if (told === null || told === undefined) throw new Error('There was no answer')
    return told
  }

  test('answers an event without any fault with 201', async () => {
    expect(await ask([], 'fresh')).toMatchObject({ status: 201 })
  })

  test.each(FAULTS)('answers $what alone with $status', async (fault) => {
    expectEarliest(await ask([fault], 'alone'), [fault])
  })

  test.each(PAIRS.map(([left, right]) => ({ left, right })))(
    'answers $left.what before $right.what',
    async ({ left, right }) => {
      expectEarliest(await ask([left, right], 'pair'), [left, right])
    },
  )

  test(`answers any number of faults for the earliest (seed ${SEED})`, async () => {
    let count = 0
    await fc.assert(
      fc.asyncProperty(fc.subarray([...FAULTS], { minLength: 1 }).filter(areCompatible), async (faults) => {
        count += 1
        expectEarliest(await ask(faults, `fresh-${count}`), faults)
      }),
      { numRuns: 500, seed: SEED },
    )
  })
})

describe.each(BINDINGS)('through %s', (binding) => {
  let server: Server
  let key: string

  beforeAll(async () => {
    server = await openServer({ definition, binding })
    await useKeys(server.engine)
    key = await server.applicationKey('ann', 'acme')
  })
  afterAll(() => server.close())

  const isOurs = ({ except = [] }: Fault): boolean => !except.includes(binding)
  const pairs = shareOf(
    binding,
    PAIRS.filter(([left, right]) => isOurs(left) && isOurs(right)),
  )

  test.each(pairs.map(([left, right]) => ({ left, right })))(
    '$left.what is answered before $right.what',
    async ({ left, right }) => {
      const connection = await openConnection(server.port)
      connection.write(toBytes(toRequest([left, right], key, 'pair')))
      const told = await connection.next()
      connection.destroy()
      if (typeof told === 'string') throw new Error(`The connection is ${told}`)
      expectEarliest(told, [left, right])
    },
  )
})

describe.each(BINDINGS)('through %s', (binding) => {
  test('a tenant that is sent twice is answered with 400, after the key and before the body', async () => {
    const server = await openServer({ definition, binding })
    const tell = async (key: string): Promise<unknown> => {
      const connection = await openConnection(server.port)
      const twice = [
        ['Tenant-ID', 'acme'],
        ['Tenant-ID', 'acme'],
      ] as const
      const headers = [['X-API-KEY', key] as const, ...twice, ['Content-Type', 'text/plain'] as const]
      connection.write(toBytes({ method: 'POST', path: '/v1/metrics/words/event', headers, body: '{' }))
      const told = await connection.next()
      connection.destroy()
      return typeof told === 'string' ? told : { status: told.status, code: JSON.parse(told.body).code }
    }
    expect(await tell('junk')).toEqual({ status: 401, code: 'unauthorized' })
    expect(await tell(server.adminKey)).toEqual({ status: 400, code: 'malformed_request' })
    await server.close()
  })
})

const STREAK = '{"streak":{"metrics":[{"key":"words"}]}}'

/** Calls with an application key of Ann: two faults, the status of the earlier. */
const ELSEWHERE: readonly (readonly [status: number, code: string, what: string, request: RawRequest])[] = [
  [403, 'forbidden', 'an unknown achievement for another user', complete('nothing', 'bob')],
  [404, 'unknown_achievement', 'an unknown achievement for herself', complete('nothing', 'ann')],
  [
    422,
    'invalid_request',
    'the streak of another user, and periods that are none',
    of('/v1/users/bob/streak?historyPeriods=x'),
  ],
  [400, 'malformed_request', 'periods that are none, and a bad query', of('/v1/users/ann/streak?historyPeriods=x&%zz')],
  [403, 'forbidden', 'an unknown metric of another user', of('/v1/users/bob/metrics/nothing')],
  [403, 'forbidden', 'a user that is not known', of('/v1/users/carl')],
  [422, 'invalid_request', 'an id that is too long', of(`/v1/users/${'x'.repeat(256)}`)],
  [403, 'forbidden', 'an unknown points system, which is not for her', of('/v1/points/nothing/summary')],
  [
    422,
    'invalid_request',
    'ids to delete that are none',
    { ...of('/admin/v1/application-api-keys?ids=1'), method: 'DELETE' },
  ],
  [
    403,
    'forbidden',
    'ids to delete',
    { ...of('/admin/v1/application-api-keys?ids=0040fe51-6bce-4b44-b0ad-bddc4e123534'), method: 'DELETE' },
  ],
  [403, 'forbidden', 'new keys', put('POST', '/admin/v1/application-api-keys', '[{"userId":"ann"}]')],
  [422, 'invalid_request', 'new keys, not in a list', put('POST', '/admin/v1/application-api-keys', '{}')],
  [403, 'forbidden', 'a streak of another user', put('PATCH', '/v1/users/bob/preferences', STREAK)],
  [403, 'streak_customization_disabled', 'a streak of her own', put('PATCH', '/v1/users/ann/preferences', STREAK)],
  [403, 'forbidden', 'an unknown time zone for another user', put('PUT', '/v1/users/bob', '{"tz":"Mars/Base"}')],
  [422, 'unknown_time_zone', 'an unknown time zone for herself', put('PUT', '/v1/users/ann', '{"tz":"Mars/Base"}')],
]

function of(path: string): RawRequest {
  return { method: 'GET', path }
}

function put(method: string, path: string, body: string): RawRequest {
  return { method, path, headers: [['Content-Type', 'application/json']], body }
}

function complete(achievement: string, id: string): RawRequest {
  return put('POST', `/v1/achievements/${achievement}/complete`, JSON.stringify({ user: { id } }))
}

describe('on other routes', () => {
  test.each(ELSEWHERE)('%i %s: %s', async (status, code, _, request) => {
    const engine = await openOn(memory(), { now: NOON }, { ...definition, multiTenant: false })
    await engine.users.create({ id: 'ann' })
    const { created } = await engine.admin.applicationApiKeys.create([{ userId: 'ann' }])
    const headers = [['X-API-KEY', created[0]?.key ?? ''] as const, ...(request.headers ?? [])]
    const told = await createBare(engine).ask({ ...request, headers })
    expect({ status: told?.status, code: JSON.parse(told?.body ?? '{}').code }).toEqual({ status, code })
    await engine.close()
  })
})
