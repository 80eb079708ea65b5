import { z } from 'zod'
import type { Day } from '../../rules/calendar.ts'
import { aFunction, date, optional, type Parsed, tenantId, text, upTo, userId } from '../../runtime/input.ts'
import type { ApplyPolicy } from '../../shapes/operate.ts'
import type { Takes } from '../takes.ts'

export interface ActivityRequest {
  /** The first date in UTC, `YYYY-MM-DD`. */
  readonly from: string
  /** The last date, `YYYY-MM-DD`: at most 91 days after `from`. It is included. */
  readonly to: string
}

/** The progress of a walk over the users. */
export interface WalkProgress {
  /** The number of users that were read. */
  readonly users: number
  /** The number of replayed entries of their logs. */
  readonly entries: number
  /** The user that was read last; a walk can continue after it. `null` if all users have been read. */
  readonly last: { readonly tenant: string; readonly user: string } | null
}

export interface AuditOptions {
  /** Only these; counters and blocks are then left out. Default: all users of all tenants. */
  readonly users?: readonly string[]
  /** The tenant of `users`, in a game with `multiTenant`. */
  readonly tenant?: string
  /** Continues after this user, as `onProgress` reported it. Counters and blocks are still checked. */
  readonly after?: { readonly tenant: string; readonly user: string }
  /** Called after each user. */
  readonly onProgress?: (progress: WalkProgress) => void
  /** Stops between two users. Changes of finished users stay. */
  readonly signal?: AbortSignal
}

export interface VerifyOptions extends AuditOptions {
  /** Reads only this many users, drawn at random; counters and blocks are left out. Default: all. */
  readonly sample?: number
}

export interface WhatIfOptions extends Omit<AuditOptions, 'after'> {
  /** Checks only this share of the users, above 0 and at most 1. It is the same users each time. Default: all. */
  readonly sample?: number
}

export interface ApplyOptions extends Pick<AuditOptions, 'after' | 'onProgress' | 'signal'> {
  /**
   * `forward`: the new rules count from now on. `grant`: users also get what the rules would have given for the past,
   * and lose nothing. `recompute`: all state becomes what it would be if the new game had always been in force.
   * Default: `forward`.
   */
  readonly policy?: ApplyPolicy
}

export interface ExportPageRequest {
  /** Continues after that page: `after` of the previous answer. */
  readonly after?: string
  /** The most entries on a page, 1 to 1,000. Default: 1,000. A page of long entries is shorter. */
  readonly limit?: number
}

export interface TenantsRequest {
  /** Continues after the tenant with this id: `after` of the previous answer. */
  readonly after?: string
  /** How many, 1 to 1,000. Default: 100. */
  readonly limit?: number
}

/** The progress of a walk over the users of a tenant. */
export interface TenantProgress {
  readonly users: number
  /** The id of the user that came last. */
  readonly last: string
}

export interface ExportOptions {
  /** Called after each user. */
  readonly onProgress?: (progress: TenantProgress) => void
  /** Ends the export between two users. */
  readonly signal?: AbortSignal
}

export interface TenantDeletionOptions extends ExportOptions {
  /** Stops between two users. Repeat the call to continue. */
  readonly signal?: AbortSignal
}

export type ParsedExportPageRequest = Parsed<ExportPageRequest, 'limit'>

const MOST_DAYS = 92

export type ParsedActivityRequest = { readonly [Name in keyof ActivityRequest]: Day }

const activity = z
  .strictObject({
    from: date.meta({ example: '2026-03-01' }),
    to: date.meta({ example: '2026-03-31' }),
  })
  .refine(({ from, to }) => from <= to, { path: ['to'], error: 'must not be before from' })
  .refine(({ from, to }) => to - from < MOST_DAYS, {
    path: ['from'],
    error: `must be at most ${MOST_DAYS - 1} days before to: ask for the days before in another request`,
  })
true satisfies Takes<typeof activity, ActivityRequest>
export const activityRequest: z.ZodType<ParsedActivityRequest> = activity

const exportedPage = z.strictObject({
  after: optional(text(96)),
  limit: upTo(1_000, 1_000),
})
true satisfies Takes<typeof exportedPage, ExportPageRequest>
export const exportPageRequest: z.ZodType<ParsedExportPageRequest> = exportedPage

export const tenantsRequest: z.ZodType<Parsed<TenantsRequest, 'limit'>> = z.strictObject({
  after: optional(tenantId).meta({ description: '`after` of the answer before.' }),
  limit: upTo(1_000, 100).meta({ description: 'How many, 1 to 1,000. Default 100.' }),
})

/** For deletions of tenants too. */
export const exportOptions: z.ZodType<Parsed<ExportOptions>> = z.strictObject({
  onProgress: optional(aFunction<(progress: TenantProgress) => void>()),
  signal: optional(z.instanceof(AbortSignal)),
})

const control = {
  after: optional(z.strictObject({ tenant: z.string().max(255), user: z.string().max(255) })),
  onProgress: optional(aFunction<(progress: WalkProgress) => void>()),
  signal: optional(z.instanceof(AbortSignal)),
}
/** A call that looks at more users looks at all of them. */
const MOST_USERS = 10_000

const users = optional(z.array(userId).max(MOST_USERS))
const someUsers = { users, tenant: z.string().max(255).default('') }
const share = z.number().positive('must be above 0').max(1, 'must be at most 1')
export const policy: z.ZodType<ApplyPolicy> = z.enum(['forward', 'grant', 'recompute'])

const sample = optional(z.number().int('must be a whole number').min(1, 'must be at least 1'))

export const auditOptions: z.ZodType<Parsed<AuditOptions, 'tenant'>> = z.strictObject({ ...someUsers, ...control })

export const verifyOptions: z.ZodType<Parsed<VerifyOptions, 'tenant'>> = z.strictObject({
  ...someUsers,
  ...control,
  sample,
})

export const whatIfOptions: z.ZodType<Parsed<WhatIfOptions, 'tenant' | 'sample'>> = z.strictObject({
  ...someUsers,
  onProgress: control.onProgress,
  signal: control.signal,
  sample: share.default(1),
})

export const applyOptions: z.ZodType<Parsed<ApplyOptions, 'policy'>> = z.strictObject({
  ...control,
  policy: policy.default('forward'),
})

// Bodies of requests that walk over the users.

/** `readGameDefinition` reads it and reports every mistake. */
const definition = z.unknown().meta({ type: 'object', description: 'A game, as `defineGame` takes it.' })

type Defined = { readonly definition: unknown }

export const auditBody: z.ZodType<Pick<Parsed<AuditOptions>, 'users'>> = z.strictObject({ users })

export const verifyBody: z.ZodType<Pick<Parsed<VerifyOptions>, 'users' | 'sample'>> = z.strictObject({ users, sample })

export const whatIfBody: z.ZodType<Pick<Parsed<WhatIfOptions>, 'users' | 'sample'> & Defined> = z.strictObject({
  definition,
  users,
  sample: optional(share),
})

export const applyBody: z.ZodType<Pick<Parsed<ApplyOptions, 'policy'>, 'after' | 'policy'> & Defined> = z.strictObject({
  definition,
  policy,
  // In a game without tenants the tenant is empty.
  after: optional(z.strictObject({ tenant: z.string().max(255), user: userId })),
})
