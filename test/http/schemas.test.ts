import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { adminApi, applicationApi } from '../../src/http/apis.ts'
import { schemaOf } from '../../src/http/route.ts'
import { type JsonSchema, SCHEMAS, type SchemaName } from '../../src/http/schemas.ts'
import { mistakesOf } from '../support/answer-schemas.ts'

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

const EXAMPLES: { readonly [Name in SchemaName]?: readonly unknown[] } = {
  AttributeFilter: [plan],
  User: [fullUser, { ...fullUser, email: null, name: 'Ann', tz: null, deviceTokens: ['t'], attributes: {} }],
  AchievementWithStats: [
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
  UserAchievement: [
    { ...metricAchievement, achievedAt: null },
    { ...apiAchievement, achievedAt: noon },
  ],
  UserAchievementWithStats: [{ ...apiAchievement, completions: 4, rarity: 33.33, achievedAt: noon }],
  AchievementCompletionResponse: [
    { completionId: id, achievement: { ...apiAchievement, achievedAt: noon }, points: { xp: pointsChange } },
    { completionId: id, achievement: { ...apiAchievement, achievedAt: noon }, points: {} },
  ],
  AwardTrigger: [
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
  PointsAward: pointsChange.awards,
  PointsLevel: [level],
  CappedPoints: [capped, { ...capped, awarded: 0, resetsAt: null }],
  PointsChange: [{ ...pointsChange, capped: [capped] }, pointsChange, { ...pointsChange, level: null }, withoutLevel],
  UserPoints: [userPoints, { ...userPoints, maxPoints: null, total: 0, awards: [], level: null }],
  PointsTrigger: [
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
  PointsSystem: [
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
  AdminPointsBoost: [
    { ...boost, userId: null, userAttributes: [adminFilter] },
    { ...boost, userId: 'user-id' },
  ],
  CreateBoostsResponse: [{ created: [{ ...boost, userId: null, userAttributes: [] }], issues: [boostIssue] }],
  UpdateBoostsResponse: [{ updated: [{ ...boost, userId: 'user-id' }], issues: [{ ...boostIssue, id, boostId: id }] }],
  DeleteBoostsResponse: [{ deleted: [{ id }], issues: [] }],
  PointsBoost: [boost, { ...boost, status: 'scheduled', end: null, multiplier: 1.5, rounding: 'nearest' }],
  PointsLevelSummaryItem: [{ level, users: 3 }],
  PointsRange: [{ from: 0, to: 9, users: 3 }],
  CurrentStreak: [currentStreak],
  StreakHistoryItem: [missedWeek, { ...missedWeek, usedFreeze: true }],
  UserStreak: [
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
  UserStreakLength: [
    { userId: 'user-id', streakLength: 2, extended: noon },
    { userId: 'user-id', streakLength: 0, extended: null },
  ],
  StreakRanking: [
    { userId: 'user-id', name: null, streakLength: 2 },
    { userId: 'user-id', name: 'Ann', streakLength: 1 },
  ],
  WrappedValue: [wrappedValue],
  WrappedMetric: [wrappedMetric, { ...wrappedMetric, percentileThisPeriod: 99.5, byAttribute: {} }],
  WrappedPoints: [wrappedPoints, { ...wrappedPoints, description: 'Experience', percentileThisPeriod: 0.01 }],
  WrappedLeaderboard: [wrappedLeaderboard, { ...wrappedLeaderboard, rank: null }],
  WrappedStreak: [wrappedStreak, { length: 0, frequency: 'weekly', periodStart: null, periodEnd: null, started: null }],
  WrappedDay: [{ ...wrappedPeriod, date: '2026-03-10' }],
  WrappedWeek: [{ ...nothing, start: '2025-12-29', end: '2026-01-04' }],
  WrappedMonth: [{ ...nothing, month: 0 }],
  WrappedYear: [{ ...wrappedPeriod, longestStreak: wrappedStreak }],
  WrappedActivity: [wrappedActivity],
  Wrapped: [{ user: fullUser, activity: wrappedActivity }],
  EventLeaderboard: [
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
  Leaderboard: [
    leaderboardFacts,
    { ...leaderboardFacts, startTime: '22:00', endTime: '06:00' },
    { ...leaderboardFacts, rankBy: 'points', pointsSystemName: 'XP', pointsSystemKey: 'xp', status: 'scheduled' },
  ],
  LeaderboardRanking: [ranking, { ...ranking, userName: 'Ann' }],
  LeaderboardWithRankings: [
    { ...leaderboardFacts, status: 'finished', rankings: [] },
    { ...leaderboardFacts, status: 'active', rankings: [ranking] },
  ],
  LeaderboardHistoryItem: [historyItem, { ...historyItem, rank: null, previousValue: -3 }],
  UserLeaderboard: [userLeaderboard, { ...userLeaderboard, rank: null, value: null, history: [] }],
  MetricEventResponse: [
    event,
    { eventId: id, metricId: id, total: -1, achievements: [], currentStreak, points: {}, leaderboards: {} },
  ],
  MetricResponse: [
    {
      id,
      key: 'words',
      name: 'Words written',
      status: 'active',
      current: 0.3,
      achievements: [{ ...metricAchievement, achievedAt: null }],
    },
  ],
  EventSummaryItem: [{ date: '2026-03-09', total: 750, change: -0.5 }],
  EventBatchResponse: [
    { accepted: 1000, replayed: 3, issues: [] },
    { accepted: 0, replayed: 0, issues: [batchIssue] },
  ],
  StreakPreferences: [ownStreak, { enabled: false }, { evaluationMode: 'AND' }, { metrics: ownStreak.metrics }],
  UserPreferences: [
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
  AdminAttribute: [{ id, name: 'plan', key: 'plan', type: 'user' }],
  AdminMetric: [{ id, name: 'Words written', key: 'words', unitType: 'number', units: '' }],
  AdminBadge: [adminLevel.badge],
  AdminPointsLevel: [adminLevel, { ...adminLevel, badge: null }],
  AdminAttributeFilter: [adminFilter],
  AdminPointsTrigger: [
    adminTrigger,
    { ...otherTrigger, type: 'achievement', achievementId: id },
    { ...otherTrigger, type: 'streak', streakLength: 7 },
    { ...otherTrigger, type: 'user_creation' },
  ],
  AdminPointsSystem: [adminSystem, { ...adminSystem, badge: { url: 'https://example.com/xp' }, maxPoints: 100 }],
  AdminLeaderboard: [
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
  AdminKey: [adminKey],
  CreatedApplicationKey: [applicationKey],
  ApplicationKey: [listedKey, { ...listedKey, can: ['read', 'events:steps'], expiresAt: noon }],
  ApplicationKeyIssue: [keyIssue],
  CreateApplicationKeysResponse: [{ created: [applicationKey], issues: [keyIssue] }],
  DeletedKeyIssue: [deletedKeyIssue],
  DeleteApplicationKeysResponse: [{ deleted: [{ id }], issues: [deletedKeyIssue] }],
  Problem: [
    { error: 'Unknown metric "word": did you mean "words"?', code: 'unknown_metric' },
    { error: 'Invalid event.', code: 'invalid_request', issues: [{ path: 'user.id', message: 'must be a string' }] },
  ],
}

const examples = Object.entries(EXAMPLES) as [SchemaName, readonly unknown[]][]

test.each(examples)('%s takes what the specification shows', (name, shown) => {
  expect(shown.length).toBeGreaterThan(0)
  expect(shown.map((example) => mistakesOf(schemaOf(name), example))).toEqual(shown.map(() => []))
})

test.each(Object.entries(SCHEMAS))('%s says what it is, and is closed', (_, schema) => {
  expect(schema.description).toMatch(/\.$/)
  expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
})

test('every answer of a route has a name, or is a list of what has one', () => {
  const nameless = [...applicationApi.routes, ...adminApi.routes].flatMap(({ method, path, answers }) =>
    Object.values(answers)
      .map(({ schema }) => (schema.type === 'array' ? (schema.items as JsonSchema) : schema))
      .filter((schema) => schema.$ref === undefined)
      .map(() => `${method} ${path}`),
  )
  // Documents that say what they are themselves, one answer in two forms, and lines of streams of several kinds.
  const known = ['GET /health', 'GET /openapi.json', 'POST /events/void', '/verify', '/rebuild', '/what-if', '/apply']
  expect(nameless.filter((route) => !known.some((each) => route.endsWith(each)))).toEqual([])
})

test('shapes with a name are referred to', () => {
  const properties = SCHEMAS.MetricEventResponse.properties as { readonly [name: string]: JsonSchema }
  expect(properties.currentStreak).toEqual({ $ref: '#/components/schemas/CurrentStreak' })
  expect(properties.points).toEqual({
    description: 'The points systems whose total changed, by key.',
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/PointsChange' },
  })
})

test('what may be absent is not required', () => {
  expect(SCHEMAS.MetricEventResponse.required).toEqual([
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
function mistakes(name: SchemaName, input: unknown): readonly string[] {
  return mistakesOf(schemaOf(name), input)
}

describe('it is refused', () => {
  test('that a field is missing', () => {
    const { email, ...withoutEmail } = fullUser
    expect(mistakes('User', withoutEmail)).toEqual([': required'])
    const { leaderboards, ...withoutBoards } = event
    expect(mistakes('MetricEventResponse', withoutBoards)).toEqual([': required'])
    expect(mistakes('Problem', { error: 'Not found.' })).toEqual([': required'])
    expect(mistakes('UserPreferences', {})).toEqual([': required'])
  })

  test('that there is a stray field, at any depth', () => {
    expect(mistakes('User', { ...fullUser, tenant: 'acme' })).toEqual([': additionalProperties'])
    expect(mistakes('User', JSON.parse(`{"__proto__":1,${JSON.stringify(fullUser).slice(1)}`))).toEqual([
      ': additionalProperties',
    ])
    const strayLevel = { ...level, color: 'brown' }
    const stray = { ...event, points: { xp: { ...pointsChange, level: strayLevel } } }
    expect(mistakes('MetricEventResponse', stray)).toContain('points.xp.level: additionalProperties')
    expect(mistakes('UserPreferences', { notifications: { weekly: [] } })).toEqual([
      'notifications: additionalProperties',
    ])
  })

  test.each([
    ['an instant without milliseconds', '2026-03-10T12:00:00Z'],
    ['an instant with an offset', '2026-03-10T13:00:00.000+01:00'],
    ['a date', '2026-03-10'],
  ])('that an instant is %s', (_, created) => {
    expect(mistakes('User', { ...fullUser, created })).toContain('created: pattern')
  })

  test('that a date is an instant, or in no calendar', () => {
    const item = { total: 1, change: 1 }
    expect(mistakes('EventSummaryItem', { ...item, date: noon })).toContain('date: format')
    expect(mistakes('EventSummaryItem', { ...item, date: '2024-02-30' })).toEqual(['date: format'])
  })

  test('that a number of things is no integer', () => {
    expect(mistakes('EventLeaderboard', { ...board, rank: 1.5 })).toContain('rank: type')
    expect(mistakes('AchievementCompletion', { userId: 'ann', name: null, achievedAt: noon, count: -1 })).toEqual([
      'count: minimum',
    ])
  })

  test('that a word is not one of them', () => {
    expect(mistakes('CurrentStreak', { ...currentStreak, frequency: 'yearly' })).toEqual(['frequency: enum'])
  })

  test('that an id is no UUID', () => {
    expect(mistakes('AdminBadge', { url: 7 })).toEqual(['url: type'])
    expect(mistakes('CappedPoints', { ...capped, triggerId: 'first' })).toContain('triggerId: format')
  })
})

describe('an object by key', () => {
  const withPoints = (key: string, value: unknown): unknown =>
    JSON.parse(`{"completionId":"${id}","achievement":${JSON.stringify({ ...apiAchievement, achievedAt: noon })},
      "points":{${JSON.stringify(key)}:${JSON.stringify(value)}}}`)

  test.each(['', '__proto__', 'constructor', 'toString', '7', 'a b', 'ключ'])('takes the key %j', (key) => {
    const schema = 'AchievementCompletionResponse'
    expect(mistakes(schema, withPoints(key, pointsChange))).toEqual([])
    expect(mistakes(schema, withPoints(key, { ...pointsChange, total: '10' }))).toEqual([`points.${key}.total: type`])
    expect(mistakes(schema, withPoints(key, { ...pointsChange, stray: 1 }))).toEqual([
      `points.${key}: additionalProperties`,
    ])
  })

  test.each([null, [], 'text', 7])('is not %j', (points) => {
    expect(mistakes('MetricEventResponse', { ...event, points })).toEqual(['points: type'])
  })
})

test('the schemas are made from the types as they are: run npm run schemas', async () => {
  const { schemasModule } = await import('../schemas/generate.ts')
  const folder = fileURLToPath(new URL('../..', import.meta.url))
  expect(readFileSync(`${folder}/src/http/schemas.ts`, 'utf8')).toBe(schemasModule(folder))
}, 60_000)
