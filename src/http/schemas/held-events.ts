import { z } from 'zod'
import type { ApproveEventResponse, HeldEvent } from '../../engine/answers/wire/metric.ts'
import { userAchievementSchema } from './achievement.ts'
import { eventLeaderboardSchema } from './leaderboard.ts'
import { date, instant, record, type ShapeOf, uuid } from './parts.ts'
import { pointsChangeSchema } from './points.ts'
import { currentStreakSchema, namedStreaks } from './streak.ts'

export const heldEventSchema: z.ZodType<HeldEvent> = z
  .strictObject({
    eventId: uuid,
    userId: z.string(),
    metricId: uuid,
    metric: z.string().describe('Unique reference of the metric.'),
    value: z.number(),
    attributes: record(z.string()),
    idempotencyKey: z.string().nullable().describe('null: none was sent.'),
    occurredAt: instant.describe('When it happened.'),
    recordedAt: instant.describe('When it was recorded.'),
    date: date.describe("The user's local date of when it happened."),
  } satisfies ShapeOf<HeldEvent>)
  .meta({ id: 'HeldEvent', description: 'A metric event that a limit of its metric holds back.' })

export const approveEventResponseSchema: z.ZodType<ApproveEventResponse> = z
  .strictObject({
    approvalId: uuid,
    eventId: uuid,
    userId: z.string(),
    metricId: uuid,
    alreadyApproved: z.boolean().describe('Whether the event was approved before; this call then changed nothing.'),
    total: z.number().describe("The user's total for the metric with the event."),
    achievements: z.array(userAchievementSchema).describe('Achievements completed by the event.'),
    currentStreak: currentStreakSchema,
    streaks: namedStreaks.exactOptional(),
    points: record(pointsChangeSchema).describe('The points systems whose total changed, by key.'),
    leaderboards: record(eventLeaderboardSchema).describe(
      "The leaderboards on which the user's value changed, by key.",
    ),
  } satisfies ShapeOf<ApproveEventResponse>)
  .meta({ id: 'ApproveEventResponse', description: 'What approving a metric event brought.' })
