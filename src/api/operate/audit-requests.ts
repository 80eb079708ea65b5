import { z } from 'zod'
import { optional, type Parsed, userId } from '../input.ts'
import type { ApplyOptions, AuditOptions, VerifyOptions, WalkProgress, WhatIfOptions } from './audit-request-types.ts'

const control = {
  after: optional(z.object({ tenant: z.string().max(255), user: z.string().max(255) })),
  onProgress: optional(
    z.custom<(progress: WalkProgress) => void>((value) => typeof value === 'function', 'must be a function'),
  ),
  signal: optional(z.instanceof(AbortSignal)),
}
/** Who is to look at more looks at all. */
const MOST_USERS = 10_000

const users = { users: optional(z.array(userId).max(MOST_USERS)), tenant: z.string().max(255).default('') }

/** How many users are drawn. */
export const sampleSize: z.ZodType<number> = z.number().int('must be a whole number').min(1, 'must be at least 1')

export const auditOptions: z.ZodType<Parsed<AuditOptions, 'tenant'>> = z.object({ ...users, ...control })

export const verifyOptions: z.ZodType<Parsed<VerifyOptions, 'tenant'>> = z.object({
  ...users,
  ...control,
  sample: optional(sampleSize),
})

export const whatIfOptions: z.ZodType<Parsed<WhatIfOptions, 'tenant' | 'sample'>> = z.object({
  ...users,
  onProgress: control.onProgress,
  signal: control.signal,
  sample: z.number().positive('must be above 0').max(1, 'must be at most 1').default(1),
})

export const applyOptions: z.ZodType<Parsed<ApplyOptions, 'policy'>> = z.object({
  ...control,
  policy: z.enum(['forward', 'grant', 'recompute']).default('forward'),
})
