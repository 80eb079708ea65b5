// @heavy: It takes more than three seconds.
// laurels/client: every call of it against servers, and what it does when one is not answered.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ROUTES } from '../../../adapters/client/calls.ts'
import { ApiError, createClient, type GamificationClient } from '../../../adapters/client/index.ts'
import { applicationApi } from '../../../src/http/apis.ts'
import type { DefinedGame, GamificationApi } from '../../../src/index.ts'
import { game } from '../../http/authorization-table.ts'
import { openWorld, type World } from '../../http/authorization-world.ts'
import { codeOf, untyped } from '../../support/engine.ts'
import { BINDINGS, openServer } from '../../support/http.ts'

/** As a browser sends it: with its cookies and the origin of the page. */
const asPage =
  (cookie: string, origin: string): typeof fetch =>
  (input, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('cookie', cookie)
    headers.set('origin', origin)
    return fetch(input, { ...init, headers })
  }

const DATES = { aggregation: 'daily', startDate: '2026-03-09', endDate: '2026-03-10' } as const

type Api = Pick<
  GamificationApi<DefinedGame>,
  'achievements' | 'challenges' | 'rewards' | 'users' | 'points' | 'leaderboards' | 'streaks'
>

/** Every read that a user may make, by its name; the same for the client and in-process. */
const READS: { readonly [name: string]: (api: Api | GamificationClient) => Promise<unknown> } = {
  'achievements.all': (api) => api.achievements.all({ userAttributes: 'plan:pro' }),
  'challenges.list': (api) => api.challenges.list(),
  'challenges.get': (api) => api.challenges.get('daily'),
  'rewards.list': (api) => api.rewards.list(),
  'rewards.redemptions': (api) => api.rewards.redemptions({ user: 'ann' }),
  'users.challenges': (api) => api.users.challenges('ann'),
  'users.get': (api) => api.users.get('ann'),
  'users.getPreferences': (api) => api.users.getPreferences('ann'),
  'users.allMetrics': (api) => api.users.allMetrics('ann'),
  'users.singleMetric': (api) => api.users.singleMetric('ann', 'words'),
  'users.metricEventSummary': (api) => api.users.metricEventSummary('ann', 'words', DATES),
  'users.achievements': (api) => api.users.achievements('ann', { includeIncomplete: true }),
  'users.streak': async (api) => [
    await api.users.streak('ann', { historyPeriods: 2 }),
    await api.users.streak('ann', { streak: 'gym', historyPeriods: 2 }),
  ],
  'users.points': (api) => api.users.points('ann', 'xp', { awards: 1 }),
  'users.pointsBoosts': (api) => api.users.pointsBoosts('ann', 'xp'),
  'users.pointsEventSummary': (api) => api.users.pointsEventSummary('ann', 'xp', DATES),
  'users.wrapped': (api) => api.users.wrapped('ann', { year: 2026 }),
  'users.leaderboard': (api) => api.users.leaderboard('ann', 'top', { numEvents: 3 }),
  'streaks.list': (api) => api.streaks.list({ userIds: ['ann'] }),
  'points.system': (api) => api.points.system('xp'),
  'points.levels': (api) => api.points.levels('xp'),
  'points.balance': (api) => api.points.balance('ann', 'coins'),
  'points.balances': (api) => api.points.balances('ann'),
  'points.statement': (api) => api.points.statement('ann', { system: 'coins' }),
  'points.boosts': (api) => api.points.boosts('xp', { includeFinished: true }),
  'leaderboards.get': (api) => api.leaderboards.get('top', { userId: 'ann', limit: 1 }),
  'leaderboards.among': ({ leaderboards }) =>
    'among' in leaderboards
      ? leaderboards.among('top', { userIds: ['ann'] })
      : leaderboards.get('top', { among: ['ann'] }),
}

/** The client gets no private leaderboards; an in-process call has to ask for that. */
const IN_PROCESS: { readonly [name: string]: (api: Api) => Promise<unknown> } = {
  ...READS,
  'users.wrapped': (api) => api.users.wrapped('ann', { year: 2026, includePrivate: false }),
}

/** The calls that read all users, and one that returns more to an admin key. */
const FOR_ADMINS: typeof READS = {
  'leaderboards.all': (api) => api.leaderboards.all({ includeFinished: true }),
  'streaks.rankings': (api) => api.streaks.rankings({ limit: 3, type: 'longest' }),
  'points.levelSummary': (api) => api.points.levelSummary('xp'),
  'points.summary': (api) => api.points.summary('xp'),
}

const refusalOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'accepted',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  )

const WRITES: { readonly [name: string]: (client: GamificationClient) => Promise<unknown> } = {
  'metrics.event': (client) => client.metrics.event('words', { user: { id: 'ann' }, value: 4, idempotencyKey: 'once' }),
  'achievements.complete': (client) => client.achievements.complete('tour', { user: { id: 'ann' } }),
  'challenges.enrol': (client) => client.challenges.enrol('sprint', { user: 'ann' }),
  'challenges.abandon': (client) => client.challenges.abandon('sprint', { user: 'ann' }),
  // No reward waits, and no other quest is left.
  'challenges.claim': (client) => refusalOf(client.challenges.claim('sprint', { user: 'ann' })),
  'challenges.reroll': (client) => refusalOf(client.challenges.reroll('daily', { user: 'ann', quest: 'far' })),
  // Spending is for admin keys.
  'points.spend': (client) => refusalOf(client.points.spend('coins', { user: 'ann', amount: 1 })),
  'points.hold': (client) =>
    refusalOf(client.points.hold('coins', { user: 'ann', amount: 1, expiresIn: { hours: 1 } })),
  'points.capture': (client) => refusalOf(client.points.capture('a hold', { amount: 1 })),
  'points.release': (client) => refusalOf(client.points.release('a hold')),
  'points.refund': (client) => refusalOf(client.points.refund('a spend', { amount: 1 })),
  // The user cannot afford it.
  'rewards.redeem': (client) => refusalOf(client.rewards.redeem('mug', { user: 'ann' })),
  'users.create': (client) => client.users.create({ id: 'ann', name: 'Created' }),
  'users.identify': (client) => client.users.identify('ann', { name: 'Identified' }),
  'users.update': (client) => client.users.update('ann', { name: 'Updated' }),
  'users.updatePreferences': (client) => client.users.updatePreferences('ann', { notifications: { recap: ['push'] } }),
}

/** A session has no such route. */
const FOR_HOSTS = expect.stringMatching(/^(forbidden|unknown_path)$/)

const WRITTEN = {
  'metrics.event': { total: 5 },
  'achievements.complete': { completionId: expect.any(String) },
  'challenges.enrol': { key: 'sprint', enrolledAt: expect.any(String) },
  'challenges.abandon': { key: 'sprint', enrolledAt: null },
  'challenges.claim': 'challenge_not_claimable',
  'challenges.reroll': 'quest_not_replaceable',
  'points.spend': FOR_HOSTS,
  'points.hold': FOR_HOSTS,
  'points.capture': FOR_HOSTS,
  'points.release': FOR_HOSTS,
  'points.refund': FOR_HOSTS,
  'rewards.redeem': 'insufficient_points',
  'users.create': { id: 'ann', name: 'Created' },
  'users.identify': { id: 'ann', name: 'Identified' },
  'users.update': { id: 'ann', name: 'Updated' },
  'users.updatePreferences': { notifications: { recap: ['push'] } },
}

const WAYS = {
  'an application key': ({ server, keys }: World) => createClient({ baseUrl: `${server.base}/v1`, apiKey: keys.ofAnn }),
  'a session': ({ server }: World) =>
    createClient({ baseUrl: new URL('/user/v1', server.base), fetch: asPage('user=ann', server.base) }),
}

test('The client has a call for every route of the application API', () => {
  const calls = Object.values(ROUTES).flatMap((group) => Object.values(group))
  const routes = applicationApi.routes.filter(({ isPublic }) => !isPublic)
  const paths = calls.flatMap(([method, path, , named]) =>
    (named === undefined ? [path] : [path, `${path}s/{}`]).map((each) => `${method} /${each}`),
  )
  expect(paths.sort()).toEqual(
    routes.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`).sort(),
  )
  const names = Object.entries(ROUTES).flatMap(([group, of]) => Object.keys(of).map((name) => `${group}.${name}`))
  expect(Object.keys({ ...READS, ...FOR_ADMINS, ...WRITES }).sort()).toEqual(names.sort())
})

describe.each(BINDINGS)('Through %s', (binding) => {
  describe.each(Object.entries(WAYS))('with %s', (_, open) => {
    test('every read answers what it does in-process', async () => {
      const world = await openWorld(binding)
      const client = open(world)
      for (const [name, read] of Object.entries(READS)) {
        const inProcess = await IN_PROCESS[name]?.(world.server.engine)
        expect([name, await read(client)]).toEqual([name, JSON.parse(JSON.stringify(inProcess))])
      }
      expect(await client.leaderboards.all()).toEqual([expect.objectContaining({ key: 'top' })])
    })

    test('every change is made, and once', async () => {
      const world = await openWorld(binding)
      const client = open(world)
      for (const [name, write] of Object.entries(WRITES)) {
        expect([name, await write(client)]).toMatchObject([name, WRITTEN[name as keyof typeof WRITTEN]])
      }
      expect(
        await client.metrics.event('words', { user: { id: 'ann' }, value: 4, idempotencyKey: 'once' }),
      ).toMatchObject({ idempotentReplayed: true })
      expect(await client.users.singleMetric('ann', 'words')).toMatchObject({ current: 5 })
    })
  })

  test('with an admin key what looks over all users answers what it does in-process', async () => {
    const { server } = await openWorld(binding)
    const client = createClient({ baseUrl: `${server.base}/v1/`, apiKey: server.adminKey })
    for (const [name, read] of Object.entries(FOR_ADMINS)) {
      expect([name, await read(client)]).toEqual([name, JSON.parse(JSON.stringify(await read(server.engine)))])
    }
  })
})

/** A client whose requests are all answered with `{}`; `asked` has their addresses. */
function createOfflineClient() {
  const asked: unknown[] = []
  const fetch = async (input: unknown): Promise<Response> => {
    asked.push(input)
    return new Response('{}')
  }
  return { client: createClient({ baseUrl: 'https://app.test/v1', fetch }), asked }
}

describe('A client', () => {
  test.each([undefined, {}, { baseURL: '/game' }])('made of %j says what it takes', (options) => {
    expect(() => createClient(untyped<never>(options))).toThrow(
      "createClient takes where the API is mounted, as { baseUrl: '/game' }.",
    )
  })

  test('refuses an admin key in a page, where everybody could read it', () => {
    const options = { baseUrl: 'https://app.test/v1', apiKey: 'adm_abcd.secret' }
    expect(() => createClient(options)).not.toThrow()
    vi.stubGlobal('document', {})
    onTestFinished(() => void vi.unstubAllGlobals())
    expect(() => createClient(options)).toThrow(/^createClient was given an admin key in a page/)
    expect(() => createClient({ ...options, apiKey: 'app_abcdefghijkl.secret' })).not.toThrow()
  })

  test('names the tenant, and asks for ids of any characters', async () => {
    const server = await openServer({ definition: { ...game, multiTenant: true } })
    onTestFinished(() => server.close())
    const client = createClient({ baseUrl: `${server.base}/v1`, apiKey: server.adminKey, tenant: 'acme' })
    for (const id of ['a/b?c#d', 'ä ü', '%2e%2e', '😀', 'a,b']) {
      expect(await client.users.create({ id })).toMatchObject({ id })
      expect(await client.users.get(id)).toMatchObject({ id })
      expect(await client.streaks.list({ userIds: [id, 'nobody'] })).toMatchObject([{ userId: id }])
    }
    expect(await codeOf(server.engine.tenant('other').users.get('ä ü'))).toBe('unknown_user')
  })

  test.each(['', '.', '..'])("never asks for an id '%s', which a URL would resolve", async (id) => {
    const { client, asked } = createOfflineClient()
    await expect(client.users.get(id)).rejects.toMatchObject({
      name: 'ApiError',
      code: 'invalid_request',
      status: null,
    })
    await expect(client.users.get(undefined as never)).rejects.toMatchObject({ code: 'invalid_request' })
    expect(asked).toEqual([])
  })

  test('asks the server about a property without a name, and keeps the path', async () => {
    const { client, asked } = createOfflineClient()
    await client.achievements.all(untyped({ '': 'x' }))
    await client.users.update('ann', untyped({ '': 'x' }))
    expect(asked).toEqual(['https://app.test/v1/achievements?=x', 'https://app.test/v1/users/ann'])
  })

  test('rejects with what the server says is wrong', async () => {
    const { server, keys } = await openWorld('node')
    const client = createClient({ baseUrl: `${server.base}/v1`, apiKey: keys.ofAnn })
    const refusal = await client.metrics
      .event('words', { user: { id: 'ann' }, value: 'x' as never })
      .catch((error) => error)
    expect(refusal).toBeInstanceOf(ApiError)
    expect(refusal).toMatchObject({ status: 422, code: 'invalid_request', issues: [{ path: 'value' }] })
    expect(refusal.message).toMatch('must be a finite number')
    await expect(client.users.get('bob')).rejects.toMatchObject({
      status: 403,
      code: 'forbidden',
      idempotencyKey: null,
    })
    await expect(client.users.singleMetric('ann', 'laps2')).rejects.toMatchObject({
      status: 404,
      code: 'unknown_metric',
    })
  })
})

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

/** A server that answers each request by the next of these, then as the last. */
async function serve(answers: readonly Answer[]): Promise<{ readonly base: string; readonly seen: readonly Seen[] }> {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const answer = answers[Math.min(seen.length, answers.length - 1)]
    seen.push({ key: request.headers['idempotency-key'], body, at: performance.now() })
    answer?.(request, response, body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

interface Seen {
  readonly key: string | string[] | undefined
  readonly body: string
  readonly at: number
}

const answer =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response.writeHead(status, headers).end(body)
const hangUp: Answer = (request) => void request.socket.destroy()
const silence: Answer = () => undefined
const halfAnAnswer: Answer = (request, response) => {
  response.writeHead(201, { 'content-length': '100' }).write('{"total"')
  setTimeout(() => request.socket.destroy(), 20)
}
const DONE = answer(201, '{"total":5}')
const BUSY = answer(503, '{"error":"Try again.","code":"unavailable"}', { 'retry-after': '0' })

const EVENT = { user: { id: 'ann' }, value: 5 }

describe('An event that is not answered', () => {
  test.each([
    ['the connection was closed', [hangUp, hangUp, DONE]],
    ['the answer broke off', [halfAnAnswer, DONE]],
    ['the server was busy', [BUSY, BUSY, DONE]],
    ['there were too many', [answer(429, '{"error":"","code":"too_many"}', { 'retry-after': '0' }), DONE]],
    ['a proxy was busy', [answer(503, '<html>', { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }), DONE]],
  ])('because %s is sent again under one key', async (_, answers) => {
    const { base, seen } = await serve(answers)
    expect(await createClient({ baseUrl: base }).metrics.event('words', EVENT)).toEqual({ total: 5 })
    expect(seen).toHaveLength(answers.length)
    expect(new Set(seen.map(({ key }) => key)).size).toBe(1)
    expect(seen[0]?.key).toMatch(/^[0-9a-f]{32}$/)
    expect(seen.map(({ body }) => body)).toEqual(answers.map(() => '{"user":{"id":"ann"},"value":5}'))
  })

  test('in time is sent again', async () => {
    const { base, seen } = await serve([silence, DONE])
    const client = createClient({ baseUrl: base, timeoutMs: 1_000 })
    expect(await client.metrics.event('words', EVENT)).toEqual({ total: 5 })
    expect(seen).toHaveLength(2)
  })

  test('at all rejects after three tries, with the key to send it again under', async () => {
    const { base, seen } = await serve([hangUp])
    const refusal = createClient({ baseUrl: base }).metrics.event('words', { ...EVENT, idempotencyKey: 'mine' })
    await expect(refusal).rejects.toMatchObject({ status: null, code: 'no_answer', idempotencyKey: 'mine' })
    expect(seen.map(({ key }) => key)).toEqual(['mine', 'mine', 'mine'])
  })

  test('is sent once where it is not to be tried again, and without a key of its own', async () => {
    const { base, seen } = await serve([BUSY])
    const refusal = createClient({ baseUrl: base, retries: 0 }).metrics.event('words', EVENT)
    await expect(refusal).rejects.toMatchObject({ status: 503, code: 'unavailable', message: 'Try again.' })
    expect(seen.map(({ key }) => key)).toEqual([undefined])
  })

  test('is not sent again when the server says to wait for longer than ten seconds', async () => {
    const { base, seen } = await serve([
      answer(429, '{"error":"Later.","code":"too_many_requests"}', { 'retry-after': '11' }),
    ])
    const refusal = createClient({ baseUrl: base }).metrics.event('words', EVENT)
    await expect(refusal).rejects.toMatchObject({ status: 429, code: 'too_many_requests', message: 'Later.' })
    expect(seen).toHaveLength(1)
  })

  test('waits as long as the server says', async () => {
    const { base, seen } = await serve([answer(503, '{"error":"","code":"unavailable"}', { 'retry-after': '1' }), DONE])
    await createClient({ baseUrl: base }).metrics.event('words', EVENT)
    expect((seen[1]?.at ?? 0) - (seen[0]?.at ?? 0)).toBeGreaterThan(990)
  })

  test.each([
    ['refused', answer(422, '{"error":"No.","code":"invalid_request","issues":[]}'), 'invalid_request'],
    ['a fault', answer(500, '{"error":"Oh.","code":"internal"}'), 'internal'],
    ['answered by a proxy', answer(502, '<html>Bad gateway</html>'), 'unreadable_answer'],
    ['answered with no JSON', answer(201, 'ok'), 'unreadable_answer'],
  ])('as it should, but is %s, is not sent again', async (_, given, code) => {
    const { base, seen } = await serve([given])
    await expect(createClient({ baseUrl: base }).metrics.event('words', EVENT)).rejects.toMatchObject({ code })
    expect(seen).toHaveLength(1)
  })

  test('is given up when the caller says so, while it is under way and between two tries', async () => {
    const first = await serve([silence])
    const stop = new AbortController()
    const client = createClient({ baseUrl: first.base })
    const given = expect(client.metrics.event('words', EVENT, { signal: stop.signal })).rejects.toThrow('was left')
    await expect.poll(() => first.seen.length, { timeout: 20_000 }).toBe(1)
    stop.abort(new Error('The page was left.'))
    await given

    const second = await serve([answer(503, '', { 'retry-after': '10' })])
    const between = AbortSignal.timeout(2_000)
    const waiting = createClient({ baseUrl: second.base }).users.get('ann', { signal: between })
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(second.seen).toHaveLength(1)
    await expect(client.users.get('ann', { signal: stop.signal })).rejects.toThrow('The page was left.')
    expect(first.seen).toHaveLength(1)
  })
})
