import { z } from 'zod'
import { userId } from './input.ts'
import type { MergeRequest } from './types/users.ts'

export const mergeRequest: z.ZodType<MergeRequest> = z
  .object({ from: userId, into: userId })
  .refine(({ from, into }) => from !== into, { path: ['into'], error: 'must be another user than from' })
