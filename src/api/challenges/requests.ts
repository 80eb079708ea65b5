import { z } from 'zod'
import { gameKey, userId } from '../../runtime/input.ts'
import { keyInBody } from '../events/requests.ts'
import type { Takes } from '../takes.ts'

export interface ChallengeRequest {
  /** The id of the user. */
  readonly user: string
}

export interface ClaimRequest extends ChallengeRequest {
  /** The key of the quest, for a challenge with a pool. */
  readonly quest?: string
}

export interface RerollRequest extends ChallengeRequest {
  /** The key of the quest to replace. */
  readonly quest: string
  /** The same key replaces one quest once, even if it is sent again. 1 to 255 visible ASCII characters. */
  readonly idempotencyKey?: string
}

export interface ParsedClaim extends ChallengeRequest {
  readonly quest?: string | undefined
}

export interface ParsedReroll extends ChallengeRequest {
  readonly quest: string
  readonly idempotencyKey?: unknown
}

const ofUser = z.strictObject({ user: userId })
true satisfies Takes<typeof ofUser, ChallengeRequest>
export const challengeRequest: z.ZodType<ChallengeRequest> = ofUser

const claim = z.strictObject({ user: userId, quest: gameKey.optional() })
true satisfies Takes<typeof claim, ClaimRequest>
export const claimRequest: z.ZodType<ParsedClaim> = claim

const reroll = z.strictObject({ user: userId, quest: gameKey, idempotencyKey: z.unknown().optional() })
true satisfies Takes<typeof reroll, RerollRequest>
export const rerollRequest: z.ZodType<ParsedReroll> = reroll

/** Over HTTP the key may come in a header instead. */
export const rerollBody: z.ZodType<ParsedReroll & { readonly idempotencyKey?: string | undefined }> = z.strictObject({
  user: userId,
  quest: gameKey,
  idempotencyKey: keyInBody,
})
