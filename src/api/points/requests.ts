import { z } from 'zod'
import { attributesText, type Parsed } from '../input.ts'

export interface UserPointsRequest {
  /** How many of the newest awards are there, 0 to 100. Default 10. */
  readonly awards?: number
}

export interface PointsSummaryRequest {
  /** `attribute:value,attribute:value`: only users who have all of them. */
  readonly userAttributes?: string
}

export const pointsSummaryRequest: z.ZodType<Parsed<PointsSummaryRequest>> = z.strictObject({
  userAttributes: attributesText
    .optional()
    .meta({ description: 'User attributes, as `attribute:value,attribute:value`.', example: 'plan:pro,region:eu' }),
})

export const userPointsRequest: z.ZodType<{ readonly awards: number }> = z.strictObject({
  awards: z
    .int()
    .min(0)
    .max(100)
    .default(10)
    .meta({ description: 'How many of the newest awards, 0 to 100. Default 10.', example: 20 }),
})
