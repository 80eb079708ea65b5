import { z } from 'zod'
import { includePrivate, type Parsed, type PrivateRequest } from '../../runtime/input.ts'
import type { Takes } from '../takes.ts'

export interface WrappedRequest extends PrivateRequest {
  /** From 1 to the current year in the user's time zone. Default: the current year. */
  readonly year?: number
}

export type ParsedWrappedRequest = Parsed<WrappedRequest, 'includePrivate'>

const wrapped = z.strictObject({
  year: z.int().min(1).max(9_999).optional().meta({ example: 2025 }),
  includePrivate,
})
true satisfies Takes<typeof wrapped, WrappedRequest>
export const wrappedRequest: z.ZodType<ParsedWrappedRequest> = wrapped
