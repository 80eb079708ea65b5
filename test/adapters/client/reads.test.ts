// @heavy: It takes more than three seconds.
// The official client parses every answer of a read without loss. test/acceptance/http has the literal answers.

import { TrophyApi, type TrophyApiClient } from '@trophyso/node'
import { expect, test } from 'vitest'
import { onEachServer, refusalOf } from './official-client.ts'

type Read = readonly [path: string, ask: (client: TrophyApiClient) => Promise<unknown>]

const DAYS = { startDate: '2026-03-09', endDate: '2026-03-20' } as const
const range = `startDate=${DAYS.startDate}&endDate=${DAYS.endDate}`
const ODD = 'team/🦉 & co'

const READS: readonly Read[] = [
  ['achievements', (client) => client.achievements.all()],
  [
    'achievements?userAttributes=plan:pro,country:fr',
    (client) => client.achievements.all({ userAttributes: 'plan:pro,country:fr' }),
  ],
  ['users/ann/achievements', (client) => client.users.achievements('ann')],
  [
    'users/ann/achievements?includeIncomplete=true',
    (client) => client.users.achievements('ann', { includeIncomplete: 'true' }),
  ],
  ['users/ann/metrics', (client) => client.users.allMetrics('ann')],
  ['users/ann/metrics/words', (client) => client.users.singleMetric('ann', 'words')],
  ...(['daily', 'weekly', 'monthly'] as const).map((aggregation): Read => {
    const path = `users/ann/metrics/words/event-summary?aggregation=${aggregation}&${range}`
    return [path, (client) => client.users.metricEventSummary('ann', 'words', { aggregation, ...DAYS })]
  }),
  ['users/ann/points/xp', (client) => client.users.points('ann', 'xp')],
  ['users/ann/points/xp?awards=2', (client) => client.users.points('ann', 'xp', { awards: 2 })],
  ['users/ann/points/karma', (client) => client.users.points('ann', 'karma')],
  ['points/xp', (client) => client.points.system('xp')],
  ['points/karma', (client) => client.points.system('karma')],
  ['points/xp/summary', (client) => client.points.summary('xp')],
  [
    'points/xp/summary?userAttributes=plan:pro',
    (client) => client.points.summary('xp', { userAttributes: 'plan:pro' }),
  ],
  ['users/ann/streak', (client) => client.users.streak('ann')],
  ['users/ann/streak?historyPeriods=3', (client) => client.users.streak('ann', { historyPeriods: 3 })],
  ['users/bob/streak', (client) => client.users.streak('bob')],
  [
    `streaks?userIds=ann&userIds=bob&userIds=${encodeURIComponent(ODD)}`,
    (client) => client.streaks.list({ userIds: ['ann', 'bob', ODD] }),
  ],
]

/** The JSON of an answer without nulls, which the client drops. */
function withoutNulls(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, member) => member ?? undefined)
}

onEachServer('The reads of the official client', (start) => {
  test('answer what the server sends', async () => {
    const { client, server, engine } = await start()
    const ann = { id: 'ann', tz: 'Europe/London', attributes: { plan: 'pro', country: 'fr' } }
    await client.metrics.event('words', { user: ann, value: 1250.5, attributes: { source: 'mobile', lang: 'fr' } })
    engine.at('2026-03-11T12:00:00.250Z')
    await client.metrics.event('words', { user: ann, value: 300 })
    await client.metrics.event('pages', { user: { id: ODD }, value: 12 })
    await client.metrics.event('words', { user: { id: ODD }, value: 100 })
    await client.achievements.complete('onboarded', { user: { id: 'ann' } })
    await client.users.create({ id: 'bob' })
    for (const [path, ask] of READS) {
      const { status, body } = await server.call('GET', `/v1/${path}`)
      expect({ path, status, body: withoutNulls(await ask(client)) }).toEqual({
        path,
        status: 200,
        body: withoutNulls(body),
      })
    }
  })

  test('are rejected with the class and the code of what is wrong', async () => {
    const { client } = await start()
    await client.users.create({ id: 'ann' })
    const invalid = { type: TrophyApi.UnprocessableEntityError, status: 422, code: 'invalid_request' }
    const many = Array.from({ length: 101 }, (_, index) => `user-${index}`)
    const calls = [
      client.users.points('ann', 'xp', { awards: 1.5 }),
      client.users.streak('ann', { historyPeriods: 1.5 }),
      client.streaks.list({ userIds: many }),
      client.achievements.all({ userAttributes: 'plan' }),
      client.points.summary('xp', { userAttributes: 'plan' }),
      client.users.metricEventSummary('ann', 'words', { ...DAYS, aggregation: 'daily', startDate: '2026-03-21' }),
    ]
    expect(await Promise.all(calls.map(refusalOf))).toEqual(calls.map(() => invalid))
    const locked = client.achievements.complete('retired', { user: { id: 'ann' } })
    expect(await refusalOf(locked)).toMatchObject({ status: 422, code: 'achievement_locked' })
    const inaccessible = client.achievements.complete('pro-tour', { user: { id: 'ann' } })
    expect(await refusalOf(inaccessible)).toMatchObject({ status: 422, code: 'achievement_not_accessible' })
    for (const key of ['nothing', 'hidden', 'novelist']) {
      const unknown = client.achievements.complete(key, { user: { id: 'ann' } })
      expect(await refusalOf(unknown)).toMatchObject({ type: TrophyApi.NotFoundError, code: 'unknown_achievement' })
    }
  })
})
