// @heavy: It takes more than three seconds.

import { TrophyApi, type TrophyApiClient, TrophyApiError } from '@trophyso/node'
import { expect, test } from 'vitest'
import { onEachServer, refusalOf } from './official-client.ts'

const summary = { aggregation: 'daily', startDate: '2026-03-09', endDate: '2026-03-10' } as const

type Call = (client: TrophyApiClient, id: string) => Promise<unknown>

/** The client's methods that ask about one user. */
const OF_A_USER: readonly (readonly [string, Call])[] = [
  ['users.get', (client, id) => client.users.get(id)],
  ['users.identify', (client, id) => client.users.identify(id, {})],
  ['users.update', (client, id) => client.users.update(id, {})],
  ['users.getPreferences', (client, id) => client.users.getPreferences(id)],
  ['users.updatePreferences', (client, id) => client.users.updatePreferences(id)],
  ['users.allMetrics', (client, id) => client.users.allMetrics(id)],
  ['users.singleMetric', (client, id) => client.users.singleMetric(id, 'words')],
  ['users.metricEventSummary', (client, id) => client.users.metricEventSummary(id, 'words', summary)],
  ['users.achievements', (client, id) => client.users.achievements(id)],
  ['users.streak', (client, id) => client.users.streak(id)],
  ['users.points', (client, id) => client.users.points(id, 'xp')],
]

/** The methods that name a user in the body or in a parameter. */
const FOR_A_USER: readonly (readonly [string, Call])[] = [
  ['metrics.event', (client, id) => client.metrics.event('words', { user: { id }, value: 1 })],
  ['achievements.complete', (client, id) => client.achievements.complete('onboarded', { user: { id } })],
  ['users.create', (client, id) => client.users.create({ id })],
  ['streaks.list', (client, id) => client.streaks.list({ userIds: [id] })],
]

const OF_THE_GAME: readonly (readonly [string, Call])[] = [
  ['achievements.all', (client) => client.achievements.all()],
  ['points.system', (client) => client.points.system('xp')],
  ['points.summary', (client) => client.points.summary('xp')],
]

const EVERY = [...OF_A_USER, ...FOR_A_USER, ...OF_THE_GAME]

onEachServer('401', (start) => {
  test('every method rejects with an UnauthorizedError without a valid key', async () => {
    const { server, engine, withKey } = await start()
    await engine.users.create({ id: 'ann' })
    const [prefix] = server.adminKey.split('.')
    const codes = new Set<unknown>()
    for (const key of ['', 'nothing', `${prefix}.`, `${prefix}.nothing`, server.adminKey.slice(0, -1)]) {
      for (const [name, call] of EVERY) {
        const { type, status, code } = await refusalOf(call(withKey(key), 'ann'))
        expect({ name, type, status }).toEqual({ name, type: TrophyApi.UnauthorizedError, status: 401 })
        codes.add(code)
      }
    }
    expect(codes.size).toBe(1)
  })
})

onEachServer('403', (start) => {
  test('for another user, known or not, it is the general error', async () => {
    const { server, engine, withKey } = await start()
    await engine.users.create({ id: 'ann' })
    await engine.users.create({ id: 'bob' })
    const client = withKey(await server.applicationKey('ann'))
    const codes = new Set<unknown>()
    for (const id of ['bob', 'nobody']) {
      for (const [name, call] of [...OF_A_USER, ...FOR_A_USER]) {
        const { type, status, code } = await refusalOf(call(client, id))
        expect({ name, type, status }).toEqual({ name, type: TrophyApiError, status: 403 })
        codes.add(code)
      }
    }
    expect(codes.size).toBe(1)
    expect(await refusalOf(withKey(server.adminKey).users.get('nobody'))).toMatchObject({ status: 404 })
  })
})

onEachServer('404', (start) => {
  test('users.get of an unknown user is the general error: the method declares none', async () => {
    const { client } = await start()
    expect(await refusalOf(client.users.get('nobody'))).toEqual({
      type: TrophyApiError,
      status: 404,
      code: 'unknown_user',
    })
  })

  test('every other read and update of an unknown user is a NotFoundError', async () => {
    const { client } = await start()
    for (const [name, call] of OF_A_USER) {
      if (name === 'users.get' || name === 'users.identify') continue
      expect({ name, ...(await refusalOf(call(client, 'nobody'))) }).toEqual({
        name,
        type: TrophyApi.NotFoundError,
        status: 404,
        code: 'unknown_user',
      })
    }
    expect(await refusalOf(client.users.get('nobody'))).toMatchObject({ status: 404 })
  })
})

// A host's own parser answers before us.
onEachServer('large events', (start, binding) => {
  const large = (size: number) => ({ user: { id: 'ann', name: 'x'.repeat(size) }, value: 1 })
  const inTime = { timeoutInSeconds: 5 }

  test.skipIf(binding === 'express-parsed')('one that is too large is the general error, every time', async () => {
    const { client } = await start()
    for (let count = 1; count <= 4; count += 1) {
      const { type, status } = await refusalOf(client.metrics.event('words', large(300_000), inTime))
      expect({ count, type, status }).toEqual({ count, type: TrophyApiError, status: 413 })
    }
    expect((await client.metrics.event('words', { user: { id: 'ann' }, value: 1 })).total).toBe(1)
  })

  test.skipIf(binding === 'express-parsed')(
    'one that nobody reads, for want of a key, is refused every time',
    async () => {
      const { client, withKey } = await start()
      for (let count = 1; count <= 4; count += 1) {
        const { type, status } = await refusalOf(withKey('wrong').metrics.event('words', large(200_000), inTime))
        expect({ count, type, status }).toEqual({ count, type: TrophyApi.UnauthorizedError, status: 401 })
      }
      expect((await client.metrics.event('words', large(1000))).total).toBe(1)
    },
  )
})

onEachServer('422', (start) => {
  const user = { id: 'ann' }
  test.each<readonly [string, string, string, TrophyApi.MetricsEventRequest]>([
    ['of an unknown metric', 'unknown_metric', 'nothing', { user, value: 1 }],
    ['of a user without an id', 'invalid_request', 'words', { user: { id: '' }, value: 1 }],
    ['with a value that is too large', 'value_out_of_range', 'words', { user, value: 1e16 }],
    ['that costs too much', 'out_of_points', 'hints', { user, value: 2 }],
  ])('an event %s is an UnprocessableEntityError', async (_, code, metric, event) => {
    const { client } = await start()
    expect(await refusalOf(client.metrics.event(metric, event))).toEqual({
      type: TrophyApi.UnprocessableEntityError,
      status: 422,
      code,
    })
    expect(await refusalOf(client.users.get('ann'))).toMatchObject({ status: 404 })
  })

  test('an event beyond the largest total is one, and the total stays', async () => {
    const { client } = await start()
    await client.metrics.event('words', { user, value: 1e15 })
    expect(await refusalOf(client.metrics.event('words', { user, value: 1000 }))).toEqual({
      type: TrophyApi.UnprocessableEntityError,
      status: 422,
      code: 'total_out_of_range',
    })
    expect((await client.users.singleMetric('ann', 'words')).current).toBe(1e15)
  })
})
