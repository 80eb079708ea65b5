/*
 * The fields of every answer, written by hand. The sources are the public documents of the hosted service (application
 * and admin API), the demands of its official client 1.18.0, and section 2 of the specification with its decisions.
 *
 * `required`: the field is in every answer of the type. `optional`: it may be absent. Null is a value only where the kind
 * has it. `by`: what is required besides, by the value of one field. Fields that are not named here may be there as well.
 */

/**
 * A word of `WORDS`, `'a'`: exactly that text, a type of `TYPES`, `Kind[]`: a list, `{Kind}`: an object with any keys;
 * several of these with `|` between them.
 */
export type Kind = string

interface Fields {
  readonly required: { readonly [field: string]: Kind }
  readonly optional?: { readonly [field: string]: Kind }
  readonly by?: {
    readonly field: string
    readonly required: { readonly [value: string]: { readonly [field: string]: Kind } }
  }
}

/** `id uuid, name string`: fields with their kinds. */
const of = (text: string): { readonly [field: string]: Kind } =>
  Object.fromEntries(Array.from(text.matchAll(/(\w+) ([^\s,]+)/g), ([, field, kind]) => [field, kind]))

const FREQUENCY = "'daily'|'weekly'|'monthly'"

const STREAK_DATES = { started: 'date|null', periodStart: 'date|null', periodEnd: 'date|null', expires: 'date|null' }

const STREAK: Required<Pick<Fields, 'required' | 'optional'>> = {
  required: { length: 'integer', frequency: FREQUENCY },
  optional: {
    ...STREAK_DATES,
    ...of(`
    freezes integer, maxFreezes integer, freezeAutoEarnInterval integer|null,
    freezeAutoEarnAmount integer|null
  `),
  },
}

const ACHIEVEMENT: Required<Fields> = {
  required: of(
    `id uuid, name string, trigger 'metric'|'streak'|'api'|'achievement'|'anniversary', userAttributes Attribute[]`,
  ),
  optional: of(`
    description string|null, badgeUrl string|null, key string, eventAttribute Attribute,
    eventAttributes Attribute[]
  `),
  by: {
    field: 'trigger',
    required: {
      metric: { metricId: 'uuid', metricName: 'string', metricValue: 'number' },
      streak: { streakLength: 'integer' },
      api: { key: 'string' },
      achievement: { achievementIds: 'uuid[]', achievements: 'string[]' },
      anniversary: { anniversaryYears: 'integer' },
    },
  },
}

const ACHIEVED = { achievedAt: 'instant|null' }
const STATS = { completions: 'integer', rarity: 'number' }

const SYSTEM = { id: 'uuid', name: 'string', description: 'string|null', badgeUrl: 'string|null' }
const POINTS = { ...SYSTEM, key: 'string', maxPoints: 'integer|null', total: 'integer', awards: 'PointsAward[]' }

const LEADERBOARD: Required<Fields> = {
  required: of(`
    id uuid, key string, name string, description string|null, rankBy 'points'|'streak'|'metric',
    status 'active'|'scheduled'|'finished', start date, end date|null, startTime time|null,
    endTime time|null, maxParticipants integer, runUnit 'day'|'month'|'year'|null,
    runInterval integer|null, breakdownAttribute string|null, breakdownAttributes string[]
  `),
  optional: of(`
    metricKey string|null, metricName string|null, pointsSystemKey string|null,
    pointsSystemName string|null
  `),
  by: {
    field: 'rankBy',
    required: {
      metric: { metricKey: 'string', metricName: 'string' },
      points: { pointsSystemKey: 'string', pointsSystemName: 'string' },
      streak: {},
    },
  },
}

const PERIOD = of(`
  metrics {WrappedMetric}, points {WrappedPoints}, achievements UserAchievement[],
  leaderboards {UserLeaderboard}
`)

const APPLICATION_TYPES: { readonly [type: string]: Fields } = {
  User: {
    required: of(`
      id string, email string|null, name string|null, tz string|null, deviceTokens string[]|null,
      subscribeToEmails boolean, subscribedToEmails boolean, attributes {string}, control boolean, signUpDate date|null,
      created instant, updated instant
    `),
  },
  Attribute: { required: { key: 'string', value: 'string' } },
  EventResponse: {
    required: of(`
      eventId uuid, metricId uuid, total number, achievements UserAchievement[], currentStreak EventStreak,
      points {EventPoints}, leaderboards {EventLeaderboard}
    `),
    optional: { idempotencyKey: 'string', idempotentReplayed: 'boolean' },
  },
  EventStreak: { ...STREAK, required: { ...STREAK.required, extended: 'boolean' } },
  EventPoints: { required: { ...POINTS, added: 'integer' }, optional: { level: 'PointsLevel|null' } },
  EventLeaderboard: {
    ...LEADERBOARD,
    required: { ...LEADERBOARD.required, ...of('threshold number, rank integer|null, previousRank integer|null') },
    optional: {
      ...LEADERBOARD.optional,
      breakdownAttributeValue: 'string|null',
      breakdownAttributeValues: 'Attribute[]',
    },
  },
  CompletionResponse: { required: { completionId: 'uuid', achievement: 'UserAchievement', points: '{EventPoints}' } },
  AchievementWithStats: { ...ACHIEVEMENT, required: { ...ACHIEVEMENT.required, ...STATS } },
  UserAchievement: { ...ACHIEVEMENT, required: { ...ACHIEVEMENT.required, ...ACHIEVED } },
  UserAchievementWithStats: { ...ACHIEVEMENT, required: { ...ACHIEVEMENT.required, ...ACHIEVED, ...STATS } },
  PointsAward: {
    required: { id: 'uuid', awarded: 'integer', date: 'instant', total: 'integer', trigger: 'PointsTrigger' },
    optional: { boosts: 'PointsBoost[]' },
  },
  PointsTrigger: {
    required: of(`
      id uuid, type 'metric'|'achievement'|'streak'|'time'|'user_creation', points integer,
      status 'active'|'inactive'|'archived', userAttributes Attribute[], created instant, updated instant
    `),
    optional: of(`eventAttribute Attribute, eventAttributes Attribute[], timeUnit 'hour'|'day', timeInterval integer`),
    by: {
      field: 'type',
      required: {
        metric: { metricId: 'uuid', metricName: 'string', metricThreshold: 'number' },
        achievement: { achievementId: 'uuid', achievementName: 'string' },
        streak: { streakLengthThreshold: 'integer' },
        user_creation: {},
        time: { timeUnit: "'hour'|'day'", timeInterval: 'integer' },
      },
    },
  },
  PointsLevel: {
    required: of('id uuid, key string, name string, description string, badgeUrl string|null, points integer'),
  },
  PointsBoost: {
    required: of(`
      id uuid, name string, status 'active'|'scheduled'|'finished', start date, end date|null,
      multiplier number, rounding 'down'|'up'|'nearest'
    `),
  },
  UserPoints: { required: { ...POINTS, level: 'PointsLevel|null' } },
  PointsSystem: { required: { ...SYSTEM, maxPoints: 'integer|null', triggers: 'PointsTrigger[]' } },
  PointsRange: { required: { from: 'integer', to: 'integer', users: 'integer' } },
  PointsLevelUsers: { required: { level: 'PointsLevel', users: 'integer' } },
  SummaryItem: { required: { date: 'date', total: 'number', change: 'number' } },
  Metric: {
    required: of(`
      id uuid, key string, name string, status 'active'|'archived', current number,
      achievements UserAchievement[]
    `),
  },
  Preferences: { required: { notifications: 'Notifications' }, optional: { streak: 'StreakPreferences' } },
  Notifications: {
    required: {},
    optional: of('achievement_completed Channel[], recap Channel[], reactivation Channel[], streak_reminder Channel[]'),
  },
  StreakPreferences: {
    required: {},
    optional: { enabled: 'boolean', evaluationMode: "'OR'|'AND'", metrics: 'StreakMetric[]', daysOff: 'integer[]' },
  },
  StreakMetric: { required: { key: 'string', threshold: 'number' } },
  UserStreak: {
    required: { ...STREAK.required, ...of('extended instant|null, streakHistory StreakPeriod[], pauses UserPause[]') },
    optional: { ...STREAK.optional, rank: 'integer|null' },
  },
  StreakPeriod: {
    required: { periodStart: 'date', periodEnd: 'date', length: 'integer', usedPause: 'boolean' },
    optional: { usedFreeze: 'boolean', resetAt: 'instant' },
  },
  UserPause: { required: { id: 'uuid', start: 'date', end: 'date' } },
  UserStreakLength: { required: { userId: 'string', streakLength: 'integer', extended: 'instant|null' } },
  StreakRanking: { required: { userId: 'string', name: 'string|null', streakLength: 'integer' } },
  Leaderboard: LEADERBOARD,
  LeaderboardWithRankings: { ...LEADERBOARD, required: { ...LEADERBOARD.required, rankings: 'Ranking[]' } },
  Ranking: { required: { userId: 'string', rank: 'integer', value: 'number' }, optional: { userName: 'string|null' } },
  UserLeaderboard: {
    ...LEADERBOARD,
    required: { ...LEADERBOARD.required, rank: 'integer|null', value: 'number|null' },
  },
  UserLeaderboardWithHistory: {
    ...LEADERBOARD,
    required: { ...LEADERBOARD.required, ...of('rank integer|null, value number|null, history LeaderboardDay[]') },
  },
  LeaderboardDay: {
    required: { date: 'date', timestamp: 'instant' },
    optional: of('previousRank integer|null, rank integer|null, previousValue number|null, value number|null'),
  },
  Wrapped: { required: { user: 'User', activity: 'WrappedActivity' } },
  WrappedActivity: {
    required: of(`
      daysActive integer, weeksActive integer, monthsActive integer, mostActiveDay WrappedDay,
      mostActiveWeek WrappedWeek, mostActiveMonth WrappedMonth, entireYear WrappedYear
    `),
  },
  WrappedDay: { required: { ...PERIOD, date: 'date' } },
  WrappedWeek: { required: { ...PERIOD, start: 'date', end: 'date' } },
  WrappedMonth: { required: { ...PERIOD, month: 'integer' } },
  WrappedYear: { required: { ...PERIOD, longestStreak: 'WrappedStreak' } },
  WrappedMetric: {
    required: of(`
      name string, currentTotal number, changeThisPeriod number, percentChange number,
      byAttribute {{WrappedValue}}
    `),
    optional: { units: 'string|null', percentileThisPeriod: 'number' },
  },
  WrappedValue: {
    required: {},
    optional: of(`
      name string, units string|null, currentTotal number, changeThisPeriod number, percentChange number,
      percentileThisPeriod number
    `),
  },
  WrappedPoints: {
    required: { name: 'string', currentTotal: 'integer', changeThisPeriod: 'integer', percentChange: 'number' },
    optional: { description: 'string|null', percentileThisPeriod: 'number' },
  },
  WrappedStreak: {
    required: of(`
      length integer, frequency ${FREQUENCY}, periodStart date|null, periodEnd date|null,
      started date|null
    `),
  },
  Refusal: { required: { error: 'string', code: 'string' }, optional: { issues: 'Mistake[]' } },
  Mistake: { required: { path: 'string', message: 'string' } },
}

const ADMIN_TYPES: { readonly [type: string]: Fields } = {
  AdminIssue: {
    required: { severity: "'error'|'warning'", message: 'string' },
    optional: { id: 'string', userId: 'string', boostId: 'string', index: 'integer' },
  },
  Deleted: { required: { id: 'uuid' } },
  CreatedKeys: { required: { created: 'CreatedKey[]', issues: 'AdminIssue[]' } },
  CreatedKey: { required: { id: 'uuid', userId: 'string', key: 'string', prefix: 'string' } },
  DeletedKeys: { required: { deleted: 'Deleted[]', issues: 'AdminIssue[]' } },
  CreatedFreezes: { required: { issues: 'AdminIssue[]' } },
  ResetStreaks: { required: { resetUsers: 'string[]', issues: 'AdminIssue[]' } },
  RestoredStreaks: { required: { restoredUsers: 'string[]', issues: 'AdminIssue[]' } },
  CreatedPauses: { required: { created: 'CreatedPause[]', issues: 'AdminIssue[]' } },
  CreatedPause: {
    required: { id: 'uuid', userId: 'string', start: 'date', end: 'date', status: "'active'|'archived'" },
  },
  DeletedPauses: { required: { deleted: 'Deleted[]', issues: 'AdminIssue[]' } },
  AdminBoost: {
    required: of(`
      id uuid, name string, status 'active'|'scheduled'|'finished', userId string|null, start date,
      end date|null, multiplier number, rounding 'down'|'up'|'nearest'
    `),
    optional: { userAttributes: 'AdminFilter[]' },
  },
  CreatedBoosts: { required: { created: 'AdminBoost[]', issues: 'AdminIssue[]' } },
  UpdatedBoosts: { required: { updated: 'AdminBoost[]', issues: 'AdminIssue[]' } },
  DeletedBoosts: { required: { deleted: 'Deleted[]', issues: 'AdminIssue[]' } },
  Batch: { required: { accepted: 'integer', replayed: 'integer', issues: 'BatchIssue[]' } },
  BatchIssue: { required: { index: 'integer', severity: "'error'|'warning'", message: 'string', code: 'string' } },
  AdminAttribute: { required: { id: 'uuid', name: 'string', key: 'string', type: "'user'|'event'" } },
  AdminMetric: {
    required: { id: 'uuid', name: 'string', key: 'string', unitType: "'number'|'currency'", units: 'string' },
  },
  AdminPoints: {
    required: of(`
      id uuid, name string, key string, description string, status 'active'|'archived', badge Badge|null,
      maxPoints integer|null
    `),
  },
  Badge: { required: { url: 'string' } },
  AdminAchievement: {
    required: of(`
      id uuid, name string, description string|null, trigger 'metric'|'streak'|'api'|'achievement'|'anniversary',
      status 'active'|'inactive'|'locked', badge Badge|null, userAttributes AdminFilter[]
    `),
    by: {
      field: 'trigger',
      required: {
        metric: { metricId: 'uuid', metricValue: 'number', eventAttributes: 'AdminFilter[]' },
        streak: { streakLength: 'integer' },
        api: { key: 'string' },
        achievement: { achievementIds: 'uuid[]' },
        anniversary: { anniversaryYears: 'integer' },
      },
    },
  },
  StreakSettings: {
    required: of(`
      frequency 'daily'|'weekly'|'monthly', evaluationMode 'OR'|'AND', customizationEnabled boolean,
      daysOff integer[], metrics StreakSettingsMetric[], freezes StreakFreezes|null
    `),
  },
  StreakSettingsMetric: { required: { key: 'string', threshold: 'integer' } },
  StreakFreezes: {
    required: of(`
      startCount integer, maxCount integer, autoEarnInterval integer|null, autoEarnAmount integer|null
    `),
  },
  AdminSettings: {
    required: of(`branding Branding, experimentation Experimentation, aggregationPeriod 'weekly'|'monthly'`),
  },
  Branding: {
    required: of(`
      appName string, appUrl string, brandColor string, font 'MODERN_SANS', logo Badge|null, appIcon Badge|null
    `),
  },
  Experimentation: { required: { controlRatio: 'integer', userActivationWindow: 'integer' } },
  Environment: { required: { name: 'string', key: 'string', priority: 'integer' } },
  AdminLevel: {
    required: of('id uuid, name string, key string, points integer, description string, badge Badge|null'),
  },
  AdminTrigger: {
    required: of(`
      id uuid, type 'metric'|'achievement'|'streak'|'time'|'user_creation', points integer,
      status 'active'|'inactive', userAttributes AdminFilter[], blockIfOutOfPoints boolean
    `),
    optional: { eventAttributes: 'AdminFilter[]' },
    by: {
      field: 'type',
      required: {
        metric: { metricId: 'uuid', metricThreshold: 'number' },
        achievement: { achievementId: 'uuid' },
        streak: { streakLength: 'integer' },
        user_creation: {},
        time: { timeUnit: "'hours'|'days'", timeInterval: 'integer' },
      },
    },
  },
  AdminFilter: { required: { attributeId: 'uuid', attributeValue: 'string' } },
  AdminLeaderboard: {
    required: of(`
      id uuid, name string, key string, status 'inactive'|'active'|'scheduled'|'finished',
      rankBy 'points'|'streak'|'metric', maxParticipants integer, start date, breakdownAttributes uuid[]
    `),
    optional: of(`
      description string|null, end date|null, startTime time|null, endTime time|null,
      runUnit 'day'|'month'|'year'|null, runInterval integer|null
    `),
    by: { field: 'rankBy', required: { metric: { metricId: 'uuid' }, points: { pointsSystemId: 'uuid' }, streak: {} } },
  },
}

const TYPES: { readonly [type: string]: Fields } = { ...APPLICATION_TYPES, ...ADMIN_TYPES }

const DATE = /^\d{4}-\d{2}-\d{2}$/
const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[57][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const isText =
  (form: RegExp) =>
  (value: unknown): boolean =>
    typeof value === 'string' && form.test(value)

const WORDS: { readonly [word: string]: (value: unknown) => boolean } = {
  null: (value) => value === null,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  date: isText(DATE),
  time: isText(TIME),
  instant: isText(INSTANT),
  uuid: isText(UUID),
  Channel: (value) => value === 'email' || value === 'push',
}

type Json = { readonly [field: string]: unknown }

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields that were seen, by type: `Type.field`, absent, null or there. */
export type Seen = Map<string, Set<'absent' | 'null' | 'there'>>

/** The faults of a value, each with its path; empty if there are none. */
export function complaintsOf(value: unknown, kind: Kind, seen: Seen = new Map()): readonly string[] {
  return complain(value, kind, kind, seen)
}

function complain(value: unknown, kind: Kind, path: string, seen: Seen): readonly string[] {
  const choices = kind.split('|')
  if (choices.length > 1) {
    if (value === null && choices.includes('null')) return []
    const others = choices.filter((choice) => choice !== 'null')
    const found = others.map((choice) => complain(value, choice, path, seen))
    if (found.some((complaints) => complaints.length === 0)) return []
    return others.length === 1 ? (found[0] ?? []) : [`${path}: ${describe(value)}, and no ${kind}`]
  }
  if (kind.endsWith('[]')) {
    if (!Array.isArray(value)) return [`${path}: ${describe(value)}, and no list`]
    return value.flatMap((item, index) => complain(item, kind.slice(0, -2), `${path}[${index}]`, seen))
  }
  if (kind.startsWith('{')) {
    if (!isObject(value)) return [`${path}: ${describe(value)}, and no object`]
    return Object.entries(value).flatMap(([key, item]) => complain(item, kind.slice(1, -1), `${path}.${key}`, seen))
  }
  if (kind.startsWith("'")) return value === kind.slice(1, -1) ? [] : [`${path}: ${describe(value)}, and no ${kind}`]
  const isOf = WORDS[kind]
  if (isOf !== undefined) return isOf(value) ? [] : [`${path}: ${describe(value)}, and no ${kind}`]
  const fields = TYPES[kind]
  if (fields === undefined) throw new Error(`There is no kind ${kind}`)
  if (!isObject(value)) return [`${path}: ${describe(value)}, and no ${kind}`]
  return complainOfFields(value, kind, fields, path, seen)
}

function complainOfFields(value: Json, type: string, fields: Fields, path: string, seen: Seen): readonly string[] {
  const { required, optional = {}, by } = fields
  const besides = by?.required[String(value[by.field])] ?? {}
  const mandatory: { readonly [field: string]: Kind } = { ...required, ...besides }
  const complaints: string[] = []
  for (const [field, kind] of Object.entries({ ...optional, ...mandatory })) {
    const given = value[field]
    see(seen, `${type}.${field}`, given)
    if (given !== undefined) complaints.push(...complain(given, kind, `${path}.${field}`, seen))
    else if (field in mandatory) complaints.push(`${path}.${field}: missing`)
  }
  return complaints
}

function see(seen: Seen, field: string, value: unknown): void {
  const how = value === undefined ? 'absent' : value === null ? 'null' : 'there'
  seen.set(field, (seen.get(field) ?? new Set()).add(how))
}

function describe(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 60)
}

/** Every field of every type, those that are required by a value included. */
export function allFields(): readonly string[] {
  return Object.entries(TYPES).flatMap(([type, { required, optional = {}, by }]) => {
    const besides = Object.values(by?.required ?? {}).flatMap((fields) => Object.keys(fields))
    const names = new Set([...Object.keys(required), ...Object.keys(optional), ...besides])
    return [...names].map((field) => `${type}.${field}`)
  })
}

/** The fields that may be null. */
export function nullableFields(): readonly string[] {
  return Object.entries(TYPES).flatMap(([type, { required, optional = {} }]) =>
    Object.entries({ ...optional, ...required })
      .filter(([, kind]) => kind.split('|').includes('null'))
      .map(([field]) => `${type}.${field}`),
  )
}
