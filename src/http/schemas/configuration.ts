import { z } from 'zod'
import type {
  AdminAttribute,
  AdminAttributeFilter,
  AdminBadge,
  AdminLeaderboard,
  AdminMetric,
  AdminPointsLevel,
  AdminPointsSystem,
  AdminPointsTrigger,
} from '../../engine/answers/wire/configuration.ts'
import { adminPointsBoostSchema } from './boosts.ts'
import { count, date, type ShapeOf, uuid } from './parts.ts'

const named = { id: uuid, name: z.string(), key: z.string() }

export const adminAttributeSchema: z.ZodType<AdminAttribute> = z
  .strictObject({
    ...named,
    type: z.enum(['user', 'event']).describe('Whether users have it, or events.'),
  } satisfies ShapeOf<AdminAttribute>)
  .meta({ id: 'AdminAttribute', description: 'An attribute of users or of events.' })

export const adminMetricSchema: z.ZodType<AdminMetric> = z
  .strictObject({
    ...named,
    unitType: z.enum(['number', 'currency']).describe('Always `number`.'),
    units: z.string().describe('Always empty.'),
  } satisfies ShapeOf<AdminMetric>)
  .meta({ id: 'AdminMetric', description: 'A metric of the game.' })

export const adminBadgeSchema: z.ZodType<AdminBadge> = z
  .strictObject({ url: z.string() } satisfies ShapeOf<AdminBadge>)
  .meta({ id: 'AdminBadge', description: 'Where the picture of a badge is.' })

export const adminPointsLevelSchema: z.ZodType<AdminPointsLevel> = z
  .strictObject({
    ...named,
    points: count.describe('The total from which a user is on the level.'),
    description: z.string(),
    badge: adminBadgeSchema.nullable(),
  } satisfies ShapeOf<AdminPointsLevel>)
  .meta({ id: 'AdminPointsLevel', description: 'A level of a points system, as the game has it.' })

export const adminAttributeFilterSchema: z.ZodType<AdminAttributeFilter> = z
  .strictObject({ attributeId: uuid, attributeValue: z.string() } satisfies ShapeOf<AdminAttributeFilter>)
  .meta({ id: 'AdminAttributeFilter', description: 'An attribute, by its id, and the value that it must have.' })

export const adminPointsTriggerSchema: z.ZodType<AdminPointsTrigger> = z
  .strictObject({
    id: uuid,
    type: z.enum(['metric', 'achievement', 'streak', 'user_creation', 'time']),
    points: z.int().describe('What it gives; negative: what it takes.'),
    status: z.enum(['active', 'inactive']),
    userAttributes: z.array(adminAttributeFilterSchema).describe('Attributes that a user must have; empty: none.'),
    metricId: uuid.describe('For `metric` triggers.').exactOptional(),
    metricThreshold: z.number().describe('For `metric` triggers.').exactOptional(),
    eventAttributes: z
      .array(adminAttributeFilterSchema)
      .describe('For `metric` triggers: attributes that an event must have to count.')
      .exactOptional(),
    achievementId: uuid.describe('For `achievement` triggers.').exactOptional(),
    streakLength: z.int().min(1).describe('For `streak` triggers, in periods.').exactOptional(),
    streakKey: z.string().describe('Key of the named streak, if it is of one.').exactOptional(),
    timeUnit: z.enum(['hours', 'days']).describe('For `time` triggers.').exactOptional(),
    timeInterval: z.int().min(1).describe('For `time` triggers: how many hours or local days.').exactOptional(),
    blockIfOutOfPoints: z.boolean().describe('Whether an event is refused that would take more points than there are.'),
  } satisfies ShapeOf<AdminPointsTrigger>)
  .meta({ id: 'AdminPointsTrigger', description: 'What a points system gives points for, as the game has it.' })

export const adminPointsSystemSchema: z.ZodType<AdminPointsSystem> = z
  .strictObject({
    ...named,
    description: z.string(),
    status: z.enum(['active', 'archived']).describe('Always `active`.'),
    badge: adminBadgeSchema.nullable(),
    maxPoints: z.int().min(1).nullable().describe('The most that a user can have; null: no limit.'),
    levels: z.array(adminPointsLevelSchema).describe('The lowest first.'),
    boosts: z.array(adminPointsBoostSchema).describe('Those of all users, the oldest first.'),
    triggers: z.array(adminPointsTriggerSchema).describe("In the game's order, inactive ones too."),
  } satisfies ShapeOf<AdminPointsSystem>)
  .meta({ id: 'AdminPointsSystem', description: 'A points system, as the game has it.' })

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

export const adminLeaderboardSchema: z.ZodType<AdminLeaderboard> = z
  .strictObject({
    ...named,
    description: z.string().exactOptional(),
    status: z.enum(['inactive', 'active', 'scheduled', 'finished']).describe('By dates in UTC; never `inactive`.'),
    rankBy: z.enum(['metric', 'points', 'streak']),
    metricId: uuid.describe('For leaderboards ranked by a metric.').exactOptional(),
    pointsSystemId: uuid.describe('For leaderboards ranked by points.').exactOptional(),
    streakKey: z.string().describe('Key of the named streak, if it is of one.').exactOptional(),
    maxParticipants: z.int().min(1).describe('How many users have a rank, in each group; 2147483647: no limit.'),
    start: date,
    end: date.describe('The last date.').exactOptional(),
    startTime: time.describe("In each participant's time zone, as `endTime`.").exactOptional(),
    endTime: time.exactOptional(),
    breakdownAttributes: z.array(uuid).describe('Ids of the user attributes that divide it into groups.'),
    runUnit: z.enum(['day', 'month', 'year']).describe('Absent: there is one run.').exactOptional(),
    runInterval: z.int().min(1).describe('How many units a run lasts.').exactOptional(),
  } satisfies ShapeOf<AdminLeaderboard>)
  .meta({ id: 'AdminLeaderboard', description: 'A leaderboard, as the game has it.' })
