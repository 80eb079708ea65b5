import { expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { expectProblem, expectStatus, onEachStorage, type Server, send, serve } from './serve.ts'

const shared: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  achievements: { tour: { name: 'Tour', trigger: 'api' } },
  points: {
    xp: {
      name: 'XP',
      triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 1 }],
      levels: { bronze: { name: 'Bronze', points: 1 } },
    },
  },
  streak: { frequency: 'daily', metrics: { words: {} } },
  leaderboards: { top: { name: 'Top', rankBy: 'metric', metric: 'words', start: '2026-01-01' } },
}
const game: GameDefinition = { ...shared, multiTenant: true }

const RANGE = 'aggregation=daily&startDate=2026-03-09&endDate=2026-03-10'

const as = (server: Server, tenant: string, method: string, path: string, body?: unknown) =>
  server.call(method, path, { headers: { 'Tenant-ID': tenant }, ...(body === undefined ? {} : { body }) })

const OPERATIONS: readonly (readonly [method: string, path: string, body: string | null])[] = [
  ['GET', '/v1/achievements', null],
  ['POST', '/v1/achievements/tour/complete', '{"user":{"id":"ann"}}'],
  ['POST', '/v1/metrics/words/event', '{"user":{"id":"ann"},"value":1}'],
  ['POST', '/v1/users', '{"id":"ann"}'],
  ['GET', '/v1/users/ann', null],
  ['PUT', '/v1/users/ann', '{}'],
  ['PATCH', '/v1/users/ann', '{}'],
  ['GET', '/v1/users/ann/preferences', null],
  ['PATCH', '/v1/users/ann/preferences', '{}'],
  ['GET', '/v1/users/ann/metrics', null],
  ['GET', '/v1/users/ann/metrics/words', null],
  ['GET', `/v1/users/ann/metrics/words/event-summary?${RANGE}`, null],
  ['GET', '/v1/users/ann/achievements', null],
  ['GET', '/v1/users/ann/streak', null],
  ['GET', '/v1/users/ann/points/xp', null],
  ['GET', '/v1/streaks?userIds=ann', null],
  ['GET', '/v1/points/xp', null],
  ['GET', '/v1/points/xp/levels', null],
  ['GET', '/v1/points/xp/level-summary', null],
  ['GET', '/v1/points/xp/summary', null],
  ['GET', '/v1/leaderboards', null],
  ['GET', '/v1/leaderboards/top', null],
  ['GET', '/v1/users/ann/leaderboards/top', null],
  ['POST', '/admin/v1/application-api-keys', '[{"userId":"ann"}]'],
  ['DELETE', '/admin/v1/application-api-keys?ids=01956c3a-0000-7000-8000-000000000000', null],
]

onEachStorage('section 9: Tenant-ID in a game with multiTenant', () => {
  test.each(OPERATIONS)('422 without it: %s %s', async (method, path, body) => {
    const server = await serve(game)
    expectProblem(await send(server, method, path, { body }), 422, 'tenant_required')
  })

  test.each(OPERATIONS)('is read by %s %s', async (method, path, body) => {
    const server = await serve(game)
    await as(server, 'acme', 'POST', '/v1/users', { id: 'ann' })
    const headers = { 'Tenant-ID': 'acme' }
    const answer = await send(server, method, path, { headers, body })
    expect([200, 201]).toContain(answer.status)
  })

  test('an empty one is 422', async () => {
    const server = await serve(game)
    const { status } = await send(server, 'GET', '/v1/achievements', { headers: { 'Tenant-ID': '' } })
    expect(status).toBe(422)
  })

  test('two of them are 400', async () => {
    const server = await serve(game)
    const answer = await send(server, 'GET', '/v1/achievements', { headers: { 'Tenant-ID': ['acme', 'umbrella'] } })
    expectProblem(answer, 400)
  })

  test('keeps users apart', async () => {
    const server = await serve(game)
    expectStatus(await as(server, 'acme', 'POST', '/v1/users', { id: 'ann', name: 'Ann of Acme' }), 201)
    expectProblem(await as(server, 'umbrella', 'GET', '/v1/users/ann'), 404, 'unknown_user')
    expectProblem(await as(server, 'Acme', 'GET', '/v1/users/ann'), 404, 'unknown_user')
    await as(server, 'umbrella', 'POST', '/v1/users', { id: 'ann', name: 'Ann of Umbrella' })
    expect((await as(server, 'acme', 'GET', '/v1/users/ann')).body.name).toBe('Ann of Acme')
    expect((await as(server, 'umbrella', 'GET', '/v1/users/ann')).body.name).toBe('Ann of Umbrella')
  })

  test('keeps events, points, streaks, completions and counts apart', async () => {
    const server = await serve(game)
    await as(server, 'acme', 'POST', '/v1/metrics/words/event', { user: { id: 'ann' }, value: 5 })
    await as(server, 'acme', 'POST', '/v1/achievements/tour/complete', { user: { id: 'ann' } })
    await as(server, 'umbrella', 'POST', '/v1/users', { id: 'ann' })

    expect((await as(server, 'acme', 'GET', '/v1/users/ann/metrics/words')).body.current).toBe(5)
    expect((await as(server, 'umbrella', 'GET', '/v1/users/ann/metrics/words')).body.current).toBe(0)
    expect((await as(server, 'umbrella', 'GET', '/v1/users/ann/points/xp')).body.total).toBe(0)
    expect((await as(server, 'umbrella', 'GET', '/v1/users/ann/achievements')).body).toEqual([])
    expect((await as(server, 'acme', 'GET', '/v1/streaks?userIds=ann')).body[0].streakLength).toBe(1)
    expect((await as(server, 'umbrella', 'GET', '/v1/streaks?userIds=ann')).body[0].streakLength).toBe(0)
    expect((await as(server, 'acme', 'GET', '/v1/achievements')).body).toMatchObject([{ completions: 1, rarity: 100 }])
    expect((await as(server, 'umbrella', 'GET', '/v1/achievements')).body).toMatchObject([
      { completions: 0, rarity: 0 },
    ])
    expect((await as(server, 'acme', 'GET', '/v1/points/xp/level-summary')).body).toMatchObject([{ users: 1 }])
    expect((await as(server, 'umbrella', 'GET', '/v1/points/xp/level-summary')).body).toMatchObject([{ users: 0 }])
    expect((await as(server, 'acme', 'GET', '/v1/points/xp/summary')).body).toMatchObject([
      ...[0, 0, 0, 0, 0].map((users) => ({ users })),
      { from: 5, to: 5, users: 1 },
      ...[0, 0, 0, 0, 0].map((users) => ({ users })),
    ])
    const rankings = async (tenant: string) =>
      (await as(server, tenant, 'GET', '/v1/leaderboards/top?userId=ann')).body.rankings
    expect(await rankings('acme')).toEqual([{ userId: 'ann', userName: null, rank: 1, value: 5 }])
    expect(await rankings('umbrella')).toEqual([])
    const own = await as(server, 'umbrella', 'GET', '/v1/users/ann/leaderboards/top')
    expect(own.body).toMatchObject({ rank: null, value: null, history: [] })
    expect((await as(server, 'umbrella', 'GET', '/v1/points/xp/summary')).body).toMatchObject([
      { from: 0, to: 0, users: 1 },
      ...[0, 0, 0, 0, 0, 0, 0, 0, 0, 0].map((users) => ({ users })),
    ])
  })

  test('keeps idempotency keys apart', async () => {
    const server = await serve(game)
    const event = (tenant: string) =>
      server.call('POST', '/v1/metrics/words/event', {
        body: { user: { id: 'ann' }, value: 5 },
        headers: { 'Tenant-ID': tenant, 'Idempotency-Key': 'k' },
      })
    const first = await event('acme')
    const second = await event('umbrella')
    expect([first.status, second.status, (await event('acme')).status]).toEqual([201, 201, 202])
    expect(second.body.eventId).not.toBe(first.body.eventId)
  })

  test('keeps application keys apart: of another tenant they are 401, with the bytes of every 401', async () => {
    const server = await serve(game)
    await as(server, 'acme', 'POST', '/v1/users', { id: 'ann' })
    await as(server, 'umbrella', 'POST', '/v1/users', { id: 'ann' })
    const key = await server.applicationKey('ann', 'acme')
    const read = (tenant: string, of: string | null) =>
      server.call('GET', '/v1/users/ann', { key: of, headers: { 'Tenant-ID': tenant } })
    expect((await read('acme', key)).status).toBe(200)
    const elsewhere = await read('umbrella', key)
    expectProblem(elsewhere, 401)
    expect(elsewhere.text).toBe((await read('umbrella', null)).text)
  })

  test('an application key of one tenant is not created for a user of another, nor deleted from there', async () => {
    const server = await serve(game)
    await as(server, 'acme', 'POST', '/v1/users', { id: 'ann' })
    const created = await as(server, 'umbrella', 'POST', '/admin/v1/application-api-keys', [{ userId: 'ann' }])
    expect(created).toMatchObject({ status: 200, body: { created: [], issues: [{ index: 0, userId: 'ann' }] } })

    const made = await as(server, 'acme', 'POST', '/admin/v1/application-api-keys', [{ userId: 'ann' }])
    const [{ id, key }] = made.body.created
    const deleted = await as(server, 'umbrella', 'DELETE', `/admin/v1/application-api-keys?ids=${id}`)
    expect(deleted).toMatchObject({ status: 200, body: { deleted: [], issues: [{ id }] } })
    const headers = { 'Tenant-ID': 'acme' }
    expect((await server.call('GET', '/v1/users/ann', { key, headers })).status).toBe(200)
  })

  test('admin keys belong to the account: one works in every tenant', async () => {
    const server = await serve(game)
    const { key } = await server.engine.adminKeys.create()
    for (const tenant of ['acme', 'umbrella']) {
      const headers = { 'Tenant-ID': tenant }
      expect((await server.call('GET', '/v1/achievements', { key, headers })).status).toBe(200)
    }
  })

  test('an application key without Tenant-ID is 422', async () => {
    const server = await serve(game)
    await as(server, 'acme', 'POST', '/v1/users', { id: 'ann' })
    const key = await server.applicationKey('ann', 'acme')
    expectProblem(await server.call('GET', '/v1/users/ann', { key }), 422, 'tenant_required')
  })

  test('__proto__ and the like are ordinary tenants', async () => {
    const server = await serve(game)
    for (const tenant of ['__proto__', 'constructor', 'a/b', 'a:b', 'a.b', '%2F', '0']) {
      const answer = await as(server, tenant, 'POST', '/v1/metrics/words/event', { user: { id: 'ann' }, value: 1 })
      expect({ tenant, status: answer.status, total: answer.body.total }).toEqual({ tenant, status: 201, total: 1 })
    }
  })
})

onEachStorage('section 9: Tenant-ID in another game', () => {
  test('is ignored, whatever it is', async () => {
    const server = await serve(shared)
    await as(server, 'acme', 'POST', '/v1/metrics/words/event', { user: { id: 'ann' }, value: 5 })
    expect((await as(server, 'umbrella', 'GET', '/v1/users/ann/metrics/words')).body.current).toBe(5)
    expect((await server.call('GET', '/v1/users/ann/metrics/words')).body.current).toBe(5)
    const key = await server.applicationKey('ann')
    const headers = { 'Tenant-ID': 'elsewhere' }
    expect((await server.call('GET', '/v1/users/ann', { key, headers })).status).toBe(200)
    expect((await send(server, 'GET', '/v1/users/ann', { headers: { 'Tenant-ID': '' } })).status).toBe(200)
  })
})
