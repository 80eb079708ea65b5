import { z } from 'zod'
import { cursorText, filtersText, flag, optional, type Parsed, reasonText, upTo, userId } from '../../runtime/input.ts'
import { keyInBody } from '../events/requests.ts'
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
  /** 1 to 100. Default: 50. */
  readonly limit?: number
  /** `after` of the answer before. */
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
  readonly userId: string
  /** Kept in the log: 1 to 1,024 characters. */
  readonly reason: string
}

export const supportRequest: z.ZodType<SupportRequest> = z.strictObject({ userId, reason: reasonText })

export const completionRequest: z.ZodType<{ readonly user: ParsedUpsert; readonly idempotencyKey?: unknown }> =
  z.strictObject({ user: userUpsert, idempotencyKey: z.unknown().optional() })
/** Over HTTP the key may come in a header instead. */
export const completionBody: z.ZodType<{ readonly user: ParsedUpsert; readonly idempotencyKey?: string | undefined }> =
  z.strictObject({ user: userUpsert, idempotencyKey: keyInBody })

export const achievementsRequest: z.ZodType<Parsed<AchievementsRequest>> = z.strictObject({
  userAttributes: filtersText,
})

export const userAchievementsRequest: z.ZodType<{ readonly includeIncomplete: boolean }> = z.strictObject({
  includeIncomplete: flag.meta({
    description: 'If `true`, the answer includes achievements that are not completed. Any other value leaves them out.',
    example: 'true',
  }),
})

export const completionsRequest: z.ZodType<Parsed<CompletionsRequest, 'limit'>> = z.strictObject({
  after: optional(cursorText).meta({ description: '`after` of the answer before.' }),
  limit: upTo(100, 50).meta({ description: 'How many, 1 to 100. Default 50.' }),
})
