import { z } from 'zod'
import type { DeletionRequest } from './types/deletion.ts'

export const deletionRequest: z.ZodType<Required<DeletionRequest>> = z.object({
  keep: z.enum(['nothing', 'anonymous']).default('nothing'),
})
