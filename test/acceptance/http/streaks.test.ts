import { describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { expectInvalid, type Server, serve } from './serve.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  streak: { frequency: 'daily', metrics: { words: {} } },
}

const addAt = (server: Server, instant: string, id: string) => {
  server.engine.at(instant)
  return server.call('POST', '/v1/metrics/words/event', { body: { user: { id }, value: 1 } })
}

describe('GET /users/{id}/streak', () => {
  test('?historyPeriods= has that many periods up to the current one, oldest first', async () => {
    const server = await serve(game)
    await addAt(server, '2026-03-07T12:00:00.000Z', 'ann')
    await addAt(server, '2026-03-09T12:00:00.000Z', 'ann')
    await addAt(server, '2026-03-10T12:00:00.000Z', 'ann')
    const { status, body } = await server.call('GET', '/v1/users/ann/streak?historyPeriods=5')
    expect(status).toBe(200)
    expect(body.streakHistory.map(({ length }: { length: number }) => length)).toEqual([0, 1, 0, 1, 2])
    const none = await server.call('GET', '/v1/users/ann/streak?historyPeriods=0')
    expect(none.body.streakHistory).toEqual([])
  })

  test.each(['x', '-1', '401', '1.5', '1e400'])('422: ?historyPeriods=%s', async (periods) => {
    const server = await serve(game)
    await addAt(server, '2026-03-10T12:00:00.000Z', 'ann')
    expectInvalid(await server.call('GET', `/v1/users/ann/streak?historyPeriods=${periods}`), 'historyPeriods')
  })
})

describe('GET /streaks?userIds=', () => {
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

  test('without userIds it is [], with an empty one 422', async () => {
    const server = await serveThree()
    const { status, body } = await server.call('GET', '/v1/streaks')
    expect({ status, body }).toEqual({ status: 200, body: [] })
    for (const query of ['userIds=', 'userIds', 'userIds[]=', 'userIds=ann&userIds=']) {
      expectInvalid(await server.call('GET', `/v1/streaks?${query}`))
    }
  })
})
