import { z } from 'zod'
import type { EventSummaryItem, MetricEventResponse, MetricResponse } from '../../engine/answers/wire/metric.ts'
import { userAchievementSchema } from './achievement.ts'
import { eventLeaderboardSchema } from './leaderboard.ts'
import { date, record, type ShapeOf, uuid } from './parts.ts'
import { pointsChangeSchema } from './points.ts'
import { currentStreakSchema, namedStreaks } from './streak.ts'

export const metricEventResponseSchema: z.ZodType<MetricEventResponse> = z
  .strictObject({
    eventId: uuid,
    metricId: uuid,
    total: z.number().describe("The user's total for the metric after the event."),
    achievements: z.array(userAchievementSchema).describe('Achievements completed by the event.'),
    currentStreak: currentStreakSchema,
    streaks: namedStreaks.exactOptional(),
    points: record(pointsChangeSchema).describe('The points systems whose total changed, by key.'),
    leaderboards: record(eventLeaderboardSchema).describe(
      "The leaderboards on which the user's value changed, by key.",
    ),
    idempotentReplayed: z
      .boolean()
      .describe('There when an idempotency key was sent; true on a replay.')
      .exactOptional(),
    idempotencyKey: z.string().describe('There when an idempotency key was sent; the original key.').exactOptional(),
    held: z
      .literal(true)
      .describe('There when a limit of the metric holds the event back: nothing follows from it until it is approved.')
      .exactOptional(),
  } satisfies ShapeOf<MetricEventResponse>)
  .meta({ id: 'MetricEventResponse', description: 'What a metric event brought.' })

export const metricResponseSchema: z.ZodType<MetricResponse> = z
  .strictObject({
    id: uuid,
    key: z.string().describe('Unique reference, as paths name it.'),
    name: z.string(),
    status: z.enum(['active', 'archived']),
    current: z.number().describe("The user's current total."),
    achievements: z.array(userAchievementSchema).describe('The achievements of this metric.'),
  } satisfies ShapeOf<MetricResponse>)
  .meta({ id: 'MetricResponse', description: "A metric, with a user's progress." })

export const eventSummaryItemSchema: z.ZodType<EventSummaryItem> = z
  .strictObject({
    date: date.describe('The first date of the period; that of a first week or month may lie before `startDate`.'),
    total: z.number().describe("The user's total at the end of the period, or of `endDate` if that is earlier."),
    change: z.number().describe('What the events, or awards, on dates inside the range added.'),
  } satisfies ShapeOf<EventSummaryItem>)
  .meta({ id: 'EventSummaryItem', description: "One period of a user's events of a metric, or points." })
