import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { postgres } from '../../adapters/postgres/index.ts'
import type { Storage } from '../../src/index.ts'
import { type Answer, BINDINGS, type BindingName, openServer, type Server } from '../support/http.ts'
import { databaseUrl, useEmptySchemas } from '../support/postgres.ts'
import { shareOf } from '../support/share.ts'
import { allFields, complaintsOf, type Kind, nullableFields, type Seen } from './fields.ts'
import { EVERY_TYPE, GAME, live, type Made } from './world.ts'

interface Row {
  readonly kind: Kind
  readonly what: string
  readonly status: number
  readonly method: string
  readonly path: string | ((made: Made) => string)
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

const get = (kind: Kind, what: string, path: Row['path']): Row => ({ kind, what, status: 200, method: 'GET', path })

const send = (
  status: number,
  kind: Kind,
  what: string,
  call: string,
  body: unknown,
  headers: Record<string, string> = {},
): Row => {
  const [method = '', path = ''] = call.split(' ')
  return { kind, what, status, method, path, body, headers }
}

const RANGE = 'aggregation=weekly&startDate=2026-02-02&endDate=2026-03-10'
const PRO = { plan: 'pro', city: 'Nice' }
const ITEM = { key: 'words', value: 1 }
const KEY_ID = '01956c3a-0000-7000-8000-000000000000'

const APPLICATION_API: readonly Row[] = [
  get('AchievementWithStats[]', 'all achievements', '/v1/achievements'),
  get('AchievementWithStats[]', 'the achievements of an attribute', '/v1/achievements?userAttributes=plan:pro'),
  send(201, 'CompletionResponse', 'a completion that pays', 'POST /v1/achievements/tour/complete', {
    user: { id: 'eve' },
  }),
  send(201, 'CompletionResponse', 'a second completion', 'POST /v1/achievements/tour/complete', {
    user: { id: 'ann' },
  }),
  send(201, 'EventResponse', 'an event without effect', 'POST /v1/metrics/pages/event', {
    user: { id: 'bob' },
    value: 1,
  }),
  send(201, 'EventResponse', 'an event with every effect', 'POST /v1/metrics/words/event', {
    user: { id: 'eve', attributes: PRO },
    value: 500,
    attributes: { source: 'web', lang: 'fr' },
  }),
  send(
    201,
    'EventResponse',
    'an event with an idempotency key',
    'POST /v1/metrics/words/event',
    { user: { id: 'ann' }, value: 10 },
    { 'Idempotency-Key': 'second' },
  ),
  send(201, 'EventResponse', 'an event of the one who is not ranked', 'POST /v1/metrics/words/event', {
    user: { id: 'ann' },
    value: 10,
  }),
  send(
    202,
    'EventResponse',
    'a replay',
    'POST /v1/metrics/words/event',
    { user: { id: 'ann' }, value: 500 },
    { 'Idempotency-Key': 'first' },
  ),
  send(201, 'User', 'a created user', 'POST /v1/users', { id: 'fay', attributes: { plan: 'pro' } }),
  get('User', 'a full user', '/v1/users/ann'),
  get('User', 'a bare user', '/v1/users/bob'),
  send(200, 'User', 'an identified user', 'PUT /v1/users/hal', {}),
  send(200, 'User', 'an updated user', 'PATCH /v1/users/gus', { name: 'Gus' }),
  get('Preferences', 'all preferences', '/v1/users/ann/preferences'),
  get('Preferences', 'no preferences', '/v1/users/bob/preferences'),
  send(200, 'Preferences', 'updated preferences', 'PATCH /v1/users/bob/preferences', {
    notifications: EVERY_TYPE,
    streak: { metrics: [{ key: 'words', threshold: 2 }] },
  }),
  send(200, 'Preferences', 'a streak switched off', 'PATCH /v1/users/gus/preferences', { streak: { enabled: false } }),
  get('Metric[]', 'all metrics', '/v1/users/ann/metrics'),
  get('Metric', 'a metric', '/v1/users/bob/metrics/words'),
  get('SummaryItem[]', 'a summary of events', `/v1/users/ann/metrics/words/event-summary?${RANGE}`),
  get('UserAchievementWithStats[]', 'what a user has', '/v1/users/ann/achievements'),
  get('UserAchievementWithStats[]', 'what a user has not', '/v1/users/bob/achievements?includeIncomplete=true'),
  get('UserStreak', 'a streak', '/v1/users/ann/streak'),
  get('UserStreak', 'no streak', '/v1/users/bob/streak'),
  get('UserStreak', 'a streak switched off', '/v1/users/gus/streak'),
  get('UserStreakLength[]', 'lengths of streaks', '/v1/streaks?userIds=ann&userIds=bob'),
  get('StreakRanking[]', 'the active streaks', '/v1/streaks/rankings'),
  get('StreakRanking[]', 'the longest streaks', '/v1/streaks/rankings?type=longest&limit=100'),
  get('UserPoints', 'points of every trigger', '/v1/users/ann/points/xp?awards=100'),
  get('UserPoints', 'points by time', '/v1/users/ann/points/energy'),
  get('UserPoints', 'points of nothing', '/v1/users/bob/points/coins'),
  get('SummaryItem[]', 'a summary of points', `/v1/users/ann/points/xp/event-summary?${RANGE}`),
  get('PointsBoost[]', 'the boosts of a user', '/v1/users/ann/points/xp/boosts'),
  get('PointsSystem', 'a points system', '/v1/points/xp'),
  get('PointsSystem', 'a points system by time', '/v1/points/energy'),
  get('PointsSystem', 'a bare points system', '/v1/points/coins'),
  get('PointsRange[]', 'the ranges of points', '/v1/points/xp/summary'),
  get('PointsLevel[]', 'levels', '/v1/points/xp/levels'),
  get('PointsLevelUsers[]', 'users by level', '/v1/points/xp/level-summary'),
  get('PointsBoost[]', 'the boosts of a system', '/v1/points/xp/boosts?includeFinished=true'),
  get('Leaderboard[]', 'leaderboards', '/v1/leaderboards'),
  get('Leaderboard[]', 'leaderboards, finished ones too', '/v1/leaderboards?includeFinished=true'),
  get('LeaderboardWithRankings', 'a leaderboard by metric', '/v1/leaderboards/words'),
  get('LeaderboardWithRankings', 'a leaderboard by points', '/v1/leaderboards/month?userAttributes=plan:pro'),
  get('LeaderboardWithRankings', 'a leaderboard by streak', '/v1/leaderboards/streaks'),
  get('LeaderboardWithRankings', 'a leaderboard with a window', '/v1/leaderboards/evening'),
  get('LeaderboardWithRankings', 'a finished leaderboard', '/v1/leaderboards/past'),
  get('UserLeaderboardWithHistory', 'a place', '/v1/users/ann/leaderboards/words?numEvents=50'),
  get('UserLeaderboardWithHistory', 'a place in a group', '/v1/users/ann/leaderboards/month?numEvents=50'),
  get('UserLeaderboardWithHistory', 'a place in a window', '/v1/users/ann/leaderboards/evening'),
  get('UserLeaderboardWithHistory', 'no place', '/v1/users/bob/leaderboards/streaks'),
  get('Wrapped', 'a year', '/v1/users/ann/wrapped'),
  get('Wrapped', 'a year of nothing', '/v1/users/bob/wrapped?year=2025'),
]

const REFUSALS: readonly Row[] = [
  { ...get('Refusal', 'an unknown user', '/v1/users/zoe/wrapped'), status: 404 },
  { ...get('Refusal', 'an unknown path', '/v1/nothing'), status: 404 },
  send(422, 'Refusal', 'a violation of the schema', 'POST /v1/users', { id: 7 }),
  send(422, 'Refusal', 'a batch with mistakes', 'POST /admin/v1/metrics/events', [{ ...ITEM, user: 7 }]),
]

const ADMIN_API: readonly Row[] = [
  send(201, 'CreatedKeys', 'a key, and an issue', 'POST /admin/v1/application-api-keys', [
    { userId: 'ann' },
    { userId: 'zoe' },
  ]),
  {
    ...send(200, 'DeletedKeys', 'an unknown key', 'DELETE /', undefined),
    path: `/admin/v1/application-api-keys?ids=${KEY_ID}`,
  },
  send(201, 'CreatedFreezes', 'a freeze, and an issue', 'POST /admin/v1/streaks/freezes', {
    freezes: [{ userId: 'ann' }, { userId: 'zoe' }],
  }),
  send(201, 'CreatedPauses', 'a pause, and an issue', 'POST /admin/v1/streaks/pauses', {
    pauses: [
      { userId: 'ann', start: '2026-03-20', end: '2026-03-21' },
      { userId: 'zoe', start: '2026-03-20', end: '2026-03-21' },
    ],
  }),
  {
    ...send(200, 'DeletedPauses', 'a pause, and an unknown one', 'DELETE /', undefined),
    path: ({ pause }) => `/admin/v1/streaks/pauses?ids=${pause},${KEY_ID}`,
  },
  send(200, 'RestoredStreaks', 'no streak that was lost', 'POST /admin/v1/streaks/restore', {
    users: [{ id: 'ann' }, { id: 'zoe' }],
  }),
  send(201, 'RestoredStreaks', 'a streak that was lost', 'POST /admin/v1/streaks/restore', { users: [{ id: 'cid' }] }),
  send(200, 'ResetStreaks', 'a streak that runs, and an unknown user', 'POST /admin/v1/streaks/reset', {
    users: [{ id: 'cid' }, { id: 'zoe' }],
  }),
  get('UserStreak', 'a streak that was reset', '/v1/users/cid/streak'),
  send(201, 'CreatedBoosts', 'boosts of all and of one, and an issue', 'POST /admin/v1/points/xp/boosts', [
    {
      ...{ name: 'For pros', start: '2026-03-10', end: '2026-03-11', multiplier: 1.25, rounding: 'up' },
      userAttributes: [{ attributeId: 'plan', attributeValue: 'pro' }],
    },
    { userId: 'ann', name: 'For Ann', start: '2026-03-10', end: null, multiplier: 2, rounding: 'nearest' },
    { userId: 'zoe', name: 'For Zoe', start: '2026-03-10', multiplier: 2 },
  ]),
  get('AdminBoost[]', 'boosts, by the id of the system', ({ xp }) => `/admin/v1/points/${xp}/boosts`),
  send(200, 'UpdatedBoosts', 'an unknown boost', 'PATCH /admin/v1/points/xp/boosts', [{ id: KEY_ID, multiplier: 3 }]),
  {
    ...send(200, 'DeletedBoosts', 'an unknown boost', 'DELETE /', undefined),
    path: `/admin/v1/points/xp/boosts?ids=${KEY_ID}`,
  },
  send(202, 'Batch', 'a batch', 'POST /admin/v1/metrics/events', [
    { ...ITEM, user: { id: 'ann' }, idempotencyKey: 'batched' },
    { ...ITEM, user: { id: 'ann' }, idempotencyKey: 'batched' },
    { ...ITEM, key: 'old', user: { id: 'ann' } },
  ]),
  get('AdminAttribute[]', 'attributes', '/admin/v1/attributes'),
  get('AdminAchievement[]', 'achievements', '/admin/v1/achievements?limit=100'),
  get('StreakSettings', 'the settings of the streak', '/admin/v1/streaks/settings'),
  get('AdminSettings', 'the settings', '/admin/v1/settings'),
  get('Environment[]', 'environments', '/admin/v1/environments'),
  get('AdminMetric[]', 'metrics', '/admin/v1/metrics'),
  get('AdminPoints[]', 'points systems', '/admin/v1/points'),
  get('AdminLevel[]', 'levels, by the id of the system', ({ xp }) => `/admin/v1/points/${xp}/levels`),
  get('AdminTrigger[]', 'triggers, by the id of the system', ({ xp }) => `/admin/v1/points/${xp}/triggers`),
  get('AdminTrigger[]', 'triggers, by the key of the system', '/admin/v1/points/coins/triggers'),
  get('AdminTrigger[]', 'triggers by time', '/admin/v1/points/energy/triggers'),
  get('AdminLeaderboard[]', 'leaderboards', '/admin/v1/leaderboards?limit=100'),
]

const ROWS: readonly Row[] = [...APPLICATION_API, ...REFUSALS, ...ADMIN_API]

/** Fields that no answer has yet. */
const NOT_YET = [
  // The ranks of earlier days are not kept.
  /^LeaderboardDay\.previousRank$/,
  // Metrics have no unit.
  /^Wrapped(Metric|Value)\.units$/,
  // A value of an attribute may leave them out.
  /^WrappedValue\./,
  // Nothing here sends mail.
  /^Branding\.(logo|appIcon)$/,
  // The issues of keys, freezes and pauses name a user, an index or an id, and not all of them.
  /^AdminIssue\.(id|index)$/,
]

/** Fields that are never null in this game. */
const NEVER_NULL = [
  /\.freezeAutoEarn/,
  /^StreakFreezes\./,
  /\.freezes$/,
  // May be absent in place of null.
  /\.(metricKey|metricName|pointsSystemKey|pointsSystemName|userName|rank|level|breakdownAttributeValue)$/,
  /\.(description|badgeUrl|previousRank|previousValue|value|end|startTime|endTime|runUnit|runInterval)$/,
  /\.(started|periodStart|periodEnd|expires|units)$/,
]

interface World {
  readonly server: Server
  readonly answers: ReadonlyMap<Row, Answer>
}

async function ask(server: Server, made: Made, row: Row): Promise<Answer> {
  const path = typeof row.path === 'string' ? row.path : row.path(made)
  return server.call(row.method, path, {
    ...(row.body === undefined ? {} : { body: row.body }),
    ...(row.headers === undefined ? {} : { headers: row.headers }),
  })
}

/** Asks the rows in their order, which is that of a life. */
async function askAll(binding: BindingName, storage: Storage, rows: readonly Row[]): Promise<World> {
  const server = await openServer({ definition: GAME, binding, storage })
  const made = await live(server)
  const answers = new Map<Row, Answer>()
  for (const row of rows) answers.set(row, await ask(server, made, row))
  return { server, answers }
}

const nextSchema = useEmptySchemas()

const EVERYWHERE: readonly [storage: string, create: () => Storage, binding: BindingName, rows: readonly Row[]][] = [
  ['SQLite', memory, 'express', ROWS],
  ['Postgres', () => postgres(databaseUrl(), { schema: nextSchema() }), 'fastify', ROWS],
  ...BINDINGS.filter((binding) => !['express', 'fastify'].includes(binding)).map(
    (binding) => ['SQLite', memory, binding, shareOf(binding, ROWS)] as [string, () => Storage, BindingName, Row[]],
  ),
]

describe.each(EVERYWHERE)('the fields of every answer, on %s', (_, create, binding, rows) => {
  let world: World
  beforeAll(async () => {
    world = await askAll(binding, create(), rows)
  })
  afterAll(() => world.server.close())

  test.each(rows.map((row) => [`${row.kind}: ${row.what}`, row] as const))(`%s, through ${binding}`, (_, row) => {
    const answer = world.answers.get(row)
    expect({ status: answer?.status, body: answer?.body }).toMatchObject({ status: row.status })
    expect(complaintsOf(answer?.body, row.kind)).toEqual([])
  })

  test.runIf(rows === ROWS)(`the game reaches every field, present and null, through ${binding}`, () => {
    const seen: Seen = new Map()
    for (const [row, { status, body }] of world.answers) if (status === row.status) complaintsOf(body, row.kind, seen)
    const isIn = (list: readonly RegExp[], field: string) => list.some((form) => form.test(field))
    const never = allFields().filter((field) => !isIn(NOT_YET, field) && !seen.get(field)?.has('there'))
    const neverNull = nullableFields().filter(
      (field) => !isIn(NOT_YET, field) && !isIn(NEVER_NULL, field) && !seen.get(field)?.has('null'),
    )
    expect({ never, neverNull }).toEqual({ never: [], neverNull: [] })
  })
})
