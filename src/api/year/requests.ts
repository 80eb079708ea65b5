import { z } from 'zod'
import type { Parsed } from '../input.ts'
import type { WrappedRequest } from './request-types.ts'

const year = z.int().min(1).max(9_999).optional()

export const wrappedRequest: z.ZodType<Parsed<WrappedRequest, 'includePrivate'>> = z.object({
  year,
  includePrivate: z.boolean().default(true),
})

/** What a request can say over HTTP. */
export const wrappedQuery: z.ZodType<{ readonly year?: number | undefined }> = z.object({ year })
