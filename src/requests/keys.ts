import { z } from 'zod'
import { userId } from './input.ts'
import type { ApplicationKeyRequest } from './types/keys.ts'

/** Users of a request that makes keys, and ids of one that deletes them. */
const MOST = 100

/** Each item is read on its own: what is wrong with one is an issue, and the others get their keys. */
export const applicationKeyRequests: z.ZodType<readonly unknown[]> = z.array(z.unknown()).min(1).max(MOST)
export const applicationKeyRequest: z.ZodType<ApplicationKeyRequest> = z.object({ userId })

export const applicationKeyIds: z.ZodType<readonly string[]> = z.array(z.uuid('must be a UUID')).min(1).max(MOST)
