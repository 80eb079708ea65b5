import { z } from 'zod'
import type { StreakPreferences, UserPreferences } from '../../engine/answers/wire/user.ts'
import type { ShapeOf } from './parts.ts'

const channels = z
  .array(z.enum(['email', 'push']))
  .describe('Channels for this type of notification; empty: disabled.')
  .exactOptional()

const notifications = z.strictObject({
  achievement_completed: channels,
  recap: channels,
  reactivation: channels,
  streak_reminder: channels,
} satisfies ShapeOf<UserPreferences['notifications']>)

const metric = z.strictObject({
  key: z.string().describe('Metric key.'),
  threshold: z.number().describe('Change that a period needs; 0: any above 0 counts.'),
} satisfies ShapeOf<NonNullable<StreakPreferences['metrics']>[number]>)

export const streakPreferencesSchema: z.ZodType<StreakPreferences> = z
  .strictObject({
    enabled: z.boolean().describe('false: the user has no streak. Absent: never set.').exactOptional(),
    evaluationMode: z
      .enum(['OR', 'AND'])
      .describe('`OR`: any of the metrics counts a period; `AND`: all of them must.')
      .exactOptional(),
    metrics: z.array(metric).exactOptional(),
  } satisfies ShapeOf<StreakPreferences>)
  .meta({ id: 'StreakPreferences', description: 'What the user wishes of the streak; each field is there when set.' })

export const userPreferencesSchema: z.ZodType<UserPreferences> = z
  .strictObject({
    notifications: notifications.describe('A type that was never set is absent.'),
    streak: streakPreferencesSchema.describe('There when set.').exactOptional(),
  } satisfies ShapeOf<UserPreferences>)
  .meta({ id: 'UserPreferences', description: "A user's preferences." })
