import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { add, type Engine, onEachStorage } from '../support/engine.ts'

/*
 * What `@trophyso/node` 1.0.42 demands of an answer, copied by hand from its `serialization/types`. Its optional fields
 * may be absent or null. It accepts unknown fields, and unknown words of its enumerations.
 */

/** `instant`: ISO 8601 date-time. `Type[]` and `{Type}`: a list, or an object with any keys, of that type. */
type Kind = string

interface Fields {
  readonly required: { readonly [field: string]: Kind }
  readonly optional: { readonly [field: string]: Kind }
}

const STREAK: Fields = {
  required: { length: 'number', frequency: 'string' },
  optional: {
    started: 'string',
    periodStart: 'string',
    periodEnd: 'string',
    expires: 'string',
    freezes: 'number',
    maxFreezes: 'number',
    freezeAutoEarnInterval: 'number',
    freezeAutoEarnAmount: 'number',
  },
}

const ACHIEVEMENT: Fields = {
  required: { id: 'string', name: 'string', trigger: 'string' },
  optional: {
    description: 'string',
    badgeUrl: 'string',
    key: 'string',
    streakLength: 'number',
    metricId: 'string',
    metricValue: 'number',
    metricName: 'string',
    userAttributes: 'Attribute[]',
    eventAttribute: 'Attribute',
  },
}

const STATS = { completions: 'number', rarity: 'number' }

const POINTS: Fields = {
  required: { id: 'string', key: 'string', name: 'string', total: 'number', awards: 'PointsAward[]' },
  optional: { description: 'string', badgeUrl: 'string', maxPoints: 'number' },
}

const LEADERBOARD: Fields = {
  required: {
    id: 'string',
    name: 'string',
    key: 'string',
    rankBy: 'string',
    start: 'string',
    maxParticipants: 'number',
  },
  optional: {
    breakdownAttribute: 'string',
    metricKey: 'string',
    metricName: 'string',
    pointsSystemKey: 'string',
    pointsSystemName: 'string',
    description: 'string',
    end: 'string',
    runUnit: 'string',
    runInterval: 'number',
  },
}

const CLIENT: { readonly [type: string]: Fields } = {
  User: {
    required: {
      id: 'string',
      subscribeToEmails: 'boolean',
      attributes: '{string}',
      control: 'boolean',
      created: 'instant',
      updated: 'instant',
    },
    optional: { email: 'string', name: 'string', tz: 'string', deviceTokens: 'string[]' },
  },
  EventResponse: {
    required: {
      eventId: 'string',
      metricId: 'string',
      total: 'number',
      achievements: 'UserAchievementResponse[]',
      currentStreak: 'MetricEventStreakResponse',
      points: '{MetricEventPointsResponse}',
      leaderboards: '{MetricEventLeaderboardResponse}',
    },
    optional: { idempotencyKey: 'string', idempotentReplayed: 'boolean' },
  },
  MetricEventStreakResponse: { ...STREAK, required: { ...STREAK.required, extended: 'boolean' } },
  MetricEventPointsResponse: { ...POINTS, required: { ...POINTS.required, added: 'number' } },
  MetricEventLeaderboardResponse: {
    required: {
      id: 'string',
      key: 'string',
      name: 'string',
      rankBy: 'string',
      threshold: 'number',
      start: 'string',
      maxParticipants: 'number',
    },
    optional: {
      end: 'string',
      rank: 'number',
      previousRank: 'number',
      breakdownAttributeValue: 'string',
      breakdownAttribute: 'string',
      metricKey: 'string',
      metricName: 'string',
      pointsSystemKey: 'string',
      pointsSystemName: 'string',
      description: 'string',
      runUnit: 'string',
      runInterval: 'number',
    },
  },
  LeaderboardsAllResponseItem: { ...LEADERBOARD, required: { ...LEADERBOARD.required, status: 'string' } },
  LeaderboardResponseWithRankings: {
    ...LEADERBOARD,
    required: { ...LEADERBOARD.required, status: 'string', rankings: 'LeaderboardRanking[]' },
  },
  LeaderboardRanking: {
    required: { userId: 'string', rank: 'number', value: 'number' },
    optional: { userName: 'string' },
  },
  UserLeaderboardResponseWithHistory: {
    required: { ...LEADERBOARD.required, history: 'LeaderboardEvent[]' },
    optional: { ...LEADERBOARD.optional, rank: 'number', value: 'number' },
  },
  LeaderboardEvent: {
    required: {},
    optional: {
      timestamp: 'instant',
      previousRank: 'number',
      rank: 'number',
      previousValue: 'number',
      value: 'number',
    },
  },
  GetUserPointsResponse: POINTS,
  PointsAward: {
    required: {},
    optional: { id: 'string', awarded: 'number', date: 'string', total: 'number', trigger: 'PointsTrigger' },
  },
  PointsTrigger: {
    required: {},
    optional: {
      id: 'string',
      type: 'string',
      points: 'number',
      metricName: 'string',
      metricThreshold: 'number',
      streakLengthThreshold: 'number',
      achievementName: 'string',
      timeUnit: 'string',
      timeInterval: 'number',
    },
  },
  AchievementWithStatsResponse: { ...ACHIEVEMENT, required: { ...ACHIEVEMENT.required, ...STATS } },
  UserAchievementResponse: { ...ACHIEVEMENT, optional: { ...ACHIEVEMENT.optional, achievedAt: 'instant' } },
  UserAchievementWithStatsResponse: {
    required: { ...ACHIEVEMENT.required, ...STATS },
    optional: { ...ACHIEVEMENT.optional, achievedAt: 'instant' },
  },
  AchievementCompletionResponse: {
    required: {
      completionId: 'string',
      achievement: 'UserAchievementResponse',
      points: '{MetricEventPointsResponse}',
    },
    optional: {},
  },
  Attribute: { required: { key: 'string', value: 'string' }, optional: {} },
  MetricResponse: {
    required: {
      id: 'string',
      key: 'string',
      name: 'string',
      status: 'string',
      current: 'number',
      achievements: 'UserAchievementResponse[]',
    },
    optional: {},
  },
  UserPreferencesResponse: { required: { notifications: 'NotificationPreferences' }, optional: {} },
  NotificationPreferences: {
    required: {},
    optional: {
      achievement_completed: 'string[]',
      recap: 'string[]',
      reactivation: 'string[]',
      streak_reminder: 'string[]',
    },
  },
  StreakResponse: {
    ...STREAK,
    optional: { ...STREAK.optional, streakHistory: 'StreakResponseStreakHistoryItem[]', rank: 'number' },
  },
  StreakResponseStreakHistoryItem: {
    required: { periodStart: 'string', periodEnd: 'string', length: 'number' },
    optional: { usedFreeze: 'boolean' },
  },
  UsersMetricEventSummaryResponseItem: {
    required: { date: 'string', total: 'number', change: 'number' },
    optional: {},
  },
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

const isObject = (value: unknown): value is { readonly [field: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What the client would refuse, with its path; the empty list: nothing. */
function complaints(value: unknown, kind: Kind, path: string): readonly string[] {
  if (kind.endsWith('[]')) {
    if (!Array.isArray(value)) return [`${path}: no list`]
    return value.flatMap((item, index) => complaints(item, kind.slice(0, -2), `${path}[${index}]`))
  }
  if (kind.startsWith('{')) {
    if (!isObject(value)) return [`${path}: no object`]
    return Object.entries(value).flatMap(([key, item]) => complaints(item, kind.slice(1, -1), `${path}.${key}`))
  }
  if (kind === 'instant') return typeof value === 'string' && INSTANT.test(value) ? [] : [`${path}: no instant`]
  const fields = CLIENT[kind]
  if (fields === undefined) return typeof value === kind ? [] : [`${path}: no ${kind}`]
  if (!isObject(value)) return [`${path}: no ${kind}`]
  return [
    ...Object.entries(fields.required).flatMap(([field, of]) => complaints(value[field], of, `${path}.${field}`)),
    ...Object.entries(fields.optional).flatMap(([field, of]) => {
      const given = value[field]
      return given === undefined || given === null ? [] : complaints(given, of, `${path}.${field}`)
    }),
  ]
}

/** As it comes over the wire. */
const refused = (answer: unknown, kind: Kind): readonly string[] =>
  complaints(JSON.parse(JSON.stringify(answer)), kind, kind)

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' }, pages: { name: 'Pages' } },
  eventAttributes: ['source'],
  userAttributes: ['plan'],
  achievements: {
    hundred: { name: 'A hundred', trigger: 'metric', metric: 'words', value: 100 },
    web: { name: 'Web', trigger: 'metric', metric: 'words', value: 1, eventAttributes: { source: 'web' } },
    pro: { name: 'Pro', trigger: 'metric', metric: 'words', value: 1, userAttributes: { plan: 'pro' } },
    tour: { name: 'Tour', description: 'The tour.', badgeUrl: 'https://example.com/t.png', trigger: 'api' },
    day: { name: 'Day', trigger: 'streak', length: 1 },
    all: { name: 'All', trigger: 'achievement', achievements: ['hundred', 'tour'] },
  },
  points: {
    xp: {
      name: 'XP',
      description: 'Experience',
      badgeUrl: 'https://example.com/xp.png',
      maxPoints: 10_000,
      triggers: [
        { type: 'user_creation', points: 1 },
        { type: 'metric', metric: 'words', threshold: 10, points: 2 },
        { type: 'achievement', achievement: 'hundred', points: 3 },
        { type: 'achievement', achievement: 'tour', points: 4 },
        { type: 'streak', length: 1, points: 5 },
      ],
      levels: { bronze: { name: 'Bronze', points: 10 } },
    },
    coins: { name: 'Coins', triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 1 }] },
  },
  streak: { frequency: 'daily', metrics: { words: {} }, customization: true },
  leaderboards: {
    words: { name: 'Words', rankBy: 'metric', metric: 'words', start: '2026-01-01', end: '2026-12-31' },
    xp: {
      name: 'XP of the month',
      description: 'By plan.',
      rankBy: 'points',
      system: 'xp',
      start: '2026-01-31',
      run: { unit: 'month', interval: 1 },
      breakdown: ['plan'],
      maxParticipants: null,
    },
    streaks: { name: 'Streaks', rankBy: 'streak', start: '2026-01-01' },
  },
}

const ann = { id: 'ann', email: 'ann@example.com', name: 'Ann', tz: 'Asia/Tokyo', deviceTokens: ['t'] }
const summary = { aggregation: 'weekly', startDate: '2026-03-01', endDate: '2026-03-31' } as const
const everyType = {
  achievement_completed: ['email'],
  recap: ['push'],
  reactivation: [],
  streak_reminder: ['email', 'push'],
} as const

type Call = (engine: Engine) => Promise<unknown>

/** The type of the client, the answer, the call. The user ann is known and has done everything; bob has done nothing. */
const ANSWERS: readonly (readonly [type: Kind, what: string, call: Call])[] = [
  ['User', 'a full user', (e) => e.users.get('ann')],
  ['User', 'a bare user', (e) => e.users.get('bob')],
  ['User', 'a created user', (e) => e.users.create({ id: 'cid', attributes: { plan: 'pro' } })],
  ['User', 'an identified user', (e) => e.users.identify('cid', {})],
  ['User', 'an updated user', (e) => e.users.update('ann', { tz: null })],
  ['EventResponse', 'an event without effect', (e) => add(e, 'pages', 1)],
  [
    'EventResponse',
    'an event with every effect',
    (e) =>
      e.metrics.event('words', { user: { id: 'cid', attributes: { plan: 'pro' } }, value: 500, idempotencyKey: 'k' }),
  ],
  ['EventResponse', 'a replay', (e) => add(e, 'words', 500, { idempotencyKey: 'first' })],
  [
    'AchievementCompletionResponse',
    'a completion that pays',
    (e) => e.achievements.complete('tour', { user: { id: 'bob' } }),
  ],
  [
    'AchievementCompletionResponse',
    'a second completion',
    (e) => e.achievements.complete('tour', { user: { id: 'ann' } }),
  ],
  ['AchievementWithStatsResponse[]', 'all achievements', (e) => e.achievements.all()],
  ['UserAchievementWithStatsResponse[]', 'what a user has', (e) => e.users.achievements('ann')],
  [
    'UserAchievementWithStatsResponse[]',
    'what a user has not',
    (e) => e.users.achievements('bob', { includeIncomplete: true }),
  ],
  ['GetUserPointsResponse', 'points of every trigger', (e) => e.users.points('ann', 'xp', { awards: 100 })],
  ['GetUserPointsResponse', 'points of nothing', (e) => e.users.points('bob', 'coins')],
  ['MetricResponse[]', 'all metrics', (e) => e.users.allMetrics('ann')],
  ['MetricResponse', 'a metric', (e) => e.users.singleMetric('ann', 'words')],
  ['UserPreferencesResponse', 'all preferences', (e) => e.users.getPreferences('ann')],
  ['UserPreferencesResponse', 'no preferences', (e) => e.users.getPreferences('bob')],
  [
    'UserPreferencesResponse',
    'updated preferences',
    (e) => e.users.updatePreferences('bob', { notifications: everyType }),
  ],
  ['StreakResponse', 'a streak with history', (e) => e.users.streak('ann', { historyPeriods: 10 })],
  ['StreakResponse', 'no streak', (e) => e.users.streak('bob')],
  ['LeaderboardsAllResponseItem[]', 'all leaderboards', (e) => e.leaderboards.all()],
  ['LeaderboardResponseWithRankings', 'a leaderboard by metric', (e) => e.leaderboards.get('words')],
  [
    'LeaderboardResponseWithRankings',
    'a leaderboard by points',
    (e) => e.leaderboards.get('xp', { userAttributes: 'plan:pro' }),
  ],
  ['LeaderboardResponseWithRankings', 'a leaderboard by streak', (e) => e.leaderboards.get('streaks')],
  ['UserLeaderboardResponseWithHistory', 'a place', (e) => e.users.leaderboard('ann', 'xp')],
  ['UserLeaderboardResponseWithHistory', 'no place', (e) => e.users.leaderboard('bob', 'streaks')],
  ['UsersMetricEventSummaryResponseItem[]', 'a summary', (e) => e.users.metricEventSummary('ann', 'words', summary)],
]

onEachStorage('decisions, section 12: the client 1.0.42 can read', (open) => {
  test.each(ANSWERS)('%s: %s', async (type, _, call) => {
    const engine = await open(game)
    const user = { ...ann, attributes: { plan: 'pro' } }
    await add(engine, 'words', 500, { user, idempotencyKey: 'first', attributes: { source: 'web' } })
    await engine.achievements.complete('tour', { user: { id: 'ann' } })
    const streak = { evaluationMode: 'OR', metrics: [{ key: 'words', threshold: 1 }] } as const
    await engine.users.updatePreferences('ann', { notifications: everyType, streak })
    await engine.users.create({ id: 'bob' })
    engine.at('2026-03-11T12:00:00.000Z')
    expect(refused(await call(engine), type)).toEqual([])
  })
})

test('the list finds what is missing, of another kind or badly nested', () => {
  expect(
    refused({ id: 'ann', control: 'no', attributes: { plan: 1 }, created: '2026-03-10', updated: 7 }, 'User'),
  ).toEqual([
    'User.subscribeToEmails: no boolean',
    'User.attributes.plan: no string',
    'User.control: no boolean',
    'User.created: no instant',
    'User.updated: no instant',
  ])
  expect(refused([{ date: '2026-03-10', total: '1', change: null }], 'UsersMetricEventSummaryResponseItem[]')).toEqual([
    'UsersMetricEventSummaryResponseItem[][0].total: no number',
    'UsersMetricEventSummaryResponseItem[][0].change: no number',
  ])
  expect(refused({ notifications: { recap: 'email' } }, 'UserPreferencesResponse')).toEqual([
    'UserPreferencesResponse.notifications.recap: no list',
  ])
})
