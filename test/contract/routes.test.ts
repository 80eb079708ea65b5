import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openServer, type Server } from '../support/http.ts'
import { GAME, live } from './world.ts'

/*
 * Every route of the service's two documents, by hand. `served`: which test has its answers. A reason in its place: the
 * route is not there, and why.
 */

/** The tests that check the fields of the answer. */
const FIELDS = 'fields.test.ts'

/** Why a route is not served. */
const GAME_IS_CODE = 'game is code'
const ONE_GAME = 'one game for all tenants'

type Route = readonly [call: string, served: { readonly by: string } | { readonly not: string }]

const served = (call: string, by = FIELDS): Route => [call, { by }]
const not = (call: string, reason: string): Route => [call, { not: reason }]

const APPLICATION_API: readonly Route[] = [
  served('GET /v1/achievements'),
  served('POST /v1/achievements/{key}/complete'),
  served('POST /v1/metrics/{key}/event'),
  served('POST /v1/users'),
  served('GET /v1/users/{id}'),
  served('PUT /v1/users/{id}'),
  served('PATCH /v1/users/{id}'),
  served('GET /v1/users/{id}/preferences'),
  served('PATCH /v1/users/{id}/preferences'),
  served('GET /v1/users/{id}/metrics'),
  served('GET /v1/users/{id}/metrics/{key}'),
  served('GET /v1/users/{id}/metrics/{key}/event-summary'),
  served('GET /v1/users/{id}/achievements'),
  served('GET /v1/users/{id}/streak'),
  served('GET /v1/users/{id}/points/{key}'),
  served('GET /v1/users/{id}/points/{key}/boosts'),
  served('GET /v1/users/{id}/points/{key}/event-summary'),
  served('GET /v1/users/{id}/leaderboards/{key}'),
  served('GET /v1/users/{id}/wrapped'),
  served('GET /v1/streaks'),
  served('GET /v1/points/{key}'),
  served('GET /v1/points/{key}/summary'),
  served('GET /v1/points/{key}/levels'),
  served('GET /v1/points/{key}/level-summary'),
  served('GET /v1/points/{key}/boosts'),
  served('GET /v1/leaderboards'),
  served('GET /v1/leaderboards/{key}'),
]

const ADMIN_API: readonly Route[] = [
  served('POST /admin/v1/application-api-keys'),
  served('DELETE /admin/v1/application-api-keys'),
  served('POST /admin/v1/streaks/freezes'),
  served('POST /admin/v1/streaks/restore'),
  served('POST /admin/v1/streaks/reset'),
  served('POST /admin/v1/streaks/pauses'),
  served('DELETE /admin/v1/streaks/pauses'),
  served('POST /admin/v1/metrics/events', 'batch.test.ts'),
  served('GET /admin/v1/tenants', 'with the users that each has: there is no register of them'),
  not('POST /admin/v1/tenants', ONE_GAME),
  not('PATCH /admin/v1/tenants', ONE_GAME),
  not('DELETE /admin/v1/tenants', ONE_GAME),
  not('GET /admin/v1/tenants/{id}', ONE_GAME),
  served('GET /admin/v1/attributes'),
  not('POST /admin/v1/attributes', GAME_IS_CODE),
  not('PATCH /admin/v1/attributes', GAME_IS_CODE),
  not('DELETE /admin/v1/attributes', GAME_IS_CODE),
  served('GET /admin/v1/attributes/{attribute}', 'one by one, below'),
  served('GET /admin/v1/achievements'),
  not('POST /admin/v1/achievements', GAME_IS_CODE),
  not('PATCH /admin/v1/achievements', GAME_IS_CODE),
  not('DELETE /admin/v1/achievements', GAME_IS_CODE),
  served('GET /admin/v1/achievements/{achievement}', 'one by one, below'),
  served('GET /admin/v1/streaks/settings'),
  not('PATCH /admin/v1/streaks/settings', GAME_IS_CODE),
  served('GET /admin/v1/settings'),
  not('PATCH /admin/v1/settings', GAME_IS_CODE),
  served('GET /admin/v1/environments'),
  served('GET /admin/v1/metrics'),
  not('POST /admin/v1/metrics', GAME_IS_CODE),
  not('PATCH /admin/v1/metrics', GAME_IS_CODE),
  not('DELETE /admin/v1/metrics', GAME_IS_CODE),
  served('GET /admin/v1/metrics/{metric}', 'one by one, below'),
  served('GET /admin/v1/points'),
  not('POST /admin/v1/points', GAME_IS_CODE),
  not('PATCH /admin/v1/points', GAME_IS_CODE),
  not('DELETE /admin/v1/points', GAME_IS_CODE),
  served('GET /admin/v1/points/{system}', 'one by one, below'),
  served('GET /admin/v1/points/{system}/levels'),
  not('POST /admin/v1/points/{system}/levels', GAME_IS_CODE),
  not('PATCH /admin/v1/points/{system}/levels', GAME_IS_CODE),
  not('DELETE /admin/v1/points/{system}/levels', GAME_IS_CODE),
  served('GET /admin/v1/points/{system}/levels/{level}', 'one by one, below'),
  served('GET /admin/v1/points/{system}/triggers'),
  not('POST /admin/v1/points/{system}/triggers', GAME_IS_CODE),
  not('PATCH /admin/v1/points/{system}/triggers', GAME_IS_CODE),
  not('DELETE /admin/v1/points/{system}/triggers', GAME_IS_CODE),
  served('GET /admin/v1/points/{system}/triggers/{trigger}', 'one by one, below'),
  served('GET /admin/v1/points/{system}/boosts'),
  served('POST /admin/v1/points/{system}/boosts'),
  served('PATCH /admin/v1/points/{system}/boosts'),
  served('DELETE /admin/v1/points/{system}/boosts'),
  served('GET /admin/v1/points/{system}/boosts/{boost}'),
  served('GET /admin/v1/leaderboards'),
  not('POST /admin/v1/leaderboards', GAME_IS_CODE),
  not('PATCH /admin/v1/leaderboards', GAME_IS_CODE),
  not('DELETE /admin/v1/leaderboards', GAME_IS_CODE),
  served('GET /admin/v1/leaderboards/{leaderboard}', 'one by one, below'),
]

/** From the client 1.0.42; the newer document no longer has this route. */
const WITHDRAWN: readonly Route[] = [served('GET /v1/streaks/rankings')]

const BODIES: { readonly [call: string]: unknown } = {
  'POST /v1/achievements/{key}/complete': { user: { id: 'ann' } },
  'POST /v1/metrics/{key}/event': { user: { id: 'ann' }, value: 1 },
  'POST /v1/users': { id: 'ann' },
  'PUT /v1/users/{id}': {},
  'PATCH /v1/users/{id}': {},
  'PATCH /v1/users/{id}/preferences': {},
  'POST /admin/v1/application-api-keys': [{ userId: 'ann' }],
  'POST /admin/v1/streaks/freezes': { freezes: [{ userId: 'ann' }] },
  'POST /admin/v1/streaks/reset': { users: [{ id: 'ann' }] },
  'POST /admin/v1/streaks/restore': { users: [{ id: 'ann' }] },
  'POST /admin/v1/streaks/pauses': { pauses: [{ userId: 'ann', start: '2026-05-01', end: '2026-05-02' }] },
  'POST /admin/v1/points/{system}/boosts': [{ name: 'Double', start: '2026-03-10', multiplier: 2 }],
  'PATCH /admin/v1/points/{system}/boosts': [{ id: '01956c3a-0000-7000-8000-000000000000', multiplier: 3 }],
  'POST /admin/v1/metrics/events': [{ key: 'words', user: { id: 'ann' }, value: 1 }],
}

const RANGE = '?aggregation=daily&startDate=2026-03-01&endDate=2026-03-10'
const QUERIES: { readonly [call: string]: string } = {
  'GET /v1/users/{id}/metrics/{key}/event-summary': RANGE,
  'GET /v1/users/{id}/points/{key}/event-summary': RANGE,
  'GET /v1/streaks': '?userIds=ann',
  'DELETE /admin/v1/application-api-keys': '?ids=01956c3a-0000-7000-8000-000000000000',
  'DELETE /admin/v1/points/{system}/boosts': '?ids=01956c3a-0000-7000-8000-000000000000',
  'DELETE /admin/v1/streaks/pauses': '?ids=01956c3a-0000-7000-8000-000000000000',
}

const NO_ID = '01956c3a-0000-5000-8000-000000000000'

/** The path with names that are there. */
function fill(call: string, ids: { readonly [name: string]: string }): string {
  const keys: { readonly [start: string]: string } = {
    '/v1/achievements': 'tour',
    '/v1/metrics': 'words',
    '/v1/points': 'xp',
    '/v1/leaderboards': 'words',
  }
  const [, path = ''] = call.split(' ')
  const key = path.includes('/metrics/')
    ? 'words'
    : path.includes('/points/')
      ? 'xp'
      : (Object.entries(keys).find(([start]) => path.startsWith(start))?.[1] ?? 'words')
  return path
    .replace('{key}', key)
    .replace(/(?<=users\/)\{id\}/, 'ann')
    .replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? NO_ID)
}

describe('the routes of the service', () => {
  let server: Server
  let ids: { readonly [name: string]: string } = {}
  beforeAll(async () => {
    server = await openServer({ definition: GAME })
    await live(server)
    const firstId = async (path: string) => (await server.call('GET', path)).body?.[0]?.id ?? NO_ID
    const { body } = await server.call('GET', '/v1/points/xp')
    const achievement = await server.call('GET', '/v1/users/ann/metrics/words')
    ids = {
      attribute: await firstId('/admin/v1/attributes'),
      metric: achievement.body.id,
      achievement: await firstId('/v1/achievements'),
      system: body.id,
      level: await firstId('/v1/points/xp/levels'),
      trigger: body.triggers[0].id,
      leaderboard: await firstId('/v1/leaderboards'),
      boost: await firstId('/v1/points/xp/boosts'),
    }
  })
  afterAll(() => server.close())

  const ask = async (call: string) => {
    const [method = ''] = call.split(' ')
    const body = BODIES[call]
    const isWithBody = body !== undefined || !['GET', 'DELETE'].includes(method)
    return server.call(method, fill(call, ids) + (QUERIES[call] ?? ''), isWithBody ? { body: body ?? [] } : {})
  }

  const ALL = [...APPLICATION_API, ...ADMIN_API, ...WITHDRAWN]

  test('are 27 of the application API, all served, and 58 of the admin API', () => {
    const names = ALL.map(([call]) => call)
    expect(new Set(names).size).toBe(names.length)
    expect([APPLICATION_API.length, ADMIN_API.length]).toEqual([27, 58])
    expect(APPLICATION_API.filter(([, how]) => 'not' in how)).toEqual([])
    expect(ADMIN_API.filter(([, how]) => 'not' in how)).toHaveLength(27)
  })

  test('are not served only where they would change the game or keep tenants', () => {
    const reasons = ALL.flatMap(([, how]) => ('not' in how ? [how.not] : []))
    expect(new Set(reasons)).toEqual(new Set([GAME_IS_CODE, ONE_GAME]))
  })

  test.each(ALL.flatMap(([call, how]) => ('by' in how ? [[call, how.by]] : [])))(
    '%s is served (%s)',
    async (call = '') => {
      const answer = await ask(call)
      expect({ call, status: answer.status, code: answer.body?.code }).toEqual({
        call,
        status: expect.toSatisfy((status: number) => status >= 200 && status < 300),
        code: undefined,
      })
    },
  )

  test.each(ALL.flatMap(([call, how]) => ('not' in how ? [[call, how.not]] : [])))(
    '%s is not served: %s',
    async (call = '') => {
      const { status, body } = await ask(call)
      expect([
        { status: 404, code: 'unknown_path' },
        { status: 405, code: 'method_not_allowed' },
      ]).toContainEqual({ status, code: body.code })
    },
  )

  test.each([
    ['attribute', '/admin/v1/attributes', { id: '', key: 'source', name: expect.any(String), type: 'event' }],
    ['achievement', '/admin/v1/achievements', { id: '', key: 'hundred', name: 'A hundred', trigger: 'metric' }],
    ['metric', '/admin/v1/metrics', { id: '', key: 'words', name: 'Words written', unitType: 'number' }],
    ['system', '/admin/v1/points', { id: '', key: 'xp', name: 'XP', description: 'Experience', status: 'active' }],
    ['level', '/admin/v1/points/xp/levels', { id: '', key: 'bronze', points: 10, description: '', badge: null }],
    ['trigger', '/admin/v1/points/xp/triggers', { id: '', type: 'user_creation', points: 1, status: 'active' }],
    ['leaderboard', '/admin/v1/leaderboards', { id: '', key: 'words', name: 'Words', rankBy: 'metric' }],
  ])('one %s is read by its id, and an unknown id is 404', async (name, path, expected) => {
    const list = await server.call('GET', `${path}?limit=100`)
    const found = list.body.find(({ key, type }: { key?: string; type?: string }) =>
      'key' in expected ? key === expected.key : type === expected.type,
    )
    expect(found).toMatchObject({ ...expected, id: name === 'attribute' ? expect.any(String) : ids[name] })
    const one = await server.call('GET', `${path}/${found.id}`)
    expect({ status: one.status, body: one.body }).toEqual({ status: 200, body: found })
    const none = await server.call('GET', `${path}/${NO_ID}`)
    expect({ status: none.status, isPath: none.body.code === 'unknown_path' }).toEqual({ status: 404, isPath: false })
  })
})
