import { expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { expectInvalid, expectProblem, onEachStorage, type Server, send, serve } from './serve.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  userAttributes: ['plan'],
  achievements: { tour: { name: 'Tour', trigger: 'api' } },
  points: {
    xp: {
      name: 'XP',
      triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 1 }],
      levels: { bronze: { name: 'Bronze', points: 10 } },
    },
  },
  streak: { frequency: 'daily', metrics: { words: {} }, customization: true },
  leaderboards: {
    top: { name: 'Top', rankBy: 'metric', metric: 'words', start: '2026-01-01' },
    secret: { name: 'Secret', rankBy: 'metric', metric: 'words', start: '2026-01-01', private: true },
  },
}

const RANGE = 'aggregation=daily&startDate=2026-03-09&endDate=2026-03-10'

/** With the users ann and bob, and an application key of ann's. */
const serveAnnsKey = async (): Promise<{ server: Server; key: string }> => {
  const server = await serve(game)
  await server.call('POST', '/v1/users', { body: { id: 'ann' } })
  await server.call('POST', '/v1/users', { body: { id: 'bob' } })
  return { server, key: await server.applicationKey('ann') }
}

const OWN: readonly (readonly [status: number, method: string, path: string, body: string | null])[] = [
  [200, 'GET', '/v1/users/ann', null],
  [200, 'PUT', '/v1/users/ann', '{"name":"Ann"}'],
  [200, 'PATCH', '/v1/users/ann', '{"name":"Ann"}'],
  [200, 'GET', '/v1/users/ann/preferences', null],
  [200, 'PATCH', '/v1/users/ann/preferences', '{"notifications":{"recap":["email"]}}'],
  [200, 'GET', '/v1/users/ann/metrics', null],
  [200, 'GET', '/v1/users/ann/metrics/words', null],
  [200, 'GET', `/v1/users/ann/metrics/words/event-summary?${RANGE}`, null],
  [200, 'GET', '/v1/users/ann/achievements', null],
  [200, 'GET', '/v1/users/ann/streak', null],
  [200, 'GET', '/v1/users/ann/points/xp', null],
  [201, 'POST', '/v1/users', '{"id":"ann","name":"Ann"}'],
  [201, 'POST', '/v1/metrics/words/event', '{"user":{"id":"ann"},"value":1}'],
  [201, 'POST', '/v1/achievements/tour/complete', '{"user":{"id":"ann"}}'],
  [200, 'GET', '/v1/streaks?userIds=ann', null],
  [200, 'GET', '/v1/achievements', null],
  [200, 'GET', '/v1/achievements?userAttributes=plan:pro', null],
  [200, 'GET', '/v1/points/xp', null],
  [200, 'GET', '/v1/points/xp/levels', null],
  [200, 'GET', '/v1/leaderboards', null],
  [200, 'GET', '/v1/leaderboards/top', null],
  [200, 'GET', '/v1/leaderboards/top?userId=ann', null],
  [200, 'GET', '/v1/users/ann/leaderboards/top', null],
]

/** `{id}` is bob, who is known, or zoe, who is not. */
const OTHERS: readonly (readonly [method: string, path: string, body: string | null])[] = [
  ['GET', '/v1/users/{id}', null],
  ['PUT', '/v1/users/{id}', '{"name":"Eve"}'],
  ['PATCH', '/v1/users/{id}', '{"name":"Eve"}'],
  ['GET', '/v1/users/{id}/preferences', null],
  ['PATCH', '/v1/users/{id}/preferences', '{"notifications":{"recap":["email"]}}'],
  ['GET', '/v1/users/{id}/metrics', null],
  ['GET', '/v1/users/{id}/metrics/words', null],
  ['GET', '/v1/users/{id}/metrics/swims', null],
  ['GET', `/v1/users/{id}/metrics/words/event-summary?${RANGE}`, null],
  ['GET', '/v1/users/{id}/achievements', null],
  ['GET', '/v1/users/{id}/streak', null],
  ['GET', '/v1/users/{id}/points/xp', null],
  ['GET', '/v1/users/{id}/points/gems', null],
  ['POST', '/v1/users', '{"id":"{id}","name":"Eve"}'],
  ['POST', '/v1/users', '{"id":"{id}","attributes":{"colour":"red"}}'],
  ['POST', '/v1/metrics/words/event', '{"user":{"id":"{id}","name":"Eve"},"value":1}'],
  ['POST', '/v1/metrics/swims/event', '{"user":{"id":"{id}"},"value":1}'],
  ['POST', '/v1/achievements/tour/complete', '{"user":{"id":"{id}","name":"Eve"}}'],
  ['POST', '/v1/achievements/nothing/complete', '{"user":{"id":"{id}"}}'],
  ['GET', '/v1/users/{id}/leaderboards/top', null],
  ['GET', '/v1/users/{id}/leaderboards/nothing', null],
  ['GET', '/v1/leaderboards/top?userId={id}', null],
  ['GET', '/v1/leaderboards/nothing?userId={id}', null],
  ['GET', '/v1/streaks?userIds={id}', null],
  ['GET', '/v1/streaks?userIds=ann&userIds={id}', null],
  ['GET', '/v1/streaks?userIds=ann,{id}', null],
]

onEachStorage('5.4 an application key', () => {
  test.each(OWN)('%i: %s %s for its own user', async (status, method, path, body) => {
    const { server, key } = await serveAnnsKey()
    const answer = await send(server, method, path, { key, body })
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body: expect.anything() })
    expect(answer.body).not.toHaveProperty('error')
  })

  test.each(OTHERS)('403: %s %s for another user, the same whether there is one or not', async (method, path, body) => {
    const { server, key } = await serveAnnsKey()
    const of = (id: string) =>
      send(server, method, path.replace('{id}', id), { key, body: body?.replace('{id}', id) ?? null })
    const known = await of('bob')
    const unknown = await of('zoe')
    expectProblem(known, 403)
    expect({ status: unknown.status, text: unknown.text }).toEqual({ status: 403, text: known.text })
    expect((await server.call('GET', '/v1/users/bob')).body.name).toBe(null)
    expect((await server.call('GET', '/v1/users/bob/metrics/words')).body.current).toBe(0)
    expect((await server.call('GET', '/v1/users/bob/achievements')).body).toEqual([])
    expect((await server.call('GET', '/v1/users/bob/preferences')).body).toEqual({ notifications: {} })
    expectProblem(await server.call('GET', '/v1/users/zoe'), 404, 'unknown_user')
  })

  test('403: every operation of the admin API', async () => {
    const { server, key } = await serveAnnsKey()
    const body = '[{"userId":"ann"}]'
    expectProblem(await send(server, 'POST', '/admin/v1/application-api-keys', { key, body }), 403)
    const ids = 'ids=01956c3a-0000-7000-8000-000000000000'
    expectProblem(await send(server, 'DELETE', `/admin/v1/application-api-keys?${ids}`, { key }), 403)
  })

  test('403: what counts all users', async () => {
    const { server, key } = await serveAnnsKey()
    expectProblem(await server.call('GET', '/v1/points/xp/summary', { key }), 403)
    expectProblem(await server.call('GET', '/v1/points/xp/level-summary', { key }), 403)
  })

  test('403: a private leaderboard, whatever is asked of it; it is left out of the list', async () => {
    const { server, key } = await serveAnnsKey()
    await server.call('POST', '/v1/metrics/words/event', { body: { user: { id: 'bob', name: 'Bob' }, value: 3 } })
    for (const query of ['', '?userId=ann', '?run=2020-01-01', '?userAttributes=plan:pro', '?includePrivate=true']) {
      expectProblem(await server.call('GET', `/v1/leaderboards/secret${query}`, { key }), 403)
      expectProblem(await server.call('GET', `/v1/users/ann/leaderboards/secret${query}`, { key }), 403)
    }
    const listed = await server.call('GET', '/v1/leaderboards?includePrivate=true', { key })
    expect(listed.body.map((leaderboard: { key: string }) => leaderboard.key)).toEqual(['top'])
    expect((await server.call('GET', '/v1/leaderboards')).body).toHaveLength(2)
    const unknown = await server.call('GET', '/v1/leaderboards/nothing', { key })
    expectProblem(unknown, 404, 'unknown_leaderboard')
    expect(unknown.text).not.toMatch('secret')
    const top = await server.call('GET', '/v1/leaderboards/top', { key })
    expect(top.body.rankings).toEqual([{ userId: 'bob', userName: 'Bob', rank: 1, value: 3 }])
  })

  test('ids are compared byte by byte: case, form and trailing characters make another user', async () => {
    const server = await serve(game)
    await server.call('POST', '/v1/users', { body: { id: 'jos\u00e9' } })
    const key = await server.applicationKey('jos\u00e9')
    expect((await server.call('GET', '/v1/users/jos%C3%A9', { key })).status).toBe(200)
    for (const path of [
      'jose%CC%81',
      'Jos%C3%A9',
      'jos%C3%A9%20',
      '%20jos%C3%A9',
      'jose',
      'jos%C3%A9%2F',
      'jos%C3%A9.',
    ]) {
      expectProblem(await send(server, 'GET', `/v1/users/${path}`, { key }), 403)
    }
  })

  test('a path that names the user in another encoding is the same user', async () => {
    const { server, key } = await serveAnnsKey()
    expect((await send(server, 'GET', '/v1/users/%61nn', { key })).status).toBe(200)
    expectProblem(await send(server, 'GET', '/v1/users/%2561nn', { key }), 403)
  })

  test('an id in the body does not help: the path decides', async () => {
    const { server, key } = await serveAnnsKey()
    expectProblem(await send(server, 'PATCH', '/v1/users/bob', { key, body: '{"id":"ann","name":"Eve"}' }), 403)
    const own = await send(server, 'PATCH', '/v1/users/ann', { key, body: '{"id":"bob","name":"Eve"}' })
    expect(own.status).toBe(200)
    expect(own.body.id).toBe('ann')
    expect((await server.call('GET', '/v1/users/bob')).body.name).toBe(null)
  })

  test('for its own user what is wrong is answered as to an admin key', async () => {
    const { server, key } = await serveAnnsKey()
    expectProblem(await server.call('GET', '/v1/users/ann/metrics/swims', { key }), 404, 'unknown_metric')
    expectProblem(await server.call('GET', '/v1/points/gems', { key }), 404, 'unknown_points_system')
    const run = await server.call('GET', '/v1/leaderboards/top?run=2025-12-31', { key })
    expectInvalid(run, 'run')
    expectInvalid(await server.call('POST', '/v1/metrics/words/event', { body: { user: { id: 'ann' } }, key }), 'value')
  })

  test('the schema (422) comes before ownership (403)', async () => {
    const { server, key } = await serveAnnsKey()
    const body = { user: { id: 'bob' }, value: 'many' }
    expectInvalid(await server.call('POST', '/v1/metrics/words/event', { body, key }), 'value')
    expectInvalid(await server.call('GET', `/v1/users/${'x'.repeat(256)}`, { key }))
    expectInvalid(await server.call('GET', '/v1/users/bob/metrics/words/event-summary?aggregation=daily', { key }))
    expectInvalid(await server.call('PATCH', '/v1/users/bob', { body: { name: 7 }, key }), 'name')
  })

  test('ownership (403) comes before a used idempotency key (202)', async () => {
    const { server, key } = await serveAnnsKey()
    const body = { user: { id: 'bob' }, value: 1 }
    const headers = { 'Idempotency-Key': 'k' }
    expect((await server.call('POST', '/v1/metrics/words/event', { body, headers })).status).toBe(201)
    expectProblem(await server.call('POST', '/v1/metrics/words/event', { body, headers, key }), 403)
  })

  test('two keys of one user both work, and each is deleted alone', async () => {
    const { server, key } = await serveAnnsKey()
    const { body } = await server.call('POST', '/admin/v1/application-api-keys', { body: [{ userId: 'ann' }] })
    const [second] = body.created
    expect((await server.call('GET', '/v1/users/ann', { key })).status).toBe(200)
    expect((await server.call('GET', '/v1/users/ann', { key: second.key })).status).toBe(200)
    await server.call('DELETE', `/admin/v1/application-api-keys?ids=${second.id}`)
    expect((await server.call('GET', '/v1/users/ann', { key })).status).toBe(200)
    expectProblem(await server.call('GET', '/v1/users/ann', { key: second.key }), 401)
  })
})
