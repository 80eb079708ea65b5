import { z } from 'zod'
import type { Parsed } from '../../runtime/input.ts'
import type { PrivateRequest } from '../leaderboards/requests.ts'

export interface WrappedRequest extends PrivateRequest {
  /** From 1 to the current year in the user's time zone. Default: that one. */
  readonly year?: number
}

export const wrappedRequest: z.ZodType<Parsed<WrappedRequest, 'includePrivate'>> = z.strictObject({
  year: z.int().min(1).max(9_999).optional().meta({
    description: "From 1 to the current year in the user's time zone. Default: the current year.",
    example: 2025,
  }),
  includePrivate: z.boolean().default(true),
})
