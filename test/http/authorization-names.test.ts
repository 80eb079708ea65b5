// @heavy: It takes more than three seconds.
// All the ways in which a request under ann's key, or in her session, could name somebody else.

import { describe, expect, test } from 'vitest'
import { applicationApi as toFetch } from '../../adapters/fetch/index.ts'
import { applicationApi } from '../../src/http/apis.ts'
import type { HttpRequest } from '../../src/http/exchange.ts'
import { serve } from '../../src/http/index.ts'
import { BINDINGS, type BindingName } from '../support/http.ts'
import { openWorld, type World } from './authorization-world.ts'
import { ask, type RawAnswer, type RawCall } from './raw.ts'

/** `{other}` is bob, who is known, and then zoe, who is not; `{hex}` is the same with every byte percent-encoded. */
interface Attempt {
  readonly method: string
  readonly target: string
  readonly body?: string | undefined
  readonly headers?: RawCall['headers']
  readonly status: number
  /** If a host or a runtime reads a URL before the library does: what it makes of it, and why. */
  readonly elsewhere?: { readonly [Name in BindingName]?: number }
}

const get = (status: number, target: string, elsewhere?: Attempt['elsewhere']): Attempt => ({
  method: 'GET',
  target,
  status,
  ...(elsewhere === undefined ? {} : { elsewhere }),
})
const send = (status: number, method: string, target: string, body: string): Attempt => ({
  method,
  target,
  status,
  body,
})

// A `Request` of the fetch standard has `.` and `..` resolved in its URL, `%2e` too: what it then names is asked for.
const resolved = (status: number) => ({ fetch: status })

const IN_THE_PATH: readonly Attempt[] = [
  get(403, '/v1/users/{other}'),
  get(403, '/v1/users/{hex}'),
  get(403, '/v1/%75sers/{other}'),
  get(403, '/v1/users/{other}/points/xp'),
  get(404, '/v1/users//{other}'),
  get(404, '/v1/users/ann/{other}'),
  // Express matches the path of a mount in any case, and the library does not see that path.
  get(404, '/V1/users/{other}', { express: 403, 'express-4': 403, 'express-parsed': 403 }),
  // As sent to a proxy.
  get(403, 'http://example.com/v1/users/{other}', { fetch: 404 }),
  get(200, 'http://example.com/v1/users/ann', { fetch: 404 }),
  get(403, '/v1/users/{other}#ann'),
  // The part after the # does not belong to a Request's address.
  get(403, '/v1/users/ann#{other}', { fetch: 200 }),
  get(404, '/v1/users/ann/../{other}', resolved(403)),
  get(404, '/v1/users/ann/%2e%2e/{other}', resolved(403)),
  get(404, '/v1/users/ann/.%2e/{other}/streak', resolved(403)),
  get(404, '/v1/users/ann/metrics/%2e%2e/%2e%2e/{other}/metrics', resolved(403)),
  get(404, '/v1/users/{other}/../ann', resolved(200)),
  get(422, '/v1/users/%2e%2e', resolved(404)),
  get(403, '/v1/users/ann%2f..%2f{other}'),
  get(403, '/v1/users/ann%252f..%252f{other}'),
  get(403, '/v1/users/ann\\..\\{other}'),
  get(403, '/v1/users/{other}%2fpreferences'),
  get(404, '/v1/users/ann/metrics/words%2f..%2f..%2f..%2f{other}'),
  get(403, '/v1/users/ann;id={other}'),
  get(403, '/v1/users/ann%20'),
  get(403, '/v1/users/ann%0d%0aX-API-KEY:%20{other}'),
  get(403, '/v1/users/ANN'),
  get(403, '/v1/users/%EF%BD%81nn'),
  get(403, '/v1/users/%2561nn'),
  get(403, '/v1/users/__proto__'),
  get(403, '/v1/users/*'),
  get(403, '/v1/users/%27%20or%20%271%27=%271'),
  get(400, '/v1/users/ann%00{other}'),
]

// Percent-encoding that cannot be read; Fastify answers it before any plugin is asked.
const UNREADABLE: readonly Attempt[] = [
  get(400, '/v1/users/%c1%a1nn'),
  get(400, '/v1/users/{other}%'),
  get(400, '/v1/users/ann%c0%ae%c0%ae%c0%af{other}'),
]

const BESIDE_THE_PATH: readonly Attempt[] = [
  get(200, '/v1/users/ann?id={other}'),
  get(200, '/v1/users/ann?userId={other}&user.id={other}&user[id]={other}'),
  get(403, '/v1/users/{other}?id=ann&userId=ann'),
  get(200, '/v1/achievements?userId={other}'),
  { ...get(200, '/v1/users/ann'), body: '{"id":"{other}","userId":"{other}"}' },
  { ...get(403, '/v1/users/{other}'), body: '{"id":"ann"}' },
  ...['X-Original-URL', 'X-Forwarded-Uri', 'Referer'].flatMap((name): readonly Attempt[] => [
    { ...get(200, '/v1/users/ann'), headers: [[name, '/v1/users/{other}']] },
    { ...get(403, '/v1/users/{other}'), headers: [[name, '/v1/users/ann']] },
  ]),
  ...['X-User-Id', 'User-Id', 'X-Forwarded-User', 'From', 'Tenant-ID', 'Cookie'].flatMap((name): readonly Attempt[] => [
    { ...get(200, '/v1/users/ann'), headers: [[name, '{other}']] },
    { ...get(403, '/v1/users/{other}'), headers: [[name, 'ann']] },
  ]),
  ...['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'].map(
    (name): Attempt => ({
      ...send(403, 'POST', '/v1/users', '{"id":"{other}","name":"Eve"}'),
      headers: [[name, 'GET']],
    }),
  ),
]

const IN_USER_IDS: readonly Attempt[] = [
  get(403, '/v1/streaks?userIds={other}'),
  get(403, '/v1/streaks?userIds=ann&userIds={other}'),
  get(403, '/v1/streaks?userIds=ann,{other}'),
  get(403, '/v1/streaks?userIds=ann%2C{other}'),
  get(403, '/v1/streaks?userIds[]={other}'),
  get(403, '/v1/streaks?userIds%5B%5D={other}&userIds=ann'),
  get(403, '/v1/streaks?userIds[0]=ann&userIds[1]={other}'),
  get(403, '/v1/streaks?%75serIds={other}'),
  get(403, '/v1/streaks?userIds={hex}'),
  get(403, '/v1/streaks?&&userIds=ann&=&userIds={other}'),
  get(403, '/v1/streaks?userIds=ann;userIds={other}'),
  get(403, '/v1/streaks?userIds=+ann'),
  get(403, '/v1/streaks?userIds=%5B%22ann%22%5D'),
  get(403, '/v1/streaks?userIds=__proto__'),
  get(422, '/v1/streaks?userIds=ann,'),
  get(422, '/v1/streaks?userIds='),
  get(422, '/v1/streaks?userIds=ann%00{other}'),
  get(422, `/v1/streaks?userIds=${'ann,'.repeat(100)}{other}`),
  get(400, '/v1/streaks?userIds=%zz{other}'),
  get(200, '/v1/streaks?userIds=ann'),
  get(200, '/v1/streaks?userIds=ann,ann&userIds=%61nn'),
  // Names that it does not have: no user is read.
  get(200, '/v1/streaks'),
  get(200, '/v1/streaks?userids={other}'),
  get(200, '/v1/streaks?userIds[a]={other}'),
  get(200, '/v1/streaks?__proto__[userIds]={other}'),
]

const AROUND_A_USER: readonly Attempt[] = [
  get(403, '/v1/leaderboards/top?userId={other}'),
  get(403, '/v1/leaderboards/top?%75serId={other}'),
  get(403, '/v1/leaderboards/top?userId[]={other}'),
  get(403, '/v1/leaderboards/top?userId=ann,{other}'),
  get(403, '/v1/leaderboards/nothing?userId={other}'),
  get(403, '/v1/leaderboards/secret?userId={other}'),
  get(403, '/v1/leaderboards/secret'),
  get(403, '/v1/leaderboards/secret?includePrivate=true'),
  get(403, '/v1/users/{other}/leaderboards/top'),
  get(422, '/v1/leaderboards/top?userId=ann&userId={other}'),
  get(422, '/v1/leaderboards/top?userId='),
  get(404, '/v1/leaderboards/nothing?userId=ann'),
  get(200, '/v1/leaderboards/top?userId=ann&limit=1'),
  get(200, '/v1/leaderboards?userId={other}&includePrivate=true'),
  get(403, '/v1/users/ann/leaderboards/secret'),
  get(403, '/v1/users/ann/leaderboards/%73ecret?numEvents=0'),
  get(200, '/v1/users/ann/leaderboards/top?userId={other}'),
]

/** The possible users of an event or a completion, and the result for ann's key. */
const USERS: readonly (readonly [status: number, members: string])[] = [
  [403, '"user":{"id":"{other}"}'],
  [403, '"user":{"id":"ann","id":"{other}"}'],
  [201, '"user":{"id":"{other}","id":"ann"}'],
  [403, '"user":{"id":"ann"},"user":{"id":"{other}"}'],
  [201, '"user":{"id":"{other}"},"user":{"id":"ann"}'],
  [403, '"user":{"id":"ann","\\u0069d":"{other}"}'],
  [403, '"user":{"\\u0069d":"{other}"}'],
  [403, '"user":{"id":"ann"},"\\u0075ser":{"id":"{other}"}'],
  [422, '"user":{"id":["{other}"]}'],
  [422, '"user":{"id":{"toString":"ann"}}'],
  [422, '"user":{"id":null}'],
  [422, '"user":[{"id":"ann"},{"id":"{other}"}]'],
  [422, '"user":"{other}"'],
  [422, '"user":null,"id":"ann"'],
  [422, '"User":{"id":"{other}"},"id":"ann"'],
  [422, '"user":{"ID":"{other}"}'],
  [422, '"user.id":"{other}"'],
  [201, '"user":{"id":"ann","userId":"{other}","ID":"{other}"},"userId":"{other}","id":"{other}","users":["{other}"]'],
  [201, '"user":{"id":"ann","user":{"id":"{other}"}},"User":{"id":"{other}"},"user ":{"id":"{other}"}'],
  [201, '"user":{"__proto__":{"id":"{other}"},"id":"ann"}'],
  [422, '"user":{"__proto__":{"id":"{other}"}}'],
  [403, '"user":{"__proto__":{"id":"ann"},"id":"{other}"}'],
  [403, '"__proto__":{"user":{"id":"ann"}},"user":{"id":"{other}"}'],
  [422, '"__proto__":{"user":{"id":"{other}"}}'],
  [201, '"__proto__":{"user":{"id":"{other}"}},"user":{"id":"ann"}'],
  [422, '"constructor":{"prototype":{"user":{"id":"ann"}}}'],
  [403, '"user":{"id":"ann","attributes":{"id":"{other}"}}'],
  [422, '"user":{"id":"ann\\u0000{other}"}'],
  [403, '"user":{"id":"ann "}'],
  [403, '"user":{"id":"Ann"}'],
  [403, '"user":{"id":"ann/../{other}"}'],
  [403, '"user":{"id":"ann,{other}"}'],
  [201, '"user":{"id":"\\u0061nn"}'],
]

const IN_AN_EVENT: readonly Attempt[] = USERS.map(([status, members]) =>
  send(status, 'POST', '/v1/metrics/words/event', `{"value":3,${members}}`),
)

const IN_ANOTHER_BODY: readonly Attempt[] = [
  ...USERS.map(([status, members]) => send(status, 'POST', '/v1/achievements/tour/complete', `{${members}}`)),
  ...USERS.filter(([, members]) => /^"user":\{[^}]*\}$/.test(members)).map(([status, members]) =>
    send(status, 'POST', '/v1/users', members.slice('"user":'.length)),
  ),
  ...['PUT', 'PATCH'].flatMap((method): readonly Attempt[] => [
    send(200, method, '/v1/users/ann', '{"id":"{other}","name":"Eve"}'),
    send(200, method, '/v1/users/ann', '{"user":{"id":"{other}"},"userId":"{other}","name":"Eve"}'),
    send(200, method, '/v1/users/ann', '{"__proto__":{"id":"{other}"},"name":"Eve"}'),
    send(200, method, '/v1/users/ann?id={other}', '{"name":"Eve"}'),
    send(403, method, '/v1/users/{other}', '{"id":"ann","name":"Eve"}'),
    send(403, method, '/v1/users/{other}', '{"id":"ann","id":"{other}","name":"Eve"}'),
    send(403, method, '/v1/users/{other}', '{"__proto__":{"id":"ann"},"name":"Eve"}'),
    { ...send(404, method, '/v1/users/ann/%2e%2e/{other}', '{"name":"Eve"}'), elsewhere: resolved(403) },
  ]),
  send(200, 'PATCH', '/v1/users/ann/preferences', '{"id":"{other}","userId":"{other}","notifications":{"recap":[]}}'),
  send(200, 'PATCH', '/v1/users/ann/preferences', '{"user":{"id":"{other}"},"notifications":{"recap":["push"]}}'),
  send(403, 'PATCH', '/v1/users/{other}/preferences', '{"id":"ann","notifications":{"recap":["push"]}}'),
  send(403, 'PATCH', '/v1/users/{other}/preferences', '{}'),
]

const fill = (text: string, other: string): string =>
  text.replaceAll('{other}', other).replaceAll(
    '{hex}',
    other.replaceAll(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`),
  )

/** Sends a request that names another user as ann, whom a key or a session tells. */
type Send = (world: World, attempt: Attempt, other: string) => Promise<RawAnswer>

const withKey: Send = (world, { method, target, body, headers = [] }, other) =>
  ask(world.server.port, method, fill(target, other), {
    key: world.keys.ofAnn,
    headers: headers.map(([name, value]) => [name, fill(value, other)] as const),
    body: body === undefined ? undefined : fill(body, other),
  })

/** The user API has the same routes at another place, and asks for an origin; no key is looked at there. */
const inSession: Send = (world, attempt, other) =>
  ask(world.server.port, attempt.method, fill(attempt.target, other).replace(/\/v1(?=\/)/i, '/user$&'), {
    headers: [...SESSION, ...(attempt.headers ?? []).map(([name, value]) => [name, fill(value, other)] as const)],
    body: attempt.body === undefined ? undefined : fill(attempt.body, other),
  })

const SESSION = [['Cookie', 'user=ann'] as const, ['Origin', 'http://127.0.0.1'] as const]

/** Apart from parts of the request that are echoed, and from recorded values. */
const comparable = ({ head, text }: RawAnswer, other: string): string =>
  `${head.replace(/\r\ncontent-length: \d+/i, '')}\r\n\r\n${text}`
    .replaceAll(other, '{other}')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, '{id}')

/**
 * Expects the decided status for ann, whether the other user exists or not, and expects rows and data of other users to
 * stay untouched.
 */
async function expectHarmless(binding: BindingName, attempts: readonly Attempt[], send = withKey): Promise<void> {
  const world = await openWorld(binding)
  const others = world.tablesOfOthers()
  let tables = world.tables()
  for (const each of attempts) {
    const [known, unknown] = [await send(world, each, 'bob'), await send(world, each, 'zoe')]
    const status = each.elsewhere?.[binding] ?? each.status
    expect({ ...each, status: known.status, text: known.text }).toEqual({ ...each, status, text: expect.any(String) })
    expect(known.text).not.toMatch(/Robert|77\.77|bob@example/)
    // A second event of ann's has another total.
    if (status === 201) expect(unknown.status).toBe(201)
    else expect([each, comparable(unknown, 'zoe')]).toEqual([each, comparable(known, 'bob')])
    if (status >= 300) expect([each, world.tables()]).toEqual([each, tables])
    else {
      expect([each, world.tablesOfOthers()]).toEqual([each, others])
      tables = world.tables()
    }
  }
}

describe.each(BINDINGS)('Through %s', (binding) => {
  test('nobody else can be named in the path', () => expectHarmless(binding, IN_THE_PATH))

  test.each([
    ['100 characters', 'x'.repeat(100)],
    ['101 characters', 'x'.repeat(101)],
    ['255 characters', 'x'.repeat(255)],
    ['255 characters of four bytes', '\u{1f600}'.repeat(255)],
  ])('a user whose id has %s is there for the own key and closed to others', async (_, id) => {
    const { server, keys } = await openWorld(binding)
    await server.call('POST', '/v1/users', { body: { id } })
    const own = await server.applicationKey(id)
    const target = `/v1/users/${encodeURIComponent(id)}`
    const get = (key: string | null) => ask(server.port, 'GET', target, { key })
    expect([await get(own), await get(keys.ofAnn), await get(null)]).toMatchObject([
      { status: 200 },
      { status: 403 },
      { status: 401 },
    ])
  })

  test('a path that cannot be read names nobody', () => expectHarmless(binding, UNREADABLE))
})

// Every way of reading a request is among these: Node's, a host's parser, and fetch.
describe.each(['node', 'express-parsed', 'fetch'] as const)('Through %s nobody else can be named in', (binding) => {
  test.each([
    ['headers, the query or a body that nobody reads', BESIDE_THE_PATH],
    ['userIds', IN_USER_IDS],
    ['userId', AROUND_A_USER],
    ['an event', IN_AN_EVENT],
    ['another body', IN_ANOTHER_BODY],
  ])('%s', (_, attempts) => expectHarmless(binding, attempts))
})

describe.each(['node', 'fetch'] as const)('In a session, through %s', (binding) => {
  test.each([
    ['the path', IN_THE_PATH],
    ['a path that cannot be read', UNREADABLE],
    ['headers, the query or a body that nobody reads', BESIDE_THE_PATH],
    ['userIds', IN_USER_IDS],
    ['userId', AROUND_A_USER],
    ['an event', IN_AN_EVENT],
    ['another body', IN_ANOTHER_BODY],
  ])('nobody else can be named in %s', (_, attempts) => expectHarmless(binding, attempts, inSession))
})

describe('Of all paths of up to four of these segments', () => {
  const SEGMENTS = ['users', 'bob', 'ann', '..', '%2e%2E', '', 'ann%2f..%2fbob', 'metrics', 'words']
  const paths = [1, 2, 3, 4].reduce<string[][]>(
    (all) => [...all, (all.at(-1) ?? []).flatMap((path) => SEGMENTS.map((segment) => `${path}/${segment}`))],
    [['']],
  )
  const targets = paths.flat()

  /** The user whom a path names, parsed by other means than dispatch. */
  const userOf = (path: string): string | undefined => {
    const [, root, user] = path.split('/')
    return root === 'users' && user !== undefined ? decodeURIComponent(user) : undefined
  }

  test('none leads to bob by the bare handler, and all that lead to ann name her', async () => {
    const world = await openWorld('node')
    const handle = serve(world.server.engine, applicationApi, {})
    const request = (target: string, key: string): HttpRequest => ({
      method: 'GET',
      target,
      header: (name) => (name === 'x-api-key' ? key : undefined),
      readBody: async () => ({ type: 'bytes', bytes: new Uint8Array() }),
    })
    const opened = new Set<string | undefined>()
    for (const target of targets) {
      const answer = await handle(request(target, world.keys.ofAnn))
      expect([target, answer?.body]).toEqual([target, expect.not.stringMatching(/Robert|77\.77/)])
      if (answer?.status === 200) opened.add(userOf(target))
    }
    expect([...opened]).toEqual(['ann'])
    expect((await handle(request('/users/bob', world.keys.admin)))?.body).toMatch('Robert')
  })

  test('none leads to bob by fetch, which resolves dots by itself', async () => {
    const world = await openWorld('fetch')
    const handle = toFetch(world.server.engine)
    const opened = new Set<string | undefined>()
    for (const target of targets.filter((each) => each.startsWith('/users'))) {
      const request = new Request(`http://localhost/v1${target}`, { headers: { 'X-API-KEY': world.keys.ofAnn } })
      const answer = await handle(request)
      expect([target, await answer.text()]).toEqual([target, expect.not.stringMatching(/Robert|77\.77/)])
      if (answer.status === 200) opened.add(userOf(new URL(request.url).pathname.slice('/v1'.length)))
    }
    expect([...opened]).toEqual(['ann'])
  })
})
