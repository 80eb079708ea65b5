import { z } from 'zod'
import { optional, type Parsed, tenantId, text, userId } from '../input.ts'
import type {
  DeletionRequest,
  ExportOptions,
  ExportPageRequest,
  MergeRequest,
  SuspensionRequest,
  TenantProgress,
  TenantsRequest,
  UserEventsRequest,
  UsersRequest,
} from './request-types.ts'

export const deletionRequest: z.ZodType<Required<DeletionRequest>> = z.object({
  keep: z.enum(['nothing', 'anonymous']).default('nothing'),
})

export const usersRequest: z.ZodType<Parsed<UsersRequest, 'limit'>> = z.object({
  search: optional(text(255)),
  after: optional(userId),
  limit: z.int().min(1).max(100).default(50),
})

export const userEventsRequest: z.ZodType<Parsed<UserEventsRequest, 'limit'>> = z.object({
  before: optional(text(64)),
  limit: z.int().min(1).max(1_000).default(100),
})

export const exportPageRequest: z.ZodType<Parsed<ExportPageRequest, 'limit'>> = z.object({
  after: optional(text(96)),
  limit: z.int().min(1).max(1_000).default(1_000),
})

const MOST_IN_REASON = 1_024

export const suspensionRequest: z.ZodType<Parsed<SuspensionRequest, 'from'>> = z.object({
  from: z
    .array(z.enum(['leaderboards']))
    .min(1)
    .max(1)
    .default(['leaderboards']),
  reason: optional(text(MOST_IN_REASON)),
})

export const tenantsRequest: z.ZodType<Parsed<TenantsRequest, 'limit'>> = z.object({
  after: optional(tenantId),
  limit: z.int().min(1).max(1_000).default(100),
})

export const tenantDeletionOptions: z.ZodType<Parsed<ExportOptions>> = z.object({
  onProgress: optional(
    z.custom<(progress: TenantProgress) => void>((value) => typeof value === 'function', 'must be a function'),
  ),
  signal: optional(z.instanceof(AbortSignal)),
})

export const exportOptions: z.ZodType<Parsed<ExportOptions>> = tenantDeletionOptions

export const mergeRequest: z.ZodType<MergeRequest> = z
  .object({ from: userId, into: userId })
  .refine(({ from, into }) => from !== into, { path: ['into'], error: 'must be another user than from' })

/** What a request to merge a user says: whom the path names is the other. */
export type MergeBody = Pick<MergeRequest, 'into'>

export const mergeBody: z.ZodType<MergeBody> = z.object({ into: userId })
