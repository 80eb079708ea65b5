// The user's own choices over HTTP: who may set them, and who may see the user behind an anonymous place.

import { describe, expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../adapters/client/index.ts'
import { applicationApi, userApi } from '../../adapters/fetch/index.ts'
import { memory } from '../../adapters/memory/index.ts'
import type { GameDefinition } from '../../src/index.ts'
import { type Engine, NOON, openOn } from '../support/engine.ts'

const PAGE = 'http://localhost'
const board = { rankBy: 'metric', metric: 'words', start: '2026-01-01' } as const
const game: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  leaderboards: { all: { name: 'All', ...board }, small: { name: 'Small', ...board, smallestGroup: 3 } },
}

type Ask = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ readonly status: number; readonly body: unknown }>

interface World {
  readonly engine: Engine
  /** As ann, whose session the host knows. */
  readonly inSession: Ask
  withKey(key: string): Ask
  keyOfAnn(can?: readonly 'read'[]): Promise<string>
}

async function openWorld(clients?: GameDefinition['clients']): Promise<World> {
  const engine = await openOn(memory(), { now: NOON }, clients === undefined ? game : { ...game, clients })
  onTestFinished(() => engine.close())
  for (const [id, value] of [['ann', 30] as const, ['bob', 20] as const]) {
    await engine.metrics.event('words', { user: { id, name: id.toUpperCase(), email: `${id}@example.com` }, value })
  }
  const asker =
    (handle: (request: Request) => Promise<Response>, prefix: string, own: Record<string, string>): Ask =>
    async (method, path, body) => {
      const headers = { ...own, 'Content-Type': 'application/json' }
      const sent = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
      const response = await handle(new Request(`${PAGE}${prefix}${path}`, sent))
      return { status: response.status, body: await response.json() }
    }
  return {
    engine,
    inSession: asker(userApi(engine, { user: () => 'ann', origins: [PAGE] }), '/user/v1', { Origin: PAGE }),
    withKey: (key) => asker(applicationApi(engine), '/v1', { 'X-API-KEY': key }),
    keyOfAnn: async (can) => {
      const { created } = await engine.admin.applicationApiKeys.create([{ userId: 'ann', ...(can && { can }) }])
      return created[0]?.key ?? ''
    },
  }
}

const CHOICES = { leaderboards: 'hidden', gamification: 'off' }

describe('The choices of a user', () => {
  test.each([
    ['says nothing of clients', undefined],
    ['lets clients set nothing', {}],
  ])('can be set by the own session if the game %s', async (_, clients) => {
    const { engine, inSession } = await openWorld(clients)
    expect(await inSession('PATCH', '/users/me/preferences', CHOICES)).toEqual({
      status: 200,
      body: { notifications: {}, ...CHOICES },
    })
    expect((await engine.leaderboards.get('all')).rankings.map(({ userId }) => userId)).toEqual(['bob'])
    const [entry] = (await engine.users.events('ann', { limit: 1 })).entries
    expect(entry).toMatchObject({ kind: 'preferencesChanged', own: true, ...CHOICES })
  })

  test('are no way to set what the game does not let clients set', async () => {
    const { inSession } = await openWorld({})
    const both = await inSession('PATCH', '/users/me/preferences', { ...CHOICES, notifications: {} })
    expect(both).toMatchObject({ status: 403, body: { error: expect.stringContaining('field notifications') } })
    expect(await inSession('GET', '/users/me/preferences')).toMatchObject({
      body: { leaderboards: 'shown', gamification: 'on' },
    })
    expect(await inSession('PATCH', '/users/bob/preferences', CHOICES)).toMatchObject({ status: 403 })
  })

  test('can be set by a key of the user, unless it was made for less', async () => {
    const { withKey, keyOfAnn } = await openWorld({})
    const set = async (key: string) => withKey(key)('PATCH', '/users/ann/preferences', CHOICES)
    expect(await set(await keyOfAnn())).toMatchObject({ status: 200 })
    expect(await set(await keyOfAnn(['read']))).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('may not set the choice leaderboards of its user: its key was made') },
    })
  })
})

describe('The user behind an anonymous place', () => {
  test.each(['/leaderboards/all?reveal=true', '/leaderboards/all/among?userIds=ann&reveal=true'])(
    'at %s is 403 for application keys and sessions',
    async (path) => {
      const { engine, inSession, withKey, keyOfAnn } = await openWorld()
      await engine.users.updatePreferences('bob', { leaderboards: 'anonymous' })
      for (const ask of [inSession, withKey(await keyOfAnn())]) {
        const refused = await ask('GET', path)
        expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
        expect(JSON.stringify(refused)).not.toContain('bob')
      }
    },
  )

  test('is marked for admin keys that ask for it, and is nobody to all others', async () => {
    const { engine, inSession, withKey } = await openWorld()
    const { key } = await engine.adminKeys.create()
    await engine.users.updatePreferences('bob', { leaderboards: 'anonymous' })
    const second = async (ask: Ask, query: string): Promise<unknown> =>
      Object((await ask('GET', `/leaderboards/all${query}`)).body).rankings[1]
    const masked = { userId: expect.stringMatching(/^[\w-]{22}$/), userName: null, anonymous: true, rank: 2, value: 20 }
    expect(await second(inSession, '')).toEqual(masked)
    expect(await second(withKey(key), '')).toEqual(masked)
    expect(await second(withKey(key), '?reveal=true')).toEqual({ ...masked, userId: 'bob', userName: 'BOB' })
  })

  test('is not in a group that is too small for others', async () => {
    const { inSession } = await openWorld()
    expect((await inSession('GET', '/leaderboards/small')).body).toMatchObject({ participants: 2, rankings: [] })
  })
})

test('The client of a page sets the choices of its session', async () => {
  const { engine } = await openWorld()
  const handle = userApi(engine, { user: () => 'ann', origins: [PAGE] })
  const { users } = createClient({
    baseUrl: `${PAGE}/user/v1`,
    fetch: (input: string | URL | Request, init?: RequestInit) => {
      const request = new Request(input, init)
      request.headers.set('Origin', PAGE)
      return handle(request)
    },
  })
  expect(await users.updatePreferences('me', { leaderboards: 'anonymous' })).toMatchObject({
    leaderboards: 'anonymous',
  })
  expect(await users.getPreferences('ann')).toMatchObject({ leaderboards: 'anonymous', gamification: 'on' })
})
