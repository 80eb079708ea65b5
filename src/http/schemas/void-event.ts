import { z } from 'zod'
import type { VoidEventResponse } from '../../engine/answers/wire/metric.ts'
import { userAchievementSchema } from './achievement.ts'
import { record, type ShapeOf, uuid } from './parts.ts'
import { pointsChangeSchema } from './points.ts'
import { currentStreakSchema } from './streak.ts'

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
    points: record(pointsChangeSchema).describe('The points systems whose total changed, by key.'),
  } satisfies ShapeOf<VoidEventResponse>)
  .meta({ id: 'VoidEventResponse', description: 'What undoing a metric event changed.' })
