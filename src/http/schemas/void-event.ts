import { z } from 'zod'
import type { VoidEventResponse, VoidEventsIssue, VoidEventsResponse } from '../../engine/answers/wire/metric.ts'
import { userAchievementSchema } from './achievement.ts'
import { count, record, type ShapeOf, uuid } from './parts.ts'
import { pointsChangeSchema } from './points.ts'
import { currentStreakSchema, namedStreaks } from './streak.ts'

export const voidEventResponseSchema: z.ZodType<VoidEventResponse> = z
  .strictObject({
    voidId: uuid,
    eventId: uuid,
    userId: z.string(),
    metricId: uuid,
    total: z.number().describe("The user's total for the metric without the event."),
    alreadyVoided: z.boolean().describe('Whether the event was void before; this call then changed nothing.'),
    revokedAchievements: z.array(userAchievementSchema).describe('Achievements that were taken back.'),
    currentStreak: currentStreakSchema,
    streaks: namedStreaks.exactOptional(),
    points: record(pointsChangeSchema).describe('The points systems whose total changed, by key.'),
  } satisfies ShapeOf<VoidEventResponse>)
  .meta({ id: 'VoidEventResponse', description: 'What undoing a metric event changed.' })

const voidEventsIssueSchema: z.ZodType<VoidEventsIssue> = z
  .strictObject({
    userId: z.string(),
    code: z.string().describe('Machine-readable, stable.'),
    message: z.string(),
  } satisfies ShapeOf<VoidEventsIssue>)
  .meta({ id: 'VoidEventsIssue', description: 'Why the events of one user stay.' })

export const voidEventsResponseSchema: z.ZodType<VoidEventsResponse> = z
  .strictObject({
    voided: count.describe('How many events.'),
    users: z
      .array(z.strictObject({ userId: z.string(), voided: count }))
      .describe('At most 100, each with how many of its events.'),
    issues: z.array(voidEventsIssueSchema).describe('Users whose events stay, and why; at most 100.'),
    hasMore: z.boolean().describe('Whether there are more users: the same call again goes on with them.'),
  } satisfies ShapeOf<VoidEventsResponse>)
  .meta({ id: 'VoidEventsResponse', description: 'What undoing several events came to.' })
