import { z } from 'zod'
import { text } from '../input.ts'

export const configurationListRequest: z.ZodType<{ readonly limit: number; readonly skip: number }> = z.object({
  limit: z.int().min(1).max(100).default(10),
  skip: z.int().min(0).default(0),
})

/** An id, or a key in its place. */
export const configurationId: z.ZodString = text(255)
