// Some users ranked among themselves: named by an admin key, or by the app for the user of its session.

import { describe, expect, test } from 'vitest'
import { createClient } from '../../adapters/client/index.ts'
import { applicationApi, userApi } from '../../adapters/fetch/index.ts'
import { memory } from '../../adapters/memory/index.ts'
import { type Engine, NOON, openOn } from '../support/engine.ts'

const board = { rankBy: 'metric', metric: 'lap', start: '2026-01-01', ties: 'shared' } as const
const definition = {
  metrics: { lap: { name: 'Fastest lap', aggregation: 'min' } },
  leaderboards: { laps: { ...board, name: 'Laps' }, hidden: { ...board, name: 'Hidden', private: true } },
} as const

async function withEngine(use: (engine: Engine) => Promise<void>): Promise<void> {
  const engine = await openOn(memory(), { now: NOON }, definition)
  for (const [id, value] of [
    ['ann', 62],
    ['bob', 60],
    ['cid', 60],
    ['dan', 50],
  ] as const) {
    await engine.metrics.event('lap', { user: { id }, value })
  }
  await use(engine)
  await engine.close()
}

async function read(answer: Promise<Response>) {
  const response = await answer
  const { rankings, participants, code } = Object(await response.json())
  if (rankings === undefined) return [response.status, code]
  return [participants, ...rankings.map((each: { userId: string; rank: number }) => [each.userId, each.rank])]
}

const AMONG = [3, ['bob', 1], ['cid', 1], ['ann', 3]]

describe('Some users among themselves', () => {
  test('are those that an admin key names', () =>
    withEngine(async (engine) => {
      const { key } = await engine.adminKeys.create()
      const handle = applicationApi(engine)
      const ask = (path: string) =>
        read(handle(new Request(`http://localhost/v1/leaderboards/${path}`, { headers: { 'x-api-key': key } })))
      expect(await ask('laps/among?userIds=ann,bob&userIds[]=cid')).toEqual(AMONG)
      expect(await ask('hidden/among?userIds=ann,bob,cid&limit=1')).toEqual([3, ['bob', 1]])
      expect(await ask('laps/among')).toEqual([422, 'invalid_request'])
      const fetch = (url: string | URL | Request, init?: RequestInit) => handle(new Request(url, init))
      const client = createClient({ baseUrl: 'http://localhost/v1', apiKey: key, fetch })
      expect((await client.leaderboards.among('laps', { userIds: ['ann', 'dan'] })).rankings).toMatchObject([
        { userId: 'dan', rank: 1, value: 50 },
        { userId: 'ann', rank: 2, value: 62 },
      ])
    }))

  test('are those that the app names for its user, who cannot name others', () =>
    withEngine(async (engine) => {
      const options = { user: () => 'ann', among: async () => ['ann', 'bob', 'cid'] }
      const handle = userApi(engine, options)
      const ask = (path: string) => read(handle(new Request(`http://localhost/user/v1/leaderboards/${path}`)))
      expect(await ask('laps/among')).toEqual(AMONG)
      expect(await ask('laps/among?userIds=dan')).toEqual([403, 'forbidden'])
      expect(await ask('hidden/among')).toEqual([403, 'forbidden'])
    }))

  test('are none when the app has no answer, and a wrong one is a fault of the server', () =>
    withEngine(async (engine) => {
      const asked = (options: object) =>
        read(
          userApi(engine, { user: () => 'ann', ...options })(
            new Request('http://localhost/user/v1/leaderboards/laps/among'),
          ),
        )
      expect(await asked({})).toEqual([422, 'invalid_request'])
      expect(await asked({ among: () => [7] })).toEqual([500, 'internal'])
      expect(() => userApi(engine, { user: () => 'ann', among: ['bob'] as never })).toThrow('among')
    }))
})
