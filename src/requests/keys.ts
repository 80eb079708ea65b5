import { z } from 'zod'
import { list, userId } from './input.ts'

export interface ApplicationKeyRequest {
  readonly userId: string
}

/** Users of a request that makes keys, and ids of one that deletes them (specification, section 8). */
const MOST = 100

/** Each item is read on its own: what is wrong with one is an issue, and the others get their keys. */
export const applicationKeyRequests: z.ZodType<readonly unknown[]> = list(z.unknown(), MOST)
export const applicationKeyRequest: z.ZodType<ApplicationKeyRequest> = z.object({ userId })

export const applicationKeyIds: z.ZodType<readonly string[]> = list(z.uuid('must be a UUID'), MOST, 1)
