import { z } from 'zod'
import { parseDate } from '../rules/calendar.ts'
import { flag, integer, isKey, list, number, object, oneOf, oneOfKinds, record, text } from './schema-parts.ts'
import type { StoredDefinition } from './stored.ts'
import { hasAtMost } from './text.ts'

const LARGEST = 1e15
const LARGEST_INTERVAL = 5_000
/** Stands for "no limit" in answers, so no limit can be above it. */
const LARGEST_LIMIT = 2_147_483_647
const EPOCH = '1970-01-01T00:00:00.000Z'

const name = text('a string that is not empty', (value) => value !== '')
const badge = { badgeUrl: name.exactOptional() }
const description = text('a string').exactOptional()
const key = text('a string of 1 to 255 characters', isKey)
const date = text('a date as YYYY-MM-DD', (value) => parseDate(value) !== null)
const time = text('a time of day as HH:MM', (value) => /^([01]\d|2[0-3]):[0-5]\d$/.test(value))
const instant = text('an instant as 2026-01-31T12:00:00.000Z', isInstant).transform((value) =>
  new Date(value).toISOString(),
)
const off = flag().default(false)
const threshold = number('a number above 0, at most 1e15', (value) => value > 0 && value <= LARGEST)
const length = integer('a whole number from 1', 1)
const filters = record(text('a string of at most 1,024 characters', (value) => hasAtMost(1_024, value))).default({})
const triggerStatus = oneOf('active', 'inactive').default('active')

const INSTANT = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

function isInstant(value: string): boolean {
  const day = INSTANT.exec(value)?.[1]
  return day !== undefined && parseDate(day) !== null
}

const MOST_DAYS = 31
const limitOfMetric = object({
  value: threshold,
  per: object({ days: integer(`a whole number from 1 to ${MOST_DAYS}`, 1, MOST_DAYS) }),
  then: oneOf('refuse', 'hold'),
})
const metric = object({
  name,
  status: oneOf('active', 'archived').default('active'),
  limits: list(limitOfMetric).exactOptional(),
})

const achievementBase = {
  name,
  description,
  ...badge,
  status: oneOf('active', 'inactive', 'locked').default('active'),
  userAttributes: filters,
}
const value = number('a number between -1e15 and 1e15', (amount) => Math.abs(amount) <= LARGEST)
const achievement = oneOfKinds('trigger', achievementBase, [
  object({ ...achievementBase, trigger: z.literal('metric'), metric: key, value, eventAttributes: filters }),
  object({ ...achievementBase, trigger: z.literal('api') }),
  object({ ...achievementBase, trigger: z.literal('streak'), length }),
  object({ ...achievementBase, trigger: z.literal('achievement'), achievements: list(key) }),
])

const triggerBase = {
  key: key.exactOptional(),
  points: integer('a whole number', Number.MIN_SAFE_INTEGER),
  status: triggerStatus,
  userAttributes: filters,
  blockIfOutOfPoints: off,
  created: instant.default(EPOCH),
  updated: instant.default(EPOCH),
}
const trigger = oneOfKinds('type', triggerBase, [
  object({ ...triggerBase, type: z.literal('metric'), metric: key, threshold, eventAttributes: filters }),
  object({ ...triggerBase, type: z.literal('achievement'), achievement: key }),
  object({ ...triggerBase, type: z.literal('streak'), length }),
  object({ ...triggerBase, type: z.literal('user_creation') }),
])

const level = object({ name, description, ...badge, points: integer('a whole number from 0', 0) })
const points = object({
  name,
  description,
  ...badge,
  maxPoints: integer('a whole number from 1', 1).exactOptional(),
  triggers: list(trigger).default([]),
  levels: record(level).default({}),
})

const MOST_FREEZES = 100
const freezes = integer('a whole number from 1 to 100', 1, MOST_FREEZES)

const streak = object({
  frequency: oneOf('daily', 'weekly', 'monthly'),
  evaluationMode: oneOf('OR', 'AND', 'ALL')
    .transform((mode) => (mode === 'ALL' ? 'AND' : mode))
    .default('OR'),
  metrics: record(object({ threshold: threshold.exactOptional() })),
  customization: off,
  freezes: object({
    initial: integer('a whole number from 0 to 100', 0, MOST_FREEZES).default(0),
    max: freezes,
    autoEarn: object({
      interval: integer('a whole number of days from 1 to 3650', 1, 3_650),
      amount: freezes.default(1),
    }).exactOptional(),
  }).exactOptional(),
})

const limit = integer(`a whole number from 1 to ${LARGEST_LIMIT}, or null for no limit`, 1, LARGEST_LIMIT)
const streakLimit = integer(`a whole number from 1 to ${LARGEST_LIMIT} (streak boards have a limit)`, 1, LARGEST_LIMIT)
const interval = integer(`a whole number from 1 to ${LARGEST_INTERVAL}`, 1, LARGEST_INTERVAL)
const leaderboardBase = {
  name,
  description,
  start: date,
  end: date.exactOptional(),
  breakdown: list(key).default([]),
  private: off,
}
const repeated = {
  startTime: time.exactOptional(),
  endTime: time.exactOptional(),
  run: object({ unit: oneOf('day', 'month', 'year'), interval }).exactOptional(),
  maxParticipants: limit.nullable().default(1000),
}
const leaderboard = oneOfKinds('rankBy', leaderboardBase, [
  object({ ...leaderboardBase, rankBy: z.literal('metric'), metric: key, ...repeated }),
  object({ ...leaderboardBase, rankBy: z.literal('points'), system: key, ...repeated }),
  object({ ...leaderboardBase, rankBy: z.literal('streak'), maxParticipants: streakLimit.default(1000) }),
])

const clients = object({
  events: record(object({ max: value.exactOptional(), min: value.default(0) })).default({}),
  achievements: list(key).default([]),
  attributes: list(key).default([]),
  profile: list(oneOf('name', 'email', 'tz', 'subscribedToEmails', 'deviceTokens', 'notifications', 'streak')).default(
    [],
  ),
})

/** The shape of a definition, with the defaults. Whether it refers to what is there, `checkReferences` says. */
export const definitionSchema: z.ZodType<StoredDefinition> = object({
  metrics: record(metric),
  eventAttributes: list(key).default([]),
  userAttributes: list(key).default([]),
  achievements: record(achievement).default({}),
  points: record(points).default({}),
  streak: streak.exactOptional(),
  leaderboards: record(leaderboard).default({}),
  weekStartsOn: oneOf('monday', 'sunday').default('monday'),
  experiment: object({
    controlRatio: number('a number from 0 to 1', (ratio) => ratio >= 0 && ratio <= 1),
  }).exactOptional(),
  clients: clients.exactOptional(),
  multiTenant: off,
})
