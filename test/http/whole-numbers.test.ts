import { describe, expect, onTestFinished, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { BINDINGS, type BindingName, openServer, type Server } from '../support/http.ts'

const DEFINITION: GameDefinition = {
  metrics: { km: { name: 'Kilometres' } },
  points: { xp: { name: 'XP', triggers: [{ key: 'km', type: 'metric', metric: 'km', threshold: 1.25, points: 1 }] } },
  leaderboards: { tiny: { name: 'Tiny', rankBy: 'metric', metric: 'km', start: '2026-01-01', maxParticipants: 2 } },
}

type Scores = 'round' | 'floor'

async function open(binding: BindingName, wholeNumbers?: Scores): Promise<Server> {
  const server = await openServer({
    definition: DEFINITION,
    binding,
    ...(wholeNumbers === undefined ? {} : { wholeNumbers }),
  })
  onTestFinished(server.close)
  return server
}

const run = (server: Server, id: string, value: number) =>
  server.call('POST', '/v1/metrics/km/event', { body: { user: { id }, value } })

/** All answers that have scores, after three users ran 3.25, 2.5 and 2.75 km, and the first another 0.5. */
async function scoresOf(server: Server) {
  await run(server, 'ann', 3.25)
  await run(server, 'bob', 2.5)
  await run(server, 'cem', 2.75)
  const { body: event } = await run(server, 'ann', 0.5)
  const { body: board } = await server.call('GET', '/v1/leaderboards/tiny')
  const { body: place } = await server.call('GET', '/v1/users/ann/leaderboards/tiny')
  const { body: system } = await server.call('GET', '/v1/points/xp')
  const { body: points } = await server.call('GET', '/v1/users/ann/points/xp?awards=1')
  const { body: triggers } = await server.call('GET', '/admin/v1/points/xp/triggers')
  const { body: wrapped } = await server.call('GET', '/v1/users/ann/wrapped?year=2026')
  return {
    total: event.total,
    threshold: event.leaderboards.tiny.threshold,
    values: board.rankings.map(({ value }: { readonly value: number }) => value),
    value: place.value,
    history: place.history.map(({ previousValue, value }: Record<string, unknown>) => [previousValue, value]),
    metricThresholds: [
      system.triggers[0].metricThreshold,
      points.awards[0].trigger.metricThreshold,
      event.points.xp.awards[0].trigger.metricThreshold,
      triggers[0].metricThreshold,
    ],
    wrapped: wrapped.activity.entireYear.leaderboards.tiny.value,
  }
}

describe.each(BINDINGS)('On %s', (binding) => {
  test('scores of leaderboards and thresholds of points are decimals', async () => {
    expect(await scoresOf(await open(binding))).toEqual({
      total: 3.75,
      threshold: 2.75,
      values: [3.75, 2.75],
      value: 3.75,
      history: [[null, 3.75]],
      metricThresholds: [1.25, 1.25, 1.25, 1.25],
      wrapped: 3.75,
    })
  })

  test("wholeNumbers: 'round' rounds them to whole numbers, and nothing else", async () => {
    expect(await scoresOf(await open(binding, 'round'))).toEqual({
      total: 3.75,
      threshold: 3,
      values: [4, 3],
      value: 4,
      history: [[null, 4]],
      metricThresholds: [1, 1, 1, 1],
      wrapped: 4,
    })
  })
})

test('The OpenAPI document calls the scores integers where they are, and numbers elsewhere', async () => {
  const typesOf = async (server: Server) => {
    const { schemas } = (await server.call('GET', '/v1/openapi.json')).body.components
    return [
      schemas.EventLeaderboard.properties.threshold.type,
      schemas.LeaderboardRanking.properties.value.type,
      schemas.LeaderboardHistoryItem.properties.value.type,
      schemas.LeaderboardHistoryItem.properties.previousValue.anyOf,
      schemas.UserLeaderboard.properties.value.anyOf,
      schemas.WrappedLeaderboard.properties.value.type,
      schemas.PointsTrigger.properties.metricThreshold.type,
      schemas.AwardTrigger.properties.metricThreshold.type,
    ]
  }
  const orNull = (type: string) => [{ type }, { type: 'null' }]
  expect(await typesOf(await open('node'))).toEqual([
    'number',
    'number',
    'number',
    orNull('number'),
    orNull('number'),
    'number',
    'number',
    'number',
  ])
  expect(await typesOf(await open('node', 'round'))).toMatchObject([
    'integer',
    'integer',
    'integer',
    [{ type: 'integer' }, { type: 'null' }],
    [{ type: 'integer' }, { type: 'null' }],
    'integer',
    'integer',
    'integer',
  ])
})
