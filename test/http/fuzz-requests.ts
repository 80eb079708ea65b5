import fc from 'fast-check'
import { adminApi, applicationApi } from '../../src/http/index.ts'
import type { GameDefinition } from '../../src/index.ts'
import { fromSchema, type Json, type Mutation, mutate, mutation, oddJson, oddString, type Words } from './fuzz-json.ts'
import type { RawRequest } from './raw-connection.ts'

/*
 * Requests made of the route table's schemas, and requests that are a little or a lot off. What they send is legal HTTP:
 * what is not never reaches us.
 */

export const definition = (multiTenant: boolean): GameDefinition => ({
  metrics: { words: { name: 'Words' }, laps: { name: 'Laps' }, old: { name: 'Old', status: 'archived' } },
  userAttributes: ['plan', '__proto__'],
  eventAttributes: ['source', 'constructor'],
  achievements: {
    first: { name: 'First', trigger: 'metric', metric: 'words', value: 1 },
    hundred: { name: 'Hundred', trigger: 'metric', metric: 'words', value: 100, eventAttributes: { source: 'web' } },
    tour: { name: 'Tour', trigger: 'api' },
    pro: { name: 'Pro', trigger: 'api', userAttributes: { plan: 'pro' } },
    locked: { name: 'Locked', trigger: 'api', status: 'locked' },
    both: { name: 'Both', trigger: 'achievement', achievements: ['first', 'tour'] },
    week: { name: 'Week', trigger: 'streak', length: 7 },
    day: { name: 'Day', trigger: 'streak', length: 1 },
  },
  points: {
    xp: {
      name: 'XP',
      maxPoints: 5_000,
      triggers: [
        { type: 'user_creation', points: 7 },
        { type: 'metric', metric: 'words', threshold: 10, points: 5 },
        { type: 'achievement', achievement: 'both', points: 100 },
        { type: 'streak', length: 1, points: 3 },
      ],
      levels: { silver: { name: 'Silver', points: 10 }, gold: { name: 'Gold', points: 100, description: 'Gold.' } },
    },
    coins: {
      name: 'Coins',
      triggers: [
        { type: 'metric', metric: 'words', threshold: 5, points: 2 },
        { type: 'metric', metric: 'laps', threshold: 1, points: -1, blockIfOutOfPoints: true },
      ],
    },
  },
  streak: { frequency: 'daily', metrics: { words: {} }, customization: true, freezes: { max: 100 } },
  leaderboards: {
    top: { name: 'Top', rankBy: 'metric', metric: 'words', start: '2026-01-31', run: { unit: 'month', interval: 1 } },
    rich: { name: 'Rich', rankBy: 'points', system: 'xp', start: '2026-03-01', maxParticipants: null },
    plans: { name: 'Plans', rankBy: 'metric', metric: 'laps', start: '2026-03-01', breakdown: ['plan'] },
    loyal: { name: 'Loyal', rankBy: 'streak', start: '2026-03-01', maxParticipants: 2, private: true },
  },
  multiTenant,
})

/** Stands in a request for what is known only once the server runs. */
export const PLACEHOLDERS = {
  adminKey: '{{admin}}',
  annsKey: '{{ann}}',
  /** The newest application key that the requests themselves made. */
  newestKey: '{{newest}}',
  newestId: '{{newest-id}}',
} as const

const IDS = [
  ...Array(8).fill('ann'),
  'bob',
  'bob',
  'carl',
  'dora',
  'nobody',
  'ünï 😀',
  'a/b',
  '__proto__',
  'x'.repeat(255),
]
const KEYS: { readonly [what: string]: readonly string[] } = {
  metrics: [...Array(10).fill('words'), 'laps', 'laps', 'old', 'nothing', 'constructor'],
  achievements: [...Array(6).fill('tour'), 'pro', 'pro', 'first', 'locked', 'both', 'nothing', '__proto__'],
  points: [...Array(6).fill('xp'), 'coins', 'nothing', 'toString'],
  leaderboards: [...Array(3).fill('top'), ...Array(3).fill('rich'), 'plans', 'plans', 'loyal', 'nothing', 'valueOf'],
}

const id = fc.constantFrom(...IDS)
const zone = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('UTC', 'Europe/London', 'Pacific/Apia', 'America/New_York') },
  { weight: 1, arbitrary: fc.constantFrom('Mars/Base', 'GMT', '', 'europe/london') },
)
const attributesOf = (...names: readonly string[]): fc.Arbitrary<Json> =>
  fc.dictionary(fc.constantFrom(...names), fc.constantFrom('pro', 'web', '', 'x'.repeat(1_024)), { maxKeys: 2 })

const words: Words = {
  id,
  userId: id,
  tz: zone,
  // True needs an email.
  subscribedToEmails: fc.oneof({ weight: 8, arbitrary: fc.constant(false) }, fc.constant(true)),
  subscribeToEmails: fc.oneof({ weight: 8, arbitrary: fc.constant(false) }, fc.constant(true)),
  email: fc.constantFrom('ann@example.com', 'not an address'),
  value: fc.oneof(fc.integer({ min: -5, max: 60 }), fc.constantFrom(0, 0.1, -0, 1e15, 1e16, 1_000)),
  key: fc.constantFrom('words', 'laps', 'old', 'nothing'),
  attributes: fc.oneof(
    // Attributes of users and of events are known by other names.
    { weight: 12, arbitrary: fc.constant({}) },
    { weight: 4, arbitrary: attributesOf('plan', '__proto__') },
    { weight: 4, arbitrary: attributesOf('source', 'constructor') },
    { weight: 1, arbitrary: attributesOf('plan', 'unknown') },
  ),
}

const applicationKeyItems: fc.Arbitrary<Json> = fc.array(
  fc.oneof({ weight: 5, arbitrary: fc.record({ userId: id }) }, oddJson) as fc.Arbitrary<Json>,
  { minLength: 1, maxLength: 3 },
)

/** Of events with one of the keys that are sent. */
const voids: fc.Arbitrary<Json> = fc.record({
  userId: id,
  metric: fc.constantFrom('words', 'words', 'laps'),
  idempotencyKey: fc.constantFrom('k1', 'k2'),
  revoke: fc.boolean(),
})

/** Events of a batch: most of them such that they are recorded, some with one of the keys that are sent. */
const eventBatch: fc.Arbitrary<Json> = fc.array(
  fc.record(
    {
      key: fc.constantFrom('words', 'words', 'words', 'laps', 'old', 'nothing'),
      user: fc.record({ id }),
      value: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: -5, max: 60 }) }, fc.constantFrom(0, 0.1, 1e15, 1e16)),
      attributes: fc.constantFrom<Json>({}, { source: 'web' }, { unknown: 'x' }),
      idempotencyKey: fc.constantFrom('k1', 'k2', 'k3'),
      occurredAt: fc.constantFrom('2026-03-01T10:00:00.000Z', '2026-03-09T23:59:59.999Z', '1969-01-01T00:00:00.000Z'),
    },
    { requiredKeys: ['key', 'user', 'value'] },
  ) as fc.Arbitrary<Json>,
  { minLength: 1, maxLength: 5 },
)

/** Bodies that a schema alone would hardly ever make. */
const BODIES: { readonly [operation: string]: fc.Arbitrary<Json> } = {
  applicationApiKeys_create: applicationKeyItems,
  events_void: voids,
  events_approve: voids,
  metrics_events: eventBatch,
}

interface Plan {
  readonly method: string
  /** With the prefix. */
  readonly path: string
  readonly query: string
  readonly body: Json | undefined
}

const date = (...usual: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom('2024-02-30', '2026-3-1', '0000-01-01', '9999-12-31', '', 'x') },
  )

/** Values of a query parameter, by its name. */
const QUERY: { readonly [name: string]: fc.Arbitrary<string> } = {
  userAttributes: fc.constantFrom('plan:pro', 'plan:pro,__proto__:x', 'unknown:x', 'plan', ':', 'plan:a:b', ''),
  aggregation: fc.constantFrom('daily', 'daily', 'weekly', 'monthly', 'monthly', 'yearly', ''),
  startDate: date('2025-04-01', '2026-02-01', '2026-03-01', '2026-03-09'),
  endDate: date('2026-03-10', '2026-03-11', '2026-03-31', '2025-05-01'),
  includeIncomplete: fc.constantFrom('true', 'false', '1', ''),
  includeFinished: fc.constantFrom('true', 'true', 'false', 'false', '1', ''),
  historyPeriods: fc.constantFrom('1', '7', '400', '401', '0', '-1', '1.5', '1e2', '-0', '999999999999999', ''),
  awards: fc.constantFrom('0', '5', '100', '101', '-0', '00', 'x'),
  userIds: fc.array(id, { minLength: 1, maxLength: 3 }).map((ids) => ids.map(encodeURIComponent).join(',')),
  userId: id.map(encodeURIComponent),
  offset: fc.constantFrom('0', '1', '-1', '-2147483647', '2147483648', '1.5', ''),
  limit: fc.constantFrom('1', '10', '1000', '1001', '0', 'x'),
  run: date('2026-03-01', '2026-03-10', '2026-03-31', '2025-12-31'),
  numEvents: fc.constantFrom('0', '1', '400', '401', '-1'),
  ids: fc.constantFrom(PLACEHOLDERS.newestId, `${PLACEHOLDERS.newestId},${PLACEHOLDERS.newestId}`, 'x', ''),
}

/** Events above all: they make what the others show. */
const WEIGHTS: { readonly [operation: string]: number } = {
  metrics_event: 8,
  achievements_complete: 3,
  users_create: 2,
}

const plan: fc.Arbitrary<Plan> = fc.oneof(
  ...[applicationApi, adminApi].flatMap(({ prefix, routes }) =>
    routes.map(({ method, path, query, bodySchema, operationId }) => {
      const segments = path.split('/').slice(1)
      const arbitrary: fc.Arbitrary<Plan> = fc.record({
        method: fc.constant<string>(method),
        path: fc
          .tuple(...segments.map((segment, index) => toSegment(segment, segments[index - 1] ?? '')))
          .map((parts) => `${prefix}/${parts.join('/')}`),
        query: fc
          .tuple(
            ...Object.entries(query).map(([name, { required = false }]) =>
              fc
                .option(QUERY[name] ?? fc.constant('x'), { freq: required ? 12 : 2 })
                .map((value) => toPair(name, value)),
            ),
          )
          .map((pairs) => pairs.filter((pair) => pair !== '').join('&')),
        body: bodySchema === null ? fc.constant(undefined) : toBody(fromSchema(bodySchema, words), BODIES[operationId]),
      })
      return { weight: WEIGHTS[operationId] ?? 1, arbitrary }
    }),
  ),
)

function toBody(made: fc.Arbitrary<Json>, usual: fc.Arbitrary<Json> | undefined): fc.Arbitrary<Json> {
  return usual === undefined ? made : fc.oneof({ weight: 4, arbitrary: usual }, made)
}

function toSegment(segment: string, before: string): fc.Arbitrary<string> {
  if (!segment.startsWith('{')) return fc.constant(segment)
  return (segment === '{id}' ? id : fc.constantFrom(...(KEYS[before] ?? ['x']))).map(encodeURIComponent)
}

function toPair(name: string, value: string | null): string {
  return value === null ? '' : `${name}=${value}`
}

// What can be wrong with a path, a query, a method, the headers and the bytes.

const ODD_SEGMENTS = [
  '',
  '.',
  '..',
  '%2e%2e',
  '%2F',
  '%zz',
  '%',
  '%00',
  '%ff',
  '%ED%A0%80',
  '%E2%82',
  '%C0%AF',
  'a;b=1',
  'a#b',
  'a\\b',
  '~!$()*+,:@"<>[]^`{|}',
  'users',
  'x'.repeat(256),
  '%F0%9F%98%80'.repeat(255),
  '%F0%9F%98%80'.repeat(256),
]

const oddSegment = fc.oneof(
  fc.constantFrom(...ODD_SEGMENTS),
  fc.string({ unit: 'grapheme', maxLength: 6 }).map((text) => encode(text)),
)

/** Without the lone surrogates, which no URL can hold. */
function encode(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Cs}/gu, ''))
}

type Change<T> = (value: T) => T

const oddPath: fc.Arbitrary<Change<string>> = fc.oneof(
  fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), oddSegment).map(
    ([place, segment]): Change<string> =>
      (path) => {
        const segments = path.split('/')
        // Not the prefix: what lies elsewhere is for the host.
        const first = path.startsWith('/admin') ? 3 : 2
        const index = first + Math.floor(place * (segments.length - first))
        return segments.with(Math.min(index, segments.length - 1), segment).join('/')
      },
  ),
  fc.constant<Change<string>>((path) => `${path}/`),
  fc.constant<Change<string>>((path) => path.replace(/\/[^/]*$/, '')),
  fc.constant<Change<string>>((path) => path.replace(/\/(?=[^/]*$)/, '//')),
  oddSegment.map(
    (segment): Change<string> =>
      (path) =>
        `${path}/${segment}`,
  ),
)

const ODD_PAIRS = [
  '%zz',
  'x=%ff',
  '=',
  '&&',
  'userIds=%00',
  'userIds[]=ann',
  'userIds[0]=ann',
  'userIds[10000000000]=ann',
  'awards=1&awards=2',
  '__proto__=1',
  '?',
  '+=+',
]

const oddQuery: fc.Arbitrary<Change<string>> = fc.oneof(
  fc.constantFrom(...ODD_PAIRS).map(
    (pair): Change<string> =>
      (query) =>
        query === '' ? pair : `${query}&${pair}`,
  ),
  fc.constant<Change<string>>((query) => `${query}&${query}`),
  fc.constant<Change<string>>((query) => query.replaceAll('=', '[]=')),
  fc.constant<Change<string>>((query) => query.replaceAll('=', '[0]=')),
  oddString.map(
    (text): Change<string> =>
      (query) =>
        `${query}&x=${encode(text)}`,
  ),
  oddString.map(
    (text): Change<string> =>
      (query) =>
        query.replace(/=[^&]*/, `=${encode(text).replaceAll('$', '')}`),
  ),
)

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'] as const
const oddMethod = fc.constantFrom(...METHODS)

type Header = readonly [name: string, value: string]

const oddValue = fc.oneof(
  fc.constantFrom('', ',', ' a b ', 'a, b', 'x'.repeat(256), 'x'.repeat(3_000), '\xe9\xff', '%00', '__proto__'),
  fc.string({ unit: fc.constantFrom(...'ab01 ,;:="\\<>()\t\x7e\xe9'), maxLength: 12 }),
)

const oddHeader: fc.Arbitrary<Header> = fc.oneof(
  fc.tuple(
    fc.constantFrom(
      'Tenant-ID',
      'Idempotency-Key',
      'X-SDK-VERSION',
      'Content-Encoding',
      'Accept',
      'Origin',
      'X-API-KEY',
    ),
    oddValue,
  ),
  fc.tuple(
    fc.constant('Content-Type'),
    fc.oneof(
      fc.constantFrom(
        'text/plain',
        'application/json; charset=utf-16',
        'application/json;charset="utf-8"',
        'APPLICATION/JSON',
        'application/',
        'application/x-www-form-urlencoded',
        'application/vnd.api+json',
      ),
      oddValue,
    ),
  ),
  fc.tuple(fc.constantFrom('Upgrade', 'Via', 'X-Forwarded-For', 'X-HTTP-Method-Override', '__proto__'), oddValue),
)

const TENANTS = ['acme', 'acme', 'acme', 'other', 'x'.repeat(255), 'x'.repeat(256), 'a,b', '']

const headers: fc.Arbitrary<readonly Header[]> = fc
  .record({
    key: fc.oneof(
      { weight: 12, arbitrary: fc.constant<string | null>(PLACEHOLDERS.adminKey) },
      { weight: 3, arbitrary: fc.constant<string | null>(PLACEHOLDERS.annsKey) },
      { weight: 1, arbitrary: fc.constant<string | null>(PLACEHOLDERS.newestKey) },
      { weight: 1, arbitrary: fc.constantFrom(null, '', 'junk', 'a.b', `${PLACEHOLDERS.adminKey}x`) },
    ),
    tenant: fc.oneof(
      { weight: 12, arbitrary: fc.constant('acme') },
      { weight: 1, arbitrary: fc.constantFrom(...TENANTS) },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    idempotencyKey: fc.option(fc.constantFrom('k1', 'k2'), { freq: 2 }),
    odd: fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, fc.array(oddHeader, { minLength: 1, maxLength: 3 })),
  })
  .map(({ key, tenant, idempotencyKey, odd }) => [
    ...toHeader('X-API-KEY', key),
    ...toHeader('Tenant-ID', tenant),
    ...toHeader('Idempotency-Key', idempotencyKey),
    ...odd,
  ])

function toHeader(name: string, value: string | null): readonly Header[] {
  return value === null ? [] : [[name, value]]
}

const insert = (bytes: readonly number[]): fc.Arbitrary<Change<Buffer>> =>
  fc.double({ min: 0, max: 1, noNaN: true }).map((place) => (body) => {
    const index = Math.floor(place * body.length)
    return Buffer.concat([body.subarray(0, index), Buffer.from(bytes), body.subarray(index)])
  })

const oddBytes: fc.Arbitrary<Change<Buffer>> = fc.oneof(
  { weight: 3, arbitrary: insert([0xff]) },
  { weight: 3, arbitrary: insert([0xe2, 0x82]) },
  { weight: 2, arbitrary: insert([0x00]) },
  { weight: 3, arbitrary: insert([0x22]) },
  { weight: 2, arbitrary: insert([0x7d]) },
  {
    weight: 2,
    arbitrary: fc.constant<Change<Buffer>>((body) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body])),
  },
  { weight: 3, arbitrary: fc.constant<Change<Buffer>>((body) => body.subarray(0, -1)) },
  { weight: 2, arbitrary: fc.constant<Change<Buffer>>(() => Buffer.alloc(0)) },
  { weight: 2, arbitrary: fc.constant<Change<Buffer>>((body) => Buffer.from(body.toString(), 'utf16le')) },
  {
    weight: 3,
    arbitrary: fc.uint8Array({ maxLength: 40 }).map(
      (bytes): Change<Buffer> =>
        () =>
          Buffer.from(bytes),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Change<Buffer>>((body) => Buffer.concat([body, Buffer.alloc(262_145, ' ')])) },
)

const few = <T>(arbitrary: fc.Arbitrary<Change<T>>, weight: number): fc.Arbitrary<Change<T>> =>
  fc.oneof({ weight, arbitrary: fc.constant<Change<T>>((value) => value) }, { weight: 1, arbitrary })

/** A request with placeholders in it. */
export const request: fc.Arbitrary<RawRequest> = fc
  .record({
    plan,
    headers,
    mutations: fc.oneof(
      { weight: 3, arbitrary: fc.constant<Mutation[]>([]) },
      { weight: 1, arbitrary: fc.array(mutation, { minLength: 1, maxLength: 3 }) },
    ),
    path: few(oddPath, 12),
    query: few(oddQuery, 12),
    method: few(
      oddMethod.map((method) => (): string => method),
      15,
    ),
    bytes: few(oddBytes, 12),
    hasType: fc.oneof({ weight: 20, arbitrary: fc.constant(true) }, fc.constant(false)),
    hasBody: fc.oneof({ weight: 20, arbitrary: fc.constant(true) }, fc.constant(false)),
    chunk: fc.option(fc.constantFrom(1_000, 65_536), { freq: 4 }),
  })
  .map(({ plan, headers, mutations, path, query, method, bytes, hasType, hasBody, chunk }) => {
    const asked = query(plan.query)
    const json = plan.body === undefined ? undefined : mutations.reduce(mutate, plan.body)
    const isTyped = hasType && json !== undefined && !headers.some(([name]) => name === 'Content-Type')
    return {
      method: method(plan.method),
      path: path(plan.path) + (asked === '' ? '' : `?${asked}`),
      headers: isTyped ? [...headers, ['Content-Type', 'application/json'] as const] : headers,
      ...(json === undefined || !hasBody ? {} : { body: bytes(Buffer.from(toText(json))) }),
      ...(chunk === null ? {} : { chunk }),
    }
  })

/** Deep values too, which `JSON.stringify` can do; -0 and lone surrogates as JSON has them. */
function toText(json: Json): string {
  return JSON.stringify(json)
}
