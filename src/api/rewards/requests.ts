import { z } from 'zod'
import { gameKey, optional, type Parsed, text, upTo, userId } from '../../runtime/input.ts'
import { keyInBody } from '../events/requests.ts'
import type { Takes } from '../takes.ts'

export interface RedeemRequest {
  /** The id of the user. */
  readonly user: string
  /** The same key redeems once, even if it is sent again. 1 to 255 visible ASCII characters. */
  readonly idempotencyKey?: string
}

/** Selects redemptions, the newest first. */
export interface RedemptionsRequest {
  /** Only redemptions of this user. */
  readonly user?: string
  /** Only redemptions of this reward. */
  readonly reward?: string
  /** Only redemptions with this status. */
  readonly status?: 'open' | 'fulfilled' | 'cancelled'
  /** The id of the last redemption of the previous page. */
  readonly after?: string
  /** 1 to 100, default 100. */
  readonly limit?: number
}

export interface ParsedRedeem {
  readonly user: string
  readonly idempotencyKey?: unknown
}

const redeem = z.strictObject({ user: userId, idempotencyKey: z.unknown().optional() })
true satisfies Takes<typeof redeem, RedeemRequest>
export const redeemRequest: z.ZodType<ParsedRedeem> = redeem

/** Over HTTP the key may come in a header instead. */
export const redeemBody: z.ZodType<ParsedRedeem & { readonly idempotencyKey?: string | undefined }> = z.strictObject({
  user: userId,
  idempotencyKey: keyInBody,
})

export const redemptionId: z.ZodType<string> = text(255)

const MOST = 100

export type ParsedRedemptions = Parsed<RedemptionsRequest, 'limit'>

const redemptions = z.strictObject({
  user: optional(userId),
  reward: optional(gameKey),
  status: optional(z.enum(['open', 'fulfilled', 'cancelled'])),
  after: optional(redemptionId),
  limit: upTo(MOST, MOST),
})
true satisfies Takes<typeof redemptions, RedemptionsRequest>
export const redemptionsRequest: z.ZodType<ParsedRedemptions> = redemptions
