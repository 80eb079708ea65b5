import { z } from 'zod'
import { optional, userId } from '../input.ts'
import type { ApplyPolicy } from './audit-request-types.ts'
import { sampleSize } from './audit-requests.ts'

// What asks for a walk over the users, over HTTP.

export interface AuditBody {
  readonly users?: readonly string[] | null
}

export interface VerifyBody extends AuditBody {
  readonly sample?: number | null
}

export interface WhatIfBody extends AuditBody {
  readonly definition: unknown
  readonly sample?: number | null
}

export interface ApplyBody {
  readonly definition: unknown
  readonly policy: ApplyPolicy
  readonly after?: { readonly tenant: string; readonly user: string } | null
}

/** Who is to look at more looks at all. */
const MOST_USERS = 10_000
const users = optional(z.array(userId).max(MOST_USERS))
/** Read by `readGameDefinition`, which tells every mistake. */
const definition = z.unknown().meta({ type: 'object', description: 'A game, as `defineGame` takes it.' })

export const auditBody: z.ZodType = z.object({ users })

export const verifyBody: z.ZodType = z.object({ users, sample: optional(sampleSize) })

export const whatIfBody: z.ZodType = z.object({
  definition,
  users,
  sample: optional(z.number().positive('must be above 0').max(1, 'must be at most 1')),
})

export const applyBody: z.ZodType = z.object({
  definition,
  policy: z.enum(['forward', 'grant', 'recompute']),
  // In a game without tenants the tenant is empty.
  after: optional(z.object({ tenant: z.string().max(255), user: userId })),
})
