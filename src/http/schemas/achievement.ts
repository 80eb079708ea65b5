import { z } from 'zod'
import type {
  Achievement,
  AchievementCompletionResponse,
  AchievementWithStats,
  UserAchievement,
  UserAchievementWithStats,
} from '../../engine/answers/wire/achievement.ts'
import { attributeFilterSchema, count, instant, record, type ShapeOf, uuid } from './parts.ts'
import { pointsChangeSchema } from './points.ts'

const achievement = {
  id: uuid,
  key: z
    .string()
    .describe('Unique reference, as paths name it; the id of a secret achievement that the user does not have.'),
  trigger: z.enum(['metric', 'api', 'streak', 'achievement']).describe('What completes it.'),
  name: z.string(),
  description: z.string().nullable(),
  badgeUrl: z.string().nullable(),
  userAttributes: z
    .array(attributeFilterSchema)
    .describe('Attributes a user must have to access the achievement; empty: none.'),
  metricId: uuid.describe('For `metric` achievements.').exactOptional(),
  metricName: z.string().describe('For `metric` achievements.').exactOptional(),
  metricValue: z.number().describe('Metric total that completes the achievement.').exactOptional(),
  eventAttributes: z
    .array(attributeFilterSchema)
    .describe('For `metric` achievements: attributes that an event must have to count.')
    .exactOptional(),
  eventAttribute: attributeFilterSchema.describe('There when there is exactly one event attribute.').exactOptional(),
  streakLength: z.int().min(1).describe('For `streak` achievements, in periods.').exactOptional(),
  streakKey: z.string().describe('Key of the named streak, if it is of one.').exactOptional(),
  achievements: z
    .array(z.string())
    .describe('For `achievement` achievements: keys of those that make it up.')
    .exactOptional(),
  achievementIds: z.array(uuid).describe('Their ids, in the same order.').exactOptional(),
} satisfies ShapeOf<Achievement>

const stats = {
  completions: count.describe('Number of completions.'),
  rarity: z.number().min(0).max(100).describe('Percentage of all users who have it, two decimals.'),
}

const achievedAt = instant.nullable().describe('When the user completed it, newest if it repeats; null: not yet.')
const own = {
  achievedAt,
  count: count.describe('Of an achievement that repeats: how often the user has completed it.').exactOptional(),
}

export const achievementWithStatsSchema: z.ZodType<AchievementWithStats> = z
  .strictObject({ ...achievement, ...stats } satisfies ShapeOf<AchievementWithStats>)
  .meta({ id: 'AchievementWithStats', description: 'An achievement, with how many users have it.' })

export const userAchievementSchema: z.ZodType<UserAchievement> = z
  .strictObject({ ...achievement, ...own } satisfies ShapeOf<UserAchievement>)
  .meta({ id: 'UserAchievement', description: 'An achievement, with when a user completed it.' })

export const userAchievementWithStatsSchema: z.ZodType<UserAchievementWithStats> = z
  .strictObject({ ...achievement, ...stats, ...own } satisfies ShapeOf<UserAchievementWithStats>)
  .meta({
    id: 'UserAchievementWithStats',
    description: 'An achievement, with when a user completed it and how many users have it.',
  })

export const achievementCompletionResponseSchema: z.ZodType<AchievementCompletionResponse> = z
  .strictObject({
    completionId: uuid.describe('The same whenever this completion is answered again.'),
    achievement: userAchievementSchema,
    points: record(pointsChangeSchema).describe('The points systems whose total changed, by key.'),
    idempotentReplayed: z
      .boolean()
      .describe('There when an idempotency key was sent: whether the completion was there before.')
      .exactOptional(),
    idempotencyKey: z.string().describe('There when an idempotency key was sent; the original key.').exactOptional(),
  } satisfies ShapeOf<AchievementCompletionResponse>)
  .meta({ id: 'AchievementCompletionResponse', description: 'What the completion of an achievement brought.' })
