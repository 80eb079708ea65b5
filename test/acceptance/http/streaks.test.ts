import { expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { expectInvalid, expectProblem, expectStatus, onEachStorage, type Server, serve } from './serve.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  streak: { frequency: 'daily', metrics: { words: {} } },
}

const addAt = (server: Server, instant: string, id: string) => {
  server.engine.at(instant)
  return server.call('POST', '/v1/metrics/words/event', { body: { user: { id }, value: 1 } })
}

onEachStorage('GET /users/{id}/streak', () => {
  test('answers 200 with every field, seven periods of history among them', async () => {
    const server = await serve(game)
    await addAt(server, '2026-03-09T12:00:00.000Z', 'ann')
    await addAt(server, '2026-03-10T12:00:00.000Z', 'ann')
    const answer = await server.call('GET', '/v1/users/ann/streak')
    expectStatus(answer, 200)
    expect(answer.body).toEqual({
      length: 2,
      frequency: 'daily',
      started: '2026-03-09',
      periodStart: '2026-03-10',
      periodEnd: '2026-03-10',
      expires: '2026-03-11',
      extended: '2026-03-10T12:00:00.000Z',
      rank: null,
      pauses: [],
      streakHistory: [
        { periodStart: '2026-03-04', periodEnd: '2026-03-04', length: 0, usedPause: false },
        { periodStart: '2026-03-05', periodEnd: '2026-03-05', length: 0, usedPause: false },
        { periodStart: '2026-03-06', periodEnd: '2026-03-06', length: 0, usedPause: false },
        { periodStart: '2026-03-07', periodEnd: '2026-03-07', length: 0, usedPause: false },
        { periodStart: '2026-03-08', periodEnd: '2026-03-08', length: 0, usedPause: false },
        { periodStart: '2026-03-09', periodEnd: '2026-03-09', length: 1, usedPause: false },
        { periodStart: '2026-03-10', periodEnd: '2026-03-10', length: 2, usedPause: false },
      ],
    })
  })

  test('has the rank on the leaderboard of streaks', async () => {
    const leaderboards: GameDefinition['leaderboards'] = { top: { name: 'Top', rankBy: 'streak', start: '2026-03-01' } }
    const server = await serve({ ...game, leaderboards })
    await addAt(server, '2026-03-09T12:00:00.000Z', 'ann')
    await addAt(server, '2026-03-10T12:00:00.000Z', 'ann')
    await addAt(server, '2026-03-10T12:00:00.000Z', 'bob')
    expect((await server.call('GET', '/v1/users/ann/streak')).body.rank).toBe(1)
    expect((await server.call('GET', '/v1/users/bob/streak')).body.rank).toBe(2)
  })

  test('is 0 with null dates for a user without a streak, and once it has expired', async () => {
    const server = await serve(game)
    await addAt(server, '2026-03-10T12:00:00.000Z', 'ann')
    server.engine.at('2026-03-12T00:00:00.000Z')
    const { status, body } = await server.call('GET', '/v1/users/ann/streak')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      length: 0,
      frequency: 'daily',
      started: null,
      periodStart: null,
      periodEnd: null,
      expires: null,
      extended: null,
      pauses: [],
    })
  })

  test('?historyPeriods= has that many periods up to the current one, oldest first', async () => {
    const server = await serve(game)
    await addAt(server, '2026-03-07T12:00:00.000Z', 'ann')
    await addAt(server, '2026-03-09T12:00:00.000Z', 'ann')
    await addAt(server, '2026-03-10T12:00:00.000Z', 'ann')
    const { status, body } = await server.call('GET', '/v1/users/ann/streak?historyPeriods=5')
    expect(status).toBe(200)
    expect(body.streakHistory).toEqual([
      { periodStart: '2026-03-06', periodEnd: '2026-03-06', length: 0, usedPause: false },
      { periodStart: '2026-03-07', periodEnd: '2026-03-07', length: 1, usedPause: false },
      { periodStart: '2026-03-08', periodEnd: '2026-03-08', length: 0, usedPause: false },
      { periodStart: '2026-03-09', periodEnd: '2026-03-09', length: 1, usedPause: false },
      { periodStart: '2026-03-10', periodEnd: '2026-03-10', length: 2, usedPause: false },
    ])
    const none = await server.call('GET', '/v1/users/ann/streak?historyPeriods=0')
    expect(none.body.streakHistory).toEqual([])
  })

  test.each(['x', '-1', '401', '1.5', '1e400'])('422: ?historyPeriods=%s', async (periods) => {
    const server = await serve(game)
    await addAt(server, '2026-03-10T12:00:00.000Z', 'ann')
    expectInvalid(await server.call('GET', `/v1/users/ann/streak?historyPeriods=${periods}`), 'historyPeriods')
  })

  test('404: an unknown user', async () => {
    const server = await serve(game)
    expectProblem(await server.call('GET', '/v1/users/ann/streak'), 404, 'unknown_user')
  })
})

onEachStorage('GET /streaks?userIds=', () => {
  const serveThree = async (): Promise<Server> => {
    const server = await serve(game)
    await addAt(server, '2026-03-08T09:00:00.000Z', 'bob')
    await addAt(server, '2026-03-09T10:00:00.000Z', 'bob')
    await addAt(server, '2026-03-09T11:00:00.000Z', 'cid')
    await addAt(server, '2026-03-10T09:00:00.000Z', 'ann')
    await addAt(server, '2026-03-10T10:00:00.250Z', 'bob')
    await addAt(server, '2026-03-10T11:00:00.000Z', 'cid')
    return server
  }

  test('answers 200 with userId, streakLength and the instant it was extended, longest first', async () => {
    const server = await serveThree()
    const answer = await server.call('GET', '/v1/streaks?userIds=ann&userIds=bob&userIds=cid')
    expectStatus(answer, 200)
    expect(answer.body).toEqual([
      { userId: 'bob', streakLength: 3, extended: '2026-03-10T10:00:00.250Z' },
      { userId: 'cid', streakLength: 2, extended: '2026-03-10T11:00:00.000Z' },
      { userId: 'ann', streakLength: 1, extended: '2026-03-10T09:00:00.000Z' },
    ])
  })

  test('of one user', async () => {
    const server = await serveThree()
    const { status, body } = await server.call('GET', '/v1/streaks?userIds=cid')
    expect({ status, body }).toEqual({
      status: 200,
      body: [{ userId: 'cid', streakLength: 2, extended: '2026-03-10T11:00:00.000Z' }],
    })
  })

  test('leaves unknown users out', async () => {
    const server = await serveThree()
    const { status, body } = await server.call('GET', '/v1/streaks?userIds=zoe&userIds=ann&userIds=__proto__')
    expect({ status, body }).toEqual({
      status: 200,
      body: [{ userId: 'ann', streakLength: 1, extended: '2026-03-10T09:00:00.000Z' }],
    })
    expect((await server.call('GET', '/v1/streaks?userIds=zoe')).body).toEqual([])
  })

  test('has a known user without a streak, with 0 and null', async () => {
    const server = await serveThree()
    await server.call('POST', '/v1/users', { body: { id: 'dan' } })
    const { body } = await server.call('GET', '/v1/streaks?userIds=dan&userIds=ann')
    expect(body).toEqual([
      { userId: 'ann', streakLength: 1, extended: '2026-03-10T09:00:00.000Z' },
      { userId: 'dan', streakLength: 0, extended: null },
    ])
  })

  test('an expired streak is 0 and null', async () => {
    const server = await serveThree()
    server.engine.at('2026-03-12T00:00:00.000Z')
    expect((await server.call('GET', '/v1/streaks?userIds=bob')).body).toEqual([
      { userId: 'bob', streakLength: 0, extended: null },
    ])
  })

  test('ids are percent-decoded', async () => {
    const server = await serve(game)
    await addAt(server, '2026-03-10T09:00:00.000Z', 'team/\u{1f989}&co')
    expect((await server.call('GET', '/v1/streaks?userIds=team%2F%F0%9F%A6%89%26co')).body).toMatchObject([
      { userId: 'team/\u{1f989}&co', streakLength: 1 },
    ])
  })

  test('an encoded comma is a character of an id as others', async () => {
    const server = await serve(game)
    await addAt(server, '2026-03-10T09:00:00.000Z', 'ann,bob')
    expect((await server.call('GET', '/v1/streaks?userIds=ann%2Cbob')).body).toEqual([
      { userId: 'ann,bob', streakLength: 1, extended: '2026-03-10T09:00:00.000Z' },
    ])
  })

  test('100 ids are accepted, 101 are 422', async () => {
    const server = await serveThree()
    const others = Array.from({ length: 99 }, (_, index) => `&userIds=u${index}`).join('')
    const { status, body } = await server.call('GET', `/v1/streaks?userIds=ann${others}`)
    expect({ status, body }).toEqual({
      status: 200,
      body: [{ userId: 'ann', streakLength: 1, extended: '2026-03-10T09:00:00.000Z' }],
    })
    expectInvalid(await server.call('GET', `/v1/streaks?userIds=ann${others}&userIds=u100`))
  })

  test('userIds[] and userIds[0] are userIds', async () => {
    const server = await serveThree()
    const expected = [
      { userId: 'bob', streakLength: 3, extended: '2026-03-10T10:00:00.250Z' },
      { userId: 'ann', streakLength: 1, extended: '2026-03-10T09:00:00.000Z' },
    ]
    for (const query of [
      'userIds[]=ann&userIds[]=bob',
      'userIds[0]=ann&userIds[1]=bob',
      'userIds%5B0%5D=bob&userIds%5B1%5D=ann',
      'userIds=ann&userIds[]=bob',
    ]) {
      const { status, body } = await server.call('GET', `/v1/streaks?${query}`)
      expect({ query, status, body }).toEqual({ query, status: 200, body: expected })
    }
  })

  test('without userIds it is [], with an empty one 422', async () => {
    const server = await serveThree()
    const { status, body } = await server.call('GET', '/v1/streaks')
    expect({ status, body }).toEqual({ status: 200, body: [] })
    for (const query of ['userIds=', 'userIds', 'userIds[]=', 'userIds=ann&userIds=']) {
      expectInvalid(await server.call('GET', `/v1/streaks?${query}`))
    }
  })

  test('422: an id of 256 characters', async () => {
    const server = await serve(game)
    expectInvalid(await server.call('GET', `/v1/streaks?userIds=${'x'.repeat(256)}`))
  })
})
