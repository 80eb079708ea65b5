import { z } from 'zod'
import { attributesText, flag, type Parsed, text, userId, yesOrNo } from './input.ts'
import type { AchievementsRequest, PointsSummaryRequest, UserStreakRequest } from './read-request-types.ts'

const MOST_USERS = 100

export const systemKey: z.ZodString = text(255)
export const streakKey: z.ZodString = text(255)

const withUserAttributes = z.object({ userAttributes: attributesText.optional() })

export const achievementsRequest: z.ZodType<Parsed<AchievementsRequest>> = withUserAttributes
export const pointsSummaryRequest: z.ZodType<Parsed<PointsSummaryRequest>> = withUserAttributes

export const userAchievementsRequest: z.ZodType<{ readonly includeIncomplete: boolean }> = z.object({
  includeIncomplete: flag,
})

export const boostsRequest: z.ZodType<{ readonly includeFinished: boolean }> = z.object({ includeFinished: yesOrNo })

export const userPointsRequest: z.ZodType<{ readonly awards: number }> = z.object({
  awards: z.int().min(0).max(100).default(10),
})

export const userStreakRequest: z.ZodType<Parsed<UserStreakRequest, 'historyPeriods' | 'includePrivate'>> = z.object({
  historyPeriods: z.int().min(0).max(400).default(7),
  includePrivate: z.boolean().default(true),
  streak: streakKey.optional(),
})

export const streaksRequest: z.ZodType<{ readonly userIds: readonly string[] }> = z.object({
  userIds: z.array(userId).max(MOST_USERS).default([]),
})

export const streakRankingsRequest: z.ZodType<{ readonly limit: number; readonly type: 'active' | 'longest' }> =
  z.object({
    limit: z.int().min(1).max(100).default(10),
    type: z.enum(['active', 'longest']).default('active'),
  })
