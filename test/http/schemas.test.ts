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

const currentStreak = {
  length: 1,
  frequency: 'daily',
  started: '2026-03-10',
  periodStart: '2026-03-10',
  periodEnd: '2026-03-10',
  expires: '2026-03-11',
  extended: true,
}

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
