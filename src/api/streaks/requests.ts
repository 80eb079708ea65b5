import { z } from 'zod'
import type { Day } from '../../rules/calendar.ts'
import {
  date,
  gameKey,
  includePrivate,
  listUpTo,
  NOT_IN_QUERY,
  type Parsed,
  text,
  upTo,
  userId,
} from '../../runtime/input.ts'
import type { Takes } from '../takes.ts'

export interface UserStreakRequest<Streak extends string = string> {
  /** One of the game's `streaks`. Default: its `streak`. */
  readonly streak?: Streak
  /** The number of periods of history, up to the current one: 0 to 400. Default 7. */
  readonly historyPeriods?: number
  /** If false, the rank is never one on a private leaderboard. Default true. */
  readonly includePrivate?: boolean
}

export interface StreaksRequest {
  /** At most 100 user ids. Unknown users are left out. Default: none. */
  readonly userIds?: readonly string[]
}

export interface StreakRankingsRequest {
  /** The number of users, 1 to 100. Default 10. */
  readonly limit?: number
  /** `active`: the streak as it reads now; `longest`: the longest that the user ever had. Default `active`. */
  readonly type?: 'active' | 'longest'
}

export interface FreezesRequest<Streak extends string = string> {
  /** One of the game's `streaks`, which has freezes of its own. Default: its `streak`. */
  readonly streak?: Streak
  /** 1 to 100 freezes; a user who is named twice gets two. */
  readonly freezes: readonly { readonly userId: string }[]
}

export interface PausesRequest {
  /** 1 to 100 pauses. Local dates `YYYY-MM-DD`, both included: not before today in the user's zone, at most 366 days. */
  readonly pauses: readonly { readonly userId: string; readonly start: string; readonly end: string }[]
}

export interface RestoreRequest<Streak extends string = string> {
  /** One of the game's `streaks`. Default: its `streak`. */
  readonly streak?: Streak
  /** 1 to 100 users. */
  readonly users: readonly { readonly id: string }[]
}

export interface ResetRequest<Streak extends string = string> {
  /** One of the game's `streaks`. Default: its `streak`. */
  readonly streak?: Streak
  /** 1 to 100 users. */
  readonly users: readonly { readonly id: string }[]
}

export interface ParsedPauses {
  readonly pauses: readonly { readonly userId: string; readonly start: Day; readonly end: Day }[]
}

export type ParsedUserStreakRequest = Parsed<UserStreakRequest, 'historyPeriods' | 'includePrivate'>

const MOST = 100

const streak = text(255).exactOptional()

const freezes = z.strictObject({ streak, freezes: listUpTo(z.strictObject({ userId }), MOST) })
true satisfies Takes<typeof freezes, FreezesRequest>
export const freezesRequest: z.ZodType<FreezesRequest> = freezes

const pauses = z.strictObject({ pauses: listUpTo(z.strictObject({ userId, start: date, end: date }), MOST) })
true satisfies Takes<typeof pauses, PausesRequest>
export const pausesRequest: z.ZodType<ParsedPauses> = pauses

export const pauseIds: z.ZodType<readonly string[]> = listUpTo(text(255), MOST).meta({
  description: 'Ids of pauses, 1 to 100: repeated or comma-separated.',
})

const restored = z.strictObject({ streak, users: listUpTo(z.strictObject({ id: userId }), MOST) })
true satisfies Takes<typeof restored, RestoreRequest>
export const restoreRequest: z.ZodType<RestoreRequest> = restored
true satisfies Takes<typeof restored, ResetRequest>
export const resetRequest: z.ZodType<ResetRequest> = restored

const ofUser = z.strictObject({
  historyPeriods: upTo(400, 7, 0).meta({ example: 30 }),
  includePrivate,
  streak: gameKey.optional().meta(NOT_IN_QUERY),
})
true satisfies Takes<typeof ofUser, UserStreakRequest>
export const userStreakRequest: z.ZodType<ParsedUserStreakRequest> = ofUser

const lengths = z.strictObject({
  userIds: z
    .array(userId)
    .max(MOST)
    .default([])
    .meta({ example: ['18'] }),
})
true satisfies Takes<typeof lengths, StreaksRequest>
export const streaksRequest: z.ZodType<Required<StreaksRequest>> = lengths

/** In the process a list of user ids is enough. */
export const streaksOrIds: z.ZodType<Required<StreaksRequest>> = z.preprocess(
  (given) => (Array.isArray(given) ? { userIds: given } : given),
  lengths,
)

const rankings = z.strictObject({
  limit: upTo(100, 10).meta({ example: 20 }),
  type: z.enum(['active', 'longest']).default('active').meta({ example: 'longest' }),
})
true satisfies Takes<typeof rankings, StreakRankingsRequest>
export const streakRankingsRequest: z.ZodType<Required<StreakRankingsRequest>> = rankings
