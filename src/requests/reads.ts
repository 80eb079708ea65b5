import { z } from 'zod'
import { attributesText, flag, text, userId, yesOrNo } from './input.ts'

export interface AchievementsRequest {
  /** `attribute:value,attribute:value`: only achievements that a user with these attributes can have. */
  readonly userAttributes?: string
}

export interface UserAchievementsRequest {
  /** Whether those not yet completed are there too. Default false. */
  readonly includeIncomplete?: boolean | 'true'
}

export interface UserPointsRequest {
  /** How many of the newest awards are there, 0 to 100. Default 10. */
  readonly awards?: number
}

export interface UserStreakRequest {
  /** How many periods of history are there, up to the current one: 0 to 400. Default 7. */
  readonly historyPeriods?: number
  /** Whether the rank may be that on a private leaderboard. Default true. */
  readonly includePrivate?: boolean
}

export interface StreaksRequest {
  /** At most 100. Default: none. */
  readonly userIds?: readonly string[]
}

export interface BoostsRequest {
  /** Whether finished boosts are there too. Default false. */
  readonly includeFinished?: boolean | 'true' | 'false'
}

export interface StreakRankingsRequest {
  /** How many users, 1 to 100. Default 10. */
  readonly limit?: number
  /** By the streak as it reads now, or by the longest that the user ever had. Default `active`. */
  readonly type?: 'active' | 'longest'
}

export interface PointsSummaryRequest {
  /** `attribute:value,attribute:value`: only users who have all of them. */
  readonly userAttributes?: string
}

/** What a request is once it has been read: what was left out may be there as undefined. */
export type Read<Request> = { readonly [Name in keyof Request]?: Request[Name] | undefined }

const MOST_USERS = 100

export const systemKey: z.ZodString = text(255)

const withUserAttributes = z.object({ userAttributes: attributesText.optional() })

export const achievementsRequest: z.ZodType<Read<AchievementsRequest>> = withUserAttributes
export const pointsSummaryRequest: z.ZodType<Read<PointsSummaryRequest>> = withUserAttributes

export const userAchievementsRequest: z.ZodType<{ readonly includeIncomplete: boolean }> = z.object({
  includeIncomplete: flag,
})

export const boostsRequest: z.ZodType<{ readonly includeFinished: boolean }> = z.object({ includeFinished: yesOrNo })

export const userPointsRequest: z.ZodType<{ readonly awards: number }> = z.object({
  awards: z.int().min(0).max(100).default(10),
})

export const userStreakRequest: z.ZodType<{
  readonly historyPeriods: number
  readonly includePrivate: boolean
}> = z.object({
  historyPeriods: z.int().min(0).max(400).default(7),
  includePrivate: z.boolean().default(true),
})

export const streaksRequest: z.ZodType<{ readonly userIds: readonly string[] }> = z.object({
  userIds: z.array(userId).max(MOST_USERS).default([]),
})

export const streakRankingsRequest: z.ZodType<{ readonly limit: number; readonly type: 'active' | 'longest' }> =
  z.object({
    limit: z.int().min(1).max(100).default(10),
    type: z.enum(['active', 'longest']).default('active'),
  })
