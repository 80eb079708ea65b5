import { z } from 'zod'

const year = z.int().min(1).max(9_999).optional()

export const wrappedRequest: z.ZodType<{ readonly year?: number | undefined; readonly includePrivate: boolean }> =
  z.object({ year, includePrivate: z.boolean().default(true) })

/** What a request can say over HTTP. */
export const wrappedQuery: z.ZodType<{ readonly year?: number | undefined }> = z.object({ year })
