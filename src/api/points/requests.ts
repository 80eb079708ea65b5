import { z } from 'zod'
import { filtersText, type Parsed, reasonText, upTo, userId } from '../../runtime/input.ts'
import type { Takes } from '../takes.ts'

export interface UserPointsRequest {
  /** The number of newest awards in the answer, 0 to 100. Default 10. */
  readonly awards?: number
}

export interface PointsSummaryRequest {
  /** `attribute:value,attribute:value`: only users who have all of them. */
  readonly userAttributes?: string
}

export interface PointsAdjustment {
  /** The id of the user. */
  readonly userId: string
  /** Whole points to give, or to take if negative; not 0. */
  readonly points: number
  /** Kept in the log: 1 to 1,024 characters. */
  readonly reason: string
  /**
   * For a negative number in a spendable system: also lowers what was earned, so the balance may get below 0. Without it,
   * only the balance gets lower, at least to 0.
   */
  readonly from?: 'earned'
  /** Another call for the user with this key changes nothing. 1 to 255 visible ASCII characters. */
  readonly idempotencyKey?: string
}

const adjustment = z
  .strictObject({
    userId,
    points: z
      .int()
      .check(z.refine((points) => points !== 0, 'must not be 0: give points, or take some with a negative number')),
    reason: reasonText,
    from: z.enum(['earned']).optional(),
    idempotencyKey: z.string().optional().meta({ maxLength: 255 }),
  })
  .refine(({ points, from }) => from === undefined || points < 0, {
    path: ['from'],
    message: 'is for a negative number of points: leave it out',
  })
true satisfies Takes<typeof adjustment, PointsAdjustment>
export const adjustmentRequest: z.ZodType<Parsed<PointsAdjustment>> = adjustment

const summary = z.strictObject({ userAttributes: filtersText })
true satisfies Takes<typeof summary, PointsSummaryRequest>
export const pointsSummaryRequest: z.ZodType<Parsed<PointsSummaryRequest>> = summary

const ofUser = z.strictObject({
  awards: upTo(100, 10, 0).meta({ example: 20 }),
})
true satisfies Takes<typeof ofUser, UserPointsRequest>
export const userPointsRequest: z.ZodType<Required<UserPointsRequest>> = ofUser
