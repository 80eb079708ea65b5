import { z } from 'zod'
import type {
  AwardTrigger,
  CappedPoints,
  PointsAward,
  PointsBoost,
  PointsChange,
  PointsLevel,
  PointsLevelSummaryItem,
  PointsRange,
  PointsSystemResponse,
  PointsTrigger,
  UserPoints,
} from '../../engine/answers/wire/points.ts'
import { attributeFilterSchema, count, date, instant, type ShapeOf, uuid } from './parts.ts'

const triggerType = z.enum(['metric', 'achievement', 'streak', 'user_creation', 'time'])
const triggerPoints = z.int().describe('Points for each time it is reached; may be negative.')

const trigger = {
  id: uuid,
  status: z.enum(['active', 'archived']),
  metricId: uuid.describe('For `metric` triggers.').exactOptional(),
  metricName: z.string().describe('For `metric` triggers.').exactOptional(),
  metricThreshold: z.number().describe('For `metric` triggers.').exactOptional(),
  achievementId: uuid.describe('For `achievement` triggers.').exactOptional(),
  achievementName: z.string().describe('For `achievement` triggers.').exactOptional(),
  streakLengthThreshold: z.int().min(1).describe('For `streak` triggers, in periods.').exactOptional(),
  streakKey: z.string().describe('Key of the named streak, if it is of one.').exactOptional(),
  timeUnit: z.enum(['hour', 'day']).describe('For `time` triggers.').exactOptional(),
  timeInterval: z.int().min(1).describe('For `time` triggers: how many hours or local days.').exactOptional(),
  userAttributes: z.array(attributeFilterSchema).describe('Attributes a user must have; empty: none.'),
  eventAttributes: z
    .array(attributeFilterSchema)
    .describe('For `metric` triggers: attributes that an event must have to count.')
    .exactOptional(),
  eventAttribute: attributeFilterSchema.describe('There when there is exactly one event attribute.').exactOptional(),
  created: instant,
  updated: instant,
}

export const awardTriggerSchema: z.ZodType<AwardTrigger> = z
  .strictObject({ ...trigger, type: triggerType, points: triggerPoints } satisfies ShapeOf<AwardTrigger>)
  .meta({
    id: 'AwardTrigger',
    description: 'What points were awarded for, from the newest game that has the trigger.',
  })

export const pointsTriggerSchema: z.ZodType<PointsTrigger> = z
  .strictObject({ ...trigger, type: triggerType, points: triggerPoints } satisfies ShapeOf<PointsTrigger>)
  .meta({ id: 'PointsTrigger', description: 'What a points system gives points for.' })

export const boost: ShapeOf<PointsBoost> = {
  id: uuid,
  name: z.string(),
  status: z.enum(['active', 'scheduled', 'finished']),
  start: date.describe("The first date, in each user's time zone."),
  end: date.nullable().describe('The last date; null: it never ends.'),
  multiplier: z.number(),
  rounding: z.enum(['down', 'up', 'nearest']),
}

export const pointsBoostSchema: z.ZodType<PointsBoost> = z
  .strictObject(boost)
  .meta({ id: 'PointsBoost', description: 'Multiplies what a points system pays, within its dates.' })

export const pointsAwardSchema: z.ZodType<PointsAward> = z
  .strictObject({
    id: uuid,
    awarded: z.int().describe('Points added, after clipping to 0 and `maxPoints`; negative when they were taken.'),
    date: instant,
    total: count.describe("The system's total after it."),
    trigger: awardTriggerSchema,
    boosts: z.array(pointsBoostSchema).describe('What multiplied it; absent when nothing did.').exactOptional(),
  } satisfies ShapeOf<PointsAward>)
  .meta({ id: 'PointsAward', description: 'Points that a user was given, or lost, at one moment.' })

export const pointsLevelSchema: z.ZodType<PointsLevel> = z
  .strictObject({
    id: uuid,
    key: z.string(),
    name: z.string(),
    description: z.string().describe('Empty when it has none.'),
    badgeUrl: z.string().nullable(),
    points: count.describe('The total from which a user is on it.'),
  } satisfies ShapeOf<PointsLevel>)
  .meta({ id: 'PointsLevel', description: 'A level of a points system.' })

const system = {
  id: uuid,
  key: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  badgeUrl: z.string().nullable(),
  maxPoints: z.int().min(1).nullable().describe('The most that a user can have; null: no limit.'),
}

const standing = {
  ...system,
  total: count.describe('Points total.'),
  awards: z.array(pointsAwardSchema),
}

export const cappedSchema: z.ZodType<CappedPoints> = z
  .strictObject({
    triggerId: uuid,
    due: z.int().min(1).describe('What the trigger had to pay.'),
    awarded: count.describe('What it paid.'),
    resetsAt: instant.nullable().describe('From when on it can pay again; null: never.'),
  } satisfies ShapeOf<CappedPoints>)
  .meta({ id: 'CappedPoints', description: 'Points of which a cap or a cooldown took something.' })

export const pointsChangeSchema: z.ZodType<PointsChange> = z
  .strictObject({
    ...standing,
    added: z.int().describe('Points added by this operation; negative when they were taken.'),
    level: pointsLevelSchema
      .nullable()
      .describe('The new level when this operation changed it, null when it fell below every level, otherwise absent.')
      .exactOptional(),
    capped: z
      .array(cappedSchema)
      .describe('There when a cap or a cooldown took something of what the operation was due.')
      .exactOptional(),
  } satisfies ShapeOf<PointsChange>)
  .meta({ id: 'PointsChange', description: "A points system, with what one operation changed in the user's points." })

export const userPointsSchema: z.ZodType<UserPoints> = z
  .strictObject({
    ...standing,
    level: pointsLevelSchema.nullable().describe('null: below every level.'),
  } satisfies ShapeOf<UserPoints>)
  .meta({ id: 'UserPoints', description: 'A points system, with the points and the newest awards of a user.' })

export const pointsSystemResponseSchema: z.ZodType<PointsSystemResponse> = z
  .strictObject({
    ...system,
    triggers: z.array(pointsTriggerSchema).describe("The active ones, in the game's order."),
  } satisfies ShapeOf<PointsSystemResponse>)
  .meta({ id: 'PointsSystem', description: 'A points system, without any user.' })

export const pointsLevelSummaryItemSchema: z.ZodType<PointsLevelSummaryItem> = z
  .strictObject({
    level: pointsLevelSchema,
    users: count.describe('How many users are on it.'),
  } satisfies ShapeOf<PointsLevelSummaryItem>)
  .meta({ id: 'PointsLevelSummaryItem', description: 'How many users are on one level.' })

export const pointsRangeSchema: z.ZodType<PointsRange> = z
  .strictObject({
    from: count.describe('Inclusive.'),
    // A power of ten, which may lie above the integers that zod takes for safe.
    to: z.number().min(0).describe('Inclusive.'),
    users: count.describe('How many users have a total in this range.'),
  } satisfies ShapeOf<PointsRange>)
  .meta({ id: 'PointsRange', description: 'How many users have a total in one range.' })
