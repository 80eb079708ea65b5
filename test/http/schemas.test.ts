import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { PointsRange } from '../../src/engine/answers/wire/points.ts'
import type { Streak } from '../../src/engine/answers/wire/streak.ts'
import type { AttributeFilter } from '../../src/engine/answers/wire/user.ts'
import { adminApi, applicationApi } from '../../src/http/apis.ts'
import * as achievement from '../../src/http/schemas/achievement.ts'
import * as boosts from '../../src/http/schemas/boosts.ts'
import * as configuration from '../../src/http/schemas/configuration.ts'
import * as eventBatch from '../../src/http/schemas/event-batch.ts'
import * as keys from '../../src/http/schemas/keys.ts'
import * as leaderboard from '../../src/http/schemas/leaderboard.ts'
import * as metricEvent from '../../src/http/schemas/metric-event.ts'
import * as parts from '../../src/http/schemas/parts.ts'
import * as points from '../../src/http/schemas/points.ts'
import * as preferences from '../../src/http/schemas/preferences.ts'
import * as problem from '../../src/http/schemas/problem.ts'
import * as streak from '../../src/http/schemas/streak.ts'
import * as user from '../../src/http/schemas/user.ts'
import * as wrapped from '../../src/http/schemas/wrapped.ts'

/*
 * Answers written by hand from sections 2 and 4 of the specification, section 12 of the decisions and section 1 of the page
 * on the rest of the hosted service, with every field.
 */

const id = '0040fe51-6bce-4b44-b0ad-bddc4e123534'
const noon = '2026-03-10T12:00:00.000Z'
const plan = { key: 'plan', value: 'pro' }
const source = { key: 'source', value: 'web' }

const level = { id, key: 'bronze', name: 'Bronze', description: '', badgeUrl: null, points: 10 }

const metricAchievement = {
  id,
  key: 'hundred',
  trigger: 'metric',
  name: 'A hundred words',
  description: 'Write a hundred words.',
  badgeUrl: 'https://example.com/hundred.png',
  userAttributes: [plan],
  metricId: id,
  metricName: 'Words written',
  metricValue: 100,
  eventAttributes: [source],
  eventAttribute: source,
}
const apiAchievement = {
  id,
  key: 'tour',
  trigger: 'api',
  name: 'Took the tour',
  description: null,
  badgeUrl: null,
  userAttributes: [],
}

const capped = { triggerId: id, due: 10, awarded: 4, resetsAt: noon }
const pointsChange = {
  id,
  key: 'xp',
  name: 'XP',
  description: null,
  badgeUrl: null,
  maxPoints: 1000,
  total: 10,
  awards: [
    {
      id,
      awarded: 10,
      date: noon,
      total: 10,
      trigger: {
        id,
        type: 'metric',
        points: 10,
        status: 'active',
        userAttributes: [plan],
        metricId: id,
        metricName: 'Words written',
        metricThreshold: 0.5,
        eventAttributes: [source],
        eventAttribute: source,
        created: noon,
        updated: noon,
      },
    },
  ],
  added: 10,
  level,
}
const { added: _added, ...userPoints } = pointsChange
const { level: _level, ...withoutLevel } = { ...pointsChange, added: -3 }

const currentStreak = {
  length: 1,
  frequency: 'daily',
  started: '2026-03-10',
  periodStart: '2026-03-10',
  periodEnd: '2026-03-10',
  expires: '2026-03-11',
  extended: true,
}
const noStreak = {
  length: 0,
  frequency: 'weekly',
  started: null,
  periodStart: null,
  periodEnd: null,
  expires: null,
  extended: null,
  rank: null,
  pauses: [],
  streakHistory: [],
}
const missedWeek = { periodStart: '2026-03-09', periodEnd: '2026-03-15', length: 0, usedPause: false }

const board = {
  id,
  key: 'top',
  name: 'Top writers',
  description: null,
  rankBy: 'metric',
  runUnit: null,
  runInterval: null,
  maxParticipants: 100,
  breakdownAttribute: 'plan',
  breakdownAttributes: ['plan'],
  metricName: 'Words written',
  metricKey: 'words',
  pointsSystemName: null,
  pointsSystemKey: null,
  status: 'active',
  threshold: 0.5,
  start: '2026-01-01',
  end: null,
  startTime: null,
  endTime: null,
  previousRank: null,
  rank: 1,
}

const { threshold: _threshold, previousRank: _previousRank, rank: _rank, ...leaderboardFacts } = board
const ranking = { userId: 'user-id', userName: null, rank: 1, value: -0.5 }
const historyItem = {
  date: '2026-03-10',
  timestamp: noon,
  previousRank: null,
  rank: 1,
  previousValue: null,
  value: 0.5,
}
const userLeaderboard = { ...leaderboardFacts, rank: 1, value: 0.5, history: [historyItem] }

const event = {
  eventId: id,
  metricId: id,
  total: 750.5,
  achievements: [{ ...metricAchievement, achievedAt: noon }],
  currentStreak,
  points: { xp: pointsChange },
  leaderboards: { top: { ...board, breakdownAttributeValues: [plan], breakdownAttributeValue: 'pro' } },
  idempotentReplayed: false,
  idempotencyKey: 'e4296e4b-8493-4bd1-9c30-5a1a9ac4d78f',
}

const fullUser = {
  id: 'user-id',
  email: 'user@example.com',
  name: null,
  tz: 'Europe/London',
  deviceTokens: null,
  subscribedToEmails: true,
  subscribeToEmails: true,
  attributes: { plan: 'pro' },
  control: false,
  created: noon,
  updated: noon,
}

const neverChanged = '1970-01-01T00:00:00.000Z'
const trigger = { id, type: 'streak', points: -5, status: 'archived', streakLengthThreshold: 7, userAttributes: [] }
const boost = {
  id,
  name: 'Double weekend',
  status: 'active',
  start: '2026-03-07',
  end: '2026-03-08',
  multiplier: 2,
  rounding: 'down',
}
const boostIssue = { index: 1, userId: 'nobody', severity: 'error', message: 'Unknown user.' }
const batchIssue = { index: 0, severity: 'error', message: 'Unknown metric.', code: 'unknown_metric' }
const adminKey = { id, prefix: 'a1B2c3D4', status: 'revoked', created: noon, lastUsed: null }
const applicationKey = { id, userId: 'user-id', key: 'app_a1B2c3D4e5F6.secret', prefix: 'app_a1B2c3D4e5F6' }
const listedKey = {
  id,
  prefix: 'app_a1B2c3D4e5F6',
  userId: 'user-id',
  can: null,
  createdAt: noon,
  expiresAt: null,
}
const keyIssue = { index: 1, userId: 'nobody', severity: 'error', message: 'Unknown user.' }
const deletedKeyIssue = { id, severity: 'warning', message: 'There is no such key.' }
const ownStreak = {
  enabled: true,
  evaluationMode: 'OR',
  metrics: [
    { key: 'words', threshold: 100 },
    { key: 'pages', threshold: 0 },
  ],
}

const adminLevel = {
  id,
  name: 'Bronze',
  key: 'bronze',
  points: 0,
  description: '',
  badge: { url: 'https://example.com/b' },
}
const adminFilter = { attributeId: id, attributeValue: 'pro' }
const adminTrigger = {
  id,
  type: 'metric',
  points: 10,
  status: 'active',
  userAttributes: [adminFilter],
  metricId: id,
  metricThreshold: 0.5,
  eventAttributes: [adminFilter],
  blockIfOutOfPoints: false,
}
const otherTrigger = { id, points: -5, status: 'inactive', userAttributes: [], blockIfOutOfPoints: true }
const adminSystem = {
  id,
  name: 'XP',
  key: 'xp',
  description: '',
  status: 'active',
  badge: null,
  maxPoints: null,
  levels: [adminLevel],
  boosts: [],
  triggers: [adminTrigger],
}
const adminBoard = {
  id,
  name: 'Streaks',
  key: 'streaks',
  status: 'active',
  rankBy: 'streak',
  maxParticipants: 1000,
  start: '2026-01-01',
  breakdownAttributes: [],
}

const wrappedValue = { name: 'Words written', currentTotal: 7.5, changeThisPeriod: -0.5, percentChange: -25 }
const wrappedMetric = { ...wrappedValue, byAttribute: { source: { web: wrappedValue } } }
const wrappedPoints = { name: 'XP', description: null, currentTotal: 10, changeThisPeriod: -3, percentChange: 100 }
const wrappedStreak = {
  length: 4,
  frequency: 'daily',
  periodStart: '2026-03-10',
  periodEnd: '2026-03-10',
  started: '2025-12-30',
}
const nothing = { metrics: {}, points: {}, achievements: [], leaderboards: {} }
const wrappedLeaderboard = {
  ...leaderboardFacts,
  startTime: '09:00',
  endTime: null,
  status: 'active',
  rank: 1,
  value: 0.5,
}
const wrappedPeriod = {
  metrics: { words: wrappedMetric },
  points: { xp: wrappedPoints },
  achievements: [{ ...apiAchievement, achievedAt: noon }],
  leaderboards: { top: wrappedLeaderboard },
}
const wrappedActivity = {
  daysActive: 3,
  weeksActive: 2,
  monthsActive: 1,
  mostActiveDay: { ...wrappedPeriod, date: '2026-03-10' },
  mostActiveWeek: { ...wrappedPeriod, start: '2026-03-09', end: '2026-03-15' },
  mostActiveMonth: { ...wrappedPeriod, month: 2 },
  entireYear: { ...wrappedPeriod, longestStreak: wrappedStreak },
}

const EXAMPLES: { readonly [schema: string]: readonly unknown[] } = {
  attributeFilterSchema: [plan],
  userSchema: [fullUser, { ...fullUser, email: null, name: 'Ann', tz: null, deviceTokens: ['t'], attributes: {} }],
  achievementWithStatsSchema: [
    { ...metricAchievement, completions: 4, rarity: 33.33 },
    { ...apiAchievement, trigger: 'streak', streakLength: 7, completions: 0, rarity: 0 },
    {
      ...apiAchievement,
      trigger: 'achievement',
      achievements: ['hundred', 'tour'],
      achievementIds: [id, id],
      completions: 1,
      rarity: 100,
    },
  ],
  userAchievementSchema: [
    { ...metricAchievement, achievedAt: null },
    { ...apiAchievement, achievedAt: noon },
  ],
  userAchievementWithStatsSchema: [{ ...apiAchievement, completions: 4, rarity: 33.33, achievedAt: noon }],
  achievementCompletionResponseSchema: [
    { completionId: id, achievement: { ...apiAchievement, achievedAt: noon }, points: { xp: pointsChange } },
    { completionId: id, achievement: { ...apiAchievement, achievedAt: noon }, points: {} },
  ],
  awardTriggerSchema: [
    {
      id,
      type: 'metric',
      points: 3,
      status: 'archived',
      userAttributes: [],
      created: neverChanged,
      updated: neverChanged,
    },
    {
      id,
      type: 'achievement',
      points: 3,
      status: 'active',
      userAttributes: [],
      achievementId: id,
      achievementName: 'Took the tour',
      created: noon,
      updated: noon,
    },
    { ...trigger, created: noon, updated: noon },
  ],
  pointsAwardSchema: pointsChange.awards,
  pointsLevelSchema: [level],
  cappedSchema: [capped, { ...capped, awarded: 0, resetsAt: null }],
  pointsChangeSchema: [
    { ...pointsChange, capped: [capped] },
    pointsChange,
    { ...pointsChange, level: null },
    withoutLevel,
  ],
  userPointsSchema: [userPoints, { ...userPoints, maxPoints: null, total: 0, awards: [], level: null }],
  pointsTriggerSchema: [
    { ...trigger, created: noon, updated: noon },
    {
      id,
      type: 'metric',
      points: 1,
      status: 'active',
      metricId: id,
      metricName: 'Words written',
      metricThreshold: 10,
      userAttributes: [plan],
      eventAttributes: [source],
      eventAttribute: source,
      created: noon,
      updated: noon,
    },
    {
      id,
      type: 'time',
      points: -1,
      status: 'active',
      timeUnit: 'hour',
      timeInterval: 6,
      userAttributes: [],
      created: noon,
      updated: noon,
    },
  ],
  pointsSystemResponseSchema: [
    {
      id,
      key: 'xp',
      name: 'XP',
      description: null,
      badgeUrl: null,
      maxPoints: null,
      triggers: [{ ...trigger, created: noon, updated: noon }],
    },
  ],
  adminPointsBoostSchema: [
    { ...boost, userId: null, userAttributes: [adminFilter] },
    { ...boost, userId: 'user-id' },
  ],
  createBoostsResponseSchema: [{ created: [{ ...boost, userId: null, userAttributes: [] }], issues: [boostIssue] }],
  updateBoostsResponseSchema: [
    { updated: [{ ...boost, userId: 'user-id' }], issues: [{ ...boostIssue, id, boostId: id }] },
  ],
  deleteBoostsResponseSchema: [{ deleted: [{ id }], issues: [] }],
  pointsBoostSchema: [boost, { ...boost, status: 'scheduled', end: null, multiplier: 1.5, rounding: 'nearest' }],
  pointsLevelSummaryItemSchema: [{ level, users: 3 }],
  pointsRangeSchema: [{ from: 0, to: 9, users: 3 }],
  currentStreakSchema: [currentStreak],
  streakHistoryItemSchema: [missedWeek, { ...missedWeek, usedFreeze: true }],
  userStreakSchema: [
    noStreak,
    {
      ...noStreak,
      length: 1,
      started: '2026-03-09',
      periodStart: '2026-03-09',
      periodEnd: '2026-03-15',
      expires: '2026-03-22',
      extended: noon,
      rank: 1,
      pauses: [{ id, start: '2026-03-20', end: '2026-03-21' }],
      streakHistory: [{ ...missedWeek, length: 1, usedPause: true }],
    },
  ],
  userStreakLengthSchema: [
    { userId: 'user-id', streakLength: 2, extended: noon },
    { userId: 'user-id', streakLength: 0, extended: null },
  ],
  streakRankingSchema: [
    { userId: 'user-id', name: null, streakLength: 2 },
    { userId: 'user-id', name: 'Ann', streakLength: 1 },
  ],
  wrappedValueSchema: [wrappedValue],
  wrappedMetricSchema: [wrappedMetric, { ...wrappedMetric, percentileThisPeriod: 99.5, byAttribute: {} }],
  wrappedPointsSchema: [wrappedPoints, { ...wrappedPoints, description: 'Experience', percentileThisPeriod: 0.01 }],
  wrappedLeaderboardSchema: [wrappedLeaderboard, { ...wrappedLeaderboard, rank: null }],
  wrappedStreakSchema: [
    wrappedStreak,
    { length: 0, frequency: 'weekly', periodStart: null, periodEnd: null, started: null },
  ],
  wrappedDaySchema: [{ ...wrappedPeriod, date: '2026-03-10' }],
  wrappedWeekSchema: [{ ...nothing, start: '2025-12-29', end: '2026-01-04' }],
  wrappedMonthSchema: [{ ...nothing, month: 0 }],
  wrappedYearSchema: [{ ...wrappedPeriod, longestStreak: wrappedStreak }],
  wrappedActivitySchema: [wrappedActivity],
  wrappedSchema: [{ user: fullUser, activity: wrappedActivity }],
  eventLeaderboardSchema: [
    board,
    {
      ...board,
      rankBy: 'points',
      runUnit: 'month',
      runInterval: 1,
      metricName: null,
      metricKey: null,
      pointsSystemName: 'XP',
      pointsSystemKey: 'xp',
      end: '2026-12-31',
      startTime: '09:00',
      endTime: '23:30',
      breakdownAttributeValues: [plan, { key: 'city', value: '' }],
    },
    { ...board, status: 'finished', breakdownAttributeValues: [plan], breakdownAttributeValue: 'pro' },
  ],
  leaderboardResponseSchema: [
    leaderboardFacts,
    { ...leaderboardFacts, startTime: '22:00', endTime: '06:00' },
    { ...leaderboardFacts, rankBy: 'points', pointsSystemName: 'XP', pointsSystemKey: 'xp', status: 'scheduled' },
  ],
  leaderboardRankingSchema: [ranking, { ...ranking, userName: 'Ann' }],
  leaderboardWithRankingsSchema: [
    { ...leaderboardFacts, status: 'finished', rankings: [] },
    { ...leaderboardFacts, status: 'active', rankings: [ranking] },
  ],
  leaderboardHistoryItemSchema: [historyItem, { ...historyItem, rank: null, previousValue: -3 }],
  userLeaderboardSchema: [userLeaderboard, { ...userLeaderboard, rank: null, value: null, history: [] }],
  metricEventResponseSchema: [
    event,
    { eventId: id, metricId: id, total: -1, achievements: [], currentStreak, points: {}, leaderboards: {} },
  ],
  metricResponseSchema: [
    {
      id,
      key: 'words',
      name: 'Words written',
      status: 'active',
      current: 0.3,
      achievements: [{ ...metricAchievement, achievedAt: null }],
    },
  ],
  eventSummaryItemSchema: [{ date: '2026-03-09', total: 750, change: -0.5 }],
  eventBatchResponseSchema: [
    { accepted: 1000, replayed: 3, issues: [] },
    { accepted: 0, replayed: 0, issues: [batchIssue] },
  ],
  streakPreferencesSchema: [ownStreak, { enabled: false }, { evaluationMode: 'AND' }, { metrics: ownStreak.metrics }],
  userPreferencesSchema: [
    { notifications: {} },
    {
      notifications: {
        achievement_completed: ['email', 'push'],
        recap: [],
        reactivation: ['push'],
        streak_reminder: [],
      },
      streak: ownStreak,
    },
  ],
  adminAttributeSchema: [{ id, name: 'plan', key: 'plan', type: 'user' }],
  adminMetricSchema: [{ id, name: 'Words written', key: 'words', unitType: 'number', units: '' }],
  adminBadgeSchema: [adminLevel.badge],
  adminPointsLevelSchema: [adminLevel, { ...adminLevel, badge: null }],
  adminAttributeFilterSchema: [adminFilter],
  adminPointsTriggerSchema: [
    adminTrigger,
    { ...otherTrigger, type: 'achievement', achievementId: id },
    { ...otherTrigger, type: 'streak', streakLength: 7 },
    { ...otherTrigger, type: 'user_creation' },
  ],
  adminPointsSystemSchema: [adminSystem, { ...adminSystem, badge: { url: 'https://example.com/xp' }, maxPoints: 100 }],
  adminLeaderboardSchema: [
    adminBoard,
    {
      ...adminBoard,
      description: 'Who writes most.',
      rankBy: 'metric',
      metricId: id,
      maxParticipants: 2_147_483_647,
      end: '2026-12-31',
      startTime: '09:00',
      endTime: '17:30',
      breakdownAttributes: [id],
      runUnit: 'month',
      runInterval: 1,
    },
    { ...adminBoard, rankBy: 'points', pointsSystemId: id, status: 'finished' },
  ],
  adminKeySchema: [adminKey],
  createdAdminKeySchema: [{ ...adminKey, status: 'active', lastUsed: noon, key: 'a1B2c3D4.secret' }],
  createdApplicationKeySchema: [applicationKey],
  applicationKeySchema: [listedKey, { ...listedKey, can: ['read', 'events:steps'], expiresAt: noon }],
  applicationKeyIssueSchema: [keyIssue],
  createApplicationKeysResponseSchema: [{ created: [applicationKey], issues: [keyIssue] }],
  deletedKeyIssueSchema: [deletedKeyIssue],
  deleteApplicationKeysResponseSchema: [{ deleted: [{ id }], issues: [deletedKeyIssue] }],
  problemSchema: [
    { error: 'Unknown metric "word": did you mean "words"?', code: 'unknown_metric' },
    { error: 'Invalid event.', code: 'invalid_request', issues: [{ path: 'user.id', message: 'must be a string' }] },
  ],
}

const modules = [
  achievement,
  boosts,
  configuration,
  eventBatch,
  keys,
  leaderboard,
  metricEvent,
  parts,
  points,
  preferences,
  problem,
  streak,
  user,
  wrapped,
]
const schemas = modules.flatMap((module) =>
  Object.entries(module).flatMap(([name, value]): [string, z.ZodType][] =>
    name.endsWith('Schema') && value instanceof z.ZodType ? [[name, value]] : [],
  ),
)

/** What JSON Schema has under the name of the schema. */
function toForm(schema: z.ZodType): z.core.JSONSchema.BaseSchema {
  const { $ref, $defs } = z.toJSONSchema(schema, { target: 'draft-2020-12' })
  return $defs?.[$ref?.replace('#/$defs/', '') ?? ''] ?? {}
}

describe.each(schemas)('%s', (name, schema) => {
  test('takes what the specification shows, and nothing is lost', () => {
    const examples = EXAMPLES[name] ?? []
    expect(examples.length).toBeGreaterThan(0)
    for (const example of examples) expect(schema.parse(example)).toStrictEqual(example)
  })

  test('has a form in JSON Schema, under a name of its own', () => {
    const form = toForm(schema)
    expect(form.description).toMatch(/\.$/)
    expect(form).toMatchObject({ type: 'object', additionalProperties: false })
  })
})

test('every schema has its own id', () => {
  const ids = schemas.map(([, schema]) => schema.meta()?.id)
  expect(new Set(ids).size).toBe(schemas.length)
  expect(schemas).toHaveLength(Object.keys(EXAMPLES).length)
})

test('every answer of a route has a name, or is a list of what has one', () => {
  const nameless = [...applicationApi.routes, ...adminApi.routes].flatMap(({ method, path, answers }) =>
    Object.values(answers)
      .map(({ schema }) => (schema instanceof z.ZodArray ? (schema.element as z.ZodType) : schema))
      .filter((schema) => schema.meta()?.id === undefined)
      .map(() => `${method} ${path}`),
  )
  // Documents that say what they are themselves, one answer in two forms, and lines of streams of several kinds.
  const known = ['GET /health', 'GET /openapi.json', 'POST /events/void', '/verify', '/rebuild', '/what-if', '/apply']
  expect(nameless.filter((route) => !known.some((each) => route.endsWith(each)))).toEqual([])
})

test('shapes with a name are referred to', () => {
  const { metricEventResponseSchema } = metricEvent
  const { $defs } = z.toJSONSchema(metricEventResponseSchema, { target: 'draft-2020-12' })
  const { properties } = toForm(metricEventResponseSchema)
  expect(Object.keys($defs ?? {}).sort()).toEqual([
    'AttributeFilter',
    'AwardTrigger',
    'CappedPoints',
    'CurrentStreak',
    'EventLeaderboard',
    'MetricEventResponse',
    'PointsAward',
    'PointsBoost',
    'PointsChange',
    'PointsLevel',
    'UserAchievement',
  ])
  expect(properties?.currentStreak).toEqual({ $ref: '#/$defs/CurrentStreak' })
  expect(properties?.points).toMatchObject({
    description: 'The points systems whose total changed, by key.',
    type: 'object',
    additionalProperties: { $ref: '#/$defs/PointsChange' },
  })
})

test('what may be absent is not required', () => {
  expect(toForm(metricEvent.metricEventResponseSchema).required).toEqual([
    'eventId',
    'metricId',
    'total',
    'achievements',
    'currentStreak',
    'points',
    'leaderboards',
  ])
})

/** Where a schema finds mistakes. */
function mistakes(schema: z.ZodType, input: unknown): string[] {
  return (schema.safeParse(input).error?.issues ?? []).map(({ code, path }) => `${path.join('.')}: ${code}`)
}

describe('it is refused', () => {
  const { metricEventResponseSchema } = metricEvent

  test('that a field is missing', () => {
    const { email, ...withoutEmail } = fullUser
    expect(mistakes(user.userSchema, withoutEmail)).toEqual(['email: invalid_type'])
    const { leaderboards, ...withoutBoards } = event
    expect(mistakes(metricEventResponseSchema, withoutBoards)).toEqual(['leaderboards: invalid_type'])
    expect(mistakes(problem.problemSchema, { error: 'Not found.' })).toEqual(['code: invalid_type'])
    expect(mistakes(preferences.userPreferencesSchema, {})).toEqual(['notifications: invalid_type'])
  })

  test('that a field is undefined', () => {
    expect(mistakes(metricEventResponseSchema, { ...event, idempotencyKey: undefined })).not.toEqual([])
  })

  test('that there is a stray field, at any depth', () => {
    expect(mistakes(user.userSchema, { ...fullUser, tenant: 'acme' })).toEqual([': unrecognized_keys'])
    expect(mistakes(user.userSchema, JSON.parse(`{"__proto__":1,${JSON.stringify(fullUser).slice(1)}`))).toEqual([
      ': unrecognized_keys',
    ])
    const strayLevel = { ...level, color: 'brown' }
    expect(
      mistakes(metricEventResponseSchema, { ...event, points: { xp: { ...pointsChange, level: strayLevel } } }),
    ).toEqual(['points.xp.level: unrecognized_keys'])
    expect(mistakes(preferences.userPreferencesSchema, { notifications: { weekly: [] } })).toEqual([
      'notifications: unrecognized_keys',
    ])
  })

  test.each([
    ['an instant without milliseconds', '2026-03-10T12:00:00Z'],
    ['an instant with an offset', '2026-03-10T13:00:00.000+01:00'],
    ['a date', '2026-03-10'],
  ])('that an instant is %s', (_, created) => {
    expect(mistakes(user.userSchema, { ...fullUser, created })).toEqual(['created: invalid_format'])
  })

  test('that a date is an instant, or in no calendar', () => {
    const item = { total: 1, change: 1 }
    expect(mistakes(metricEvent.eventSummaryItemSchema, { ...item, date: noon })).toEqual(['date: invalid_format'])
    expect(mistakes(metricEvent.eventSummaryItemSchema, { ...item, date: '2024-02-30' })).toEqual([
      'date: invalid_format',
    ])
  })

  test('that a number of things is no integer', () => {
    expect(mistakes(leaderboard.eventLeaderboardSchema, { ...board, rank: 1.5 })).toEqual(['rank: invalid_type'])
  })
})

describe('an object by key', () => {
  const withPoints = (key: string, value: unknown): unknown =>
    JSON.parse(`{"completionId":"${id}","achievement":${JSON.stringify({ ...apiAchievement, achievedAt: noon })},
      "points":{${JSON.stringify(key)}:${JSON.stringify(value)}}}`)

  test.each(['', '__proto__', 'constructor', 'toString', '7', 'a b', 'ключ'])('takes the key %j', (key) => {
    const { achievementCompletionResponseSchema: schema } = achievement
    expect(mistakes(schema, withPoints(key, pointsChange))).toEqual([])
    expect(mistakes(schema, withPoints(key, { ...pointsChange, total: '10' }))).toEqual([
      `points.${key}.total: invalid_type`,
    ])
    expect(mistakes(schema, withPoints(key, { ...pointsChange, stray: 1 }))).toEqual([
      `points.${key}: unrecognized_keys`,
    ])
  })

  test.each([null, [], 'text', 7])('is not %j', (points) => {
    expect(mistakes(metricEvent.metricEventResponseSchema, { ...event, points })).toEqual(['points: invalid_type'])
  })
})

test('tsc finds a shape that is not the one of the wire', () => {
  const text = z.string()
  const number = z.number()
  // @ts-expect-error a field is missing
  ;({ key: text }) satisfies parts.ShapeOf<AttributeFilter>
  // @ts-expect-error a field of another type
  ;({ key: text, value: number }) satisfies parts.ShapeOf<AttributeFilter>
  // @ts-expect-error a field too many
  ;({ from: number, to: number, users: number, other: number }) satisfies parts.ShapeOf<PointsRange>
  // @ts-expect-error one that may be absent is always there
  ;({ code: text, error: text, issues: z.array(z.any()) }) satisfies parts.ShapeOf<problem.Problem>
  // @ts-expect-error one that may be null never is
  ;({ started: text }) satisfies Pick<parts.ShapeOf<Streak>, 'started'>
  // @ts-expect-error a word is missing
  ;({ frequency: z.enum(['daily', 'weekly']) }) satisfies Pick<parts.ShapeOf<Streak>, 'frequency'>

  const mayLackItsValue = z.strictObject({
    key: text,
    value: text.exactOptional(),
  } satisfies parts.ShapeOf<AttributeFilter>)
  // @ts-expect-error the annotation finds that a field which is always there may be absent
  mayLackItsValue satisfies z.ZodType<AttributeFilter>
})
