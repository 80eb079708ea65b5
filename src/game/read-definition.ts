import { z } from 'zod'
import { GamificationError, type Issue } from '../errors.ts'
import { parseDate, WEEKDAYS, type Weekday, weekdaysWithout } from '../rules/calendar.ts'
import { LEADERBOARD_CHOICES } from '../rules/game.ts'
import { unknownProperty } from '../suggest.ts'
import { achievements } from './achievement-schema.ts'
import { catalogueReward } from './catalogue.ts'
import { challenge } from './challenges.ts'
import { checkConsistency } from './consistency.ts'
import { checkEffects } from './effects.ts'
import { copyJson, createMistakes, type Mistakes } from './json.ts'
import { checkReferences } from './references.ts'
import {
  absent,
  datePart,
  description,
  emails,
  filters,
  flagPart,
  integer,
  isKey,
  key,
  LARGEST,
  length,
  list,
  name,
  number,
  object,
  oneOf,
  oneOfKinds,
  record,
  reminders,
  textPart,
  value,
  wordOr,
} from './schema-parts.ts'
import type { StoredDefinition } from './stored-definition.ts'
import { checkTiers } from './tiers.ts'
import { walletShape } from './wallets.ts'

const LARGEST_INTERVAL = 5_000
/** Answers use this number for "no limit", so no limit can be above it. */
const LARGEST_LIMIT = 2_147_483_647
const EPOCH = '1970-01-01T00:00:00.000Z'

const badge = { badgeUrl: name.exactOptional() }
const time = textPart('a time of day as HH:MM', (value) => /^([01]\d|2[0-3]):[0-5]\d$/.test(value))
const instant = textPart('an instant as 2026-01-31T12:00:00.000Z', isInstant).transform((value) =>
  new Date(value).toISOString(),
)
const off = flagPart().default(false)
const threshold = number('a number above 0, at most 1e15', (value) => value > 0 && value <= LARGEST)
const triggerStatus = oneOf('active', 'inactive').default('active')

const INSTANT = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

function isInstant(value: string): boolean {
  const day = INSTANT.exec(value)?.[1]
  return day !== undefined && parseDate(day) !== null
}

const DAYS_OF_WEEK = 7
const MOST_DAYS = 31
const limitOfMetric = object({
  value: threshold,
  per: object({ days: integer(`a whole number from 1 to ${MOST_DAYS}`, 1, MOST_DAYS) }),
  then: oneOf('refuse', 'hold'),
})
const readMetric = object({
  name,
  status: oneOf('active', 'archived').default('active'),
  aggregation: oneOf('sum', 'max', 'min', 'last', 'distinct').exactOptional(),
  of: key.exactOptional(),
  unit: textPart('a string of 1 to 255 characters', isKey).exactOptional(),
  limits: list(limitOfMetric).exactOptional(),
})
// A game that says `sum` is the one that says nothing.
const metric = readMetric.transform(({ aggregation, ...read }) =>
  aggregation === undefined || aggregation === 'sum' ? read : { ...read, aggregation },
)

const cap = object(
  { points: integer('a whole number from 1', 1), per: oneOf('day', 'week', 'month', 'ever') },
  "an object, as { points: 200, per: 'day' }",
)
// `checkConsistency` demands exactly one of the two.
const every = object(
  {
    hours: integer('a whole number of hours from 1 to 87600', 1, 87_600).exactOptional(),
    days: integer('a whole number of days from 1 to 3650', 1, 3_650).exactOptional(),
  },
  'an object, as { hours: 6 }',
).transform(({ hours, days = 1 }) => (hours === undefined ? { days } : { hours }))
const triggerBase = {
  key: key.exactOptional(),
  points: integer('a whole number', Number.MIN_SAFE_INTEGER),
  status: triggerStatus,
  userAttributes: filters,
  created: instant.default(EPOCH),
  updated: instant.default(EPOCH),
}
const restraints = {
  blockIfOutOfPoints: off,
  cap: cap.exactOptional(),
  cooldown: object(
    { minutes: integer('a whole number of minutes from 1 to 525600', 1, 525_600) },
    'an object, as { minutes: 5 }',
  ).exactOptional(),
  exempt: flagPart().exactOptional(),
}
const unfit = z.never({ error: 'does not apply to a trigger by time; remove it' }).exactOptional()
const unrestrained = { blockIfOutOfPoints: unfit, cap: unfit, cooldown: unfit, exempt: unfit }
const restrained = { ...triggerBase, ...restraints }
const readTrigger = oneOfKinds('type', triggerBase, [
  object({ ...restrained, type: z.literal('metric'), metric: key, threshold, eventAttributes: filters }),
  object({ ...restrained, type: z.literal('achievement'), achievement: key }),
  object({ ...restrained, type: z.literal('streak'), length, streak: key.exactOptional() }),
  object({ ...restrained, type: z.literal('user_creation') }),
  object({ ...triggerBase, ...unrestrained, type: z.literal('time'), every }),
])
// A game that says `false` is the one that says nothing.
const trigger = readTrigger.transform(({ exempt, ...read }) => (exempt === true ? { ...read, exempt } : read))

const level = object({ name, description, ...badge, points: integer('a whole number from 0', 0) })
const boost = object({
  name: textPart('a string of 1 to 255 characters', isKey),
  start: datePart,
  end: datePart.exactOptional(),
  multiplier: number('a number above 0 and below 100, and not 1', (by) => by > 0 && by < 100 && by !== 1),
  rounding: oneOf('down', 'up', 'nearest').default('down'),
  userAttributes: filters,
})
const readPoints = object({
  name,
  description,
  ...badge,
  maxPoints: integer('a whole number from 1', 1).exactOptional(),
  cap: cap.exactOptional(),
  ...walletShape,
  triggers: list(trigger).default([]),
  levels: record(level).default({}),
  boosts: record(boost).exactOptional(),
})
// A game that says `false` is the one that says nothing.
const points = readPoints.transform(({ spendable, ...read }) => (spendable === true ? { ...read, spendable } : read))

const MOST_FREEZES = 100
const freezes = integer('a whole number from 1 to 100', 1, MOST_FREEZES)

const streakBase = {
  frequency: oneOf('daily', 'weekly', 'monthly'),
  on: list(oneOf(...WEEKDAYS)).exactOptional(),
  daysOff: list(integer('a weekday from 0 for Sunday to 6 for Saturday', 0, DAYS_OF_WEEK - 1)).exactOptional(),
  days: integer('a whole number from 1 to 7', 1, DAYS_OF_WEEK).exactOptional(),
  evaluationMode: oneOf('OR', 'AND', 'ALL')
    .transform((mode) => (mode === 'ALL' ? 'AND' : mode))
    .default('OR'),
  metrics: record(object({ threshold: threshold.exactOptional() })),
  reminders: reminders.exactOptional(),
}
const freezesOfStreak = object({
  initial: integer('a whole number from 0 to 100', 0, MOST_FREEZES).default(0),
  max: freezes,
  autoEarn: object({
    interval: integer('a whole number of days from 1 to 3650', 1, 3_650),
    amount: freezes.default(1),
  }).exactOptional(),
})
/** Days off are another spelling of `on`. No day off is every day. */
function withoutDaysOff<Streak extends { readonly daysOff?: readonly number[]; readonly on?: readonly Weekday[] }>({
  daysOff = [],
  ...streak
}: Streak): Omit<Streak, 'daysOff'> {
  return daysOff.length === 0 ? streak : { ...streak, on: weekdaysWithout(daysOff) }
}

const streak = object({
  ...streakBase,
  customization: off,
  freezes: freezesOfStreak.exactOptional(),
}).transform(withoutDaysOff)
const namedStreak = object({
  ...streakBase,
  customization: absent("is for the game's `streak` alone; remove it"),
  freezes: wordOr('shared', freezesOfStreak).exactOptional(),
}).transform(withoutDaysOff)

const limit = integer(`a whole number from 1 to ${LARGEST_LIMIT}, or null for no limit`, 1, LARGEST_LIMIT)
const streakLimit = integer(`a whole number from 1 to ${LARGEST_LIMIT} (streak boards have a limit)`, 1, LARGEST_LIMIT)
const interval = integer(`a whole number from 1 to ${LARGEST_INTERVAL}`, 1, LARGEST_INTERVAL)
const MOST_WEEKS = Math.floor(LARGEST_INTERVAL / DAYS_OF_WEEK)
const run = object({ unit: oneOf('day', 'week', 'month', 'year'), interval: interval.default(1) })
  .refine(({ unit, interval: each }) => unit !== 'week' || each <= MOST_WEEKS, {
    path: ['interval'],
    error: `must be at most ${MOST_WEEKS} if the unit is a week`,
  })
  .transform(({ unit, interval: each }) =>
    unit === 'week' ? { unit: 'day' as const, interval: DAYS_OF_WEEK * each } : { unit, interval: each },
  )
const leaderboardBase = {
  name,
  description,
  start: datePart,
  end: datePart.exactOptional(),
  breakdown: list(key).default([]),
  private: off,
  consent: off,
  smallestGroup: integer('a whole number from 1 to 1000', 1, 1_000).exactOptional(),
  ties: z.literal('shared', { error: "must be 'shared', or left out" }).exactOptional(),
}
const repeated = {
  order: oneOf('highest', 'lowest').exactOptional(),
  startTime: time.exactOptional(),
  endTime: time.exactOptional(),
  run: run.exactOptional(),
  maxParticipants: limit.nullable().default(1000),
}
const leaderboard = oneOfKinds('rankBy', leaderboardBase, [
  object({ ...leaderboardBase, rankBy: z.literal('metric'), metric: key, ...repeated }),
  object({ ...leaderboardBase, rankBy: z.literal('points'), system: key, ...repeated }),
  object({
    ...leaderboardBase,
    rankBy: z.literal('streak'),
    maxParticipants: streakLimit.default(1000),
    streak: key.exactOptional(),
  }),
])

const clients = object({
  events: record(
    object({ max: value.exactOptional(), min: value.default(0), attributes: list(key).exactOptional() }),
  ).default({}),
  achievements: list(key).default([]),
  challenges: list(key).default([]),
  redeem: list(key).exactOptional(),
  attributes: list(key).default([]),
  profile: list(
    oneOf('name', 'email', 'tz', 'subscribedToEmails', 'deviceTokens', 'signUpDate', 'notifications', 'streak'),
  ).default([]),
})

/** The shape of a definition, with the defaults. `checkReferences` checks its references. */
export const definitionSchema: z.ZodType<StoredDefinition> = object({
  metrics: record(metric),
  eventAttributes: list(key).default([]),
  userAttributes: list(key).default([]),
  achievements,
  points: record(points).default({}),
  streak: streak.exactOptional(),
  streaks: record(namedStreak).exactOptional(),
  leaderboards: record(leaderboard).default({}),
  challenges: record(challenge).exactOptional(),
  rewards: record(catalogueReward).exactOptional(),
  weekStartsOn: oneOf('monday', 'sunday').default('monday'),
  experiment: object({
    controlRatio: number('a number from 0 to 1', (ratio) => ratio >= 0 && ratio <= 1),
  }).exactOptional(),
  clients: clients.exactOptional(),
  preferences: object({ leaderboards: oneOf(...LEADERBOARD_CHOICES).default('shown') }).exactOptional(),
  emails: emails.exactOptional(),
  multiTenant: off,
})

const MOST_SHOWN = 50

/** Parses a definition from the host or the storage, and freezes it. Throws one `invalid_game` with every mistake. */
export function readDefinition(input: unknown): StoredDefinition {
  const mistakes = createMistakes()
  const json = copyJson(input, mistakes)
  checkTiers(json, mistakes)
  const parsed = definitionSchema.safeParse(json)
  for (const issue of parsed.error?.issues ?? []) explainIssue(issue, mistakes)
  checkReferences(json, mistakes)
  checkConsistency(json, mistakes)
  checkEffects(json, mistakes)
  if (parsed.success && mistakes.issues.length === 0) return deepFreeze(parsed.data)
  throw new GamificationError('invalid_game', summarize(mistakes.issues), { issues: mistakes.issues })
}

function explainIssue(issue: z.core.$ZodIssue, mistakes: Mistakes): void {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))
  if (issue.code !== 'unrecognized_keys') {
    mistakes.add(path, issue.message)
    return
  }
  const properties = issue.message.split(' ')
  for (const key of issue.keys) {
    mistakes.add([...path, key], unknownProperty(key, properties))
  }
}

function summarize(issues: readonly Issue[]): string {
  const lines = issues.map(({ path, message }) => `${path === '' ? 'the definition' : `${path}:`} ${message}`)
  if (lines.length === 1) return `The game has a mistake: ${lines[0]}`
  const more = lines.length > MOST_SHOWN ? [`and ${lines.length - MOST_SHOWN} more, see \`issues\``] : []
  const shown = [...lines.slice(0, MOST_SHOWN), ...more].map((line) => `- ${line}`)
  return `The game has ${lines.length} mistakes:\n${shown.join('\n')}`
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) deepFreeze(part)
    Object.freeze(value)
  }
  return value
}
