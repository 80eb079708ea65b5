import { z } from 'zod'
import { cursorText, filtersText, flag, optional, type Parsed, reasonText, upTo, userId } from '../../runtime/input.ts'
import { keyInBody } from '../events/requests.ts'
import type { Takes } from '../takes.ts'
import { type ParsedUpsert, type UserUpsert, userUpsert } from '../users/requests.ts'

export interface AchievementsRequest {
  /** `attribute:value,attribute:value`: only achievements that a user with these attributes can have. */
  readonly userAttributes?: string
}

export interface UserAchievementsRequest {
  /** If true, the answer includes achievements that are not completed. Default false. */
  readonly includeIncomplete?: boolean | 'true'
}

export interface CompletionsRequest {
  /** How many, 1 to 100. Default: 50. */
  readonly limit?: number
  /** Continues after that page: `after` of the previous answer. */
  readonly after?: string
}

export interface CompletionRequest<UserAttribute extends string = string> {
  /** The user who completed it; created or updated in the same transaction. */
  readonly user: UserUpsert<UserAttribute>
  /**
   * If the achievement repeats, each key completes it again, even if the key is sent again. Without a key it is
   * completed if the user does not have it. 1 to 255 visible ASCII characters.
   */
  readonly idempotencyKey?: string
}

/** A decision of support about a user's achievement. */
export interface SupportRequest {
  /** The id of the user. */
  readonly userId: string
  /** Kept in the log: 1 to 1,024 characters. */
  readonly reason: string
}

export interface ParsedCompletion {
  readonly user: ParsedUpsert
  readonly idempotencyKey?: unknown
}

export interface ParsedUserAchievements {
  readonly includeIncomplete: boolean
}

export type ParsedCompletionsRequest = Parsed<CompletionsRequest, 'limit'>

const support = z.strictObject({ userId, reason: reasonText })
true satisfies Takes<typeof support, SupportRequest>
export const supportRequest: z.ZodType<SupportRequest> = support

const completion = z.strictObject({ user: userUpsert, idempotencyKey: z.unknown().optional() })
true satisfies Takes<typeof completion, CompletionRequest>
export const completionRequest: z.ZodType<ParsedCompletion> = completion

/** Over HTTP the key may come in a header instead. */
export const completionBody: z.ZodType<{ readonly user: ParsedUpsert; readonly idempotencyKey?: string | undefined }> =
  z.strictObject({ user: userUpsert, idempotencyKey: keyInBody })

const ofAll = z.strictObject({ userAttributes: filtersText })
true satisfies Takes<typeof ofAll, AchievementsRequest>
export const achievementsRequest: z.ZodType<Parsed<AchievementsRequest>> = ofAll

const ofUser = z.strictObject({
  includeIncomplete: flag.meta({ example: 'true' }),
})
true satisfies Takes<typeof ofUser, UserAchievementsRequest>
export const userAchievementsRequest: z.ZodType<ParsedUserAchievements> = ofUser

const completions = z.strictObject({
  after: optional(cursorText),
  limit: upTo(100, 50),
})
true satisfies Takes<typeof completions, CompletionsRequest>
export const completionsRequest: z.ZodType<ParsedCompletionsRequest> = completions
