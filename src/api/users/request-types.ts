import type { DeletionRequest } from './deletion-request-types.ts'

export type { DeletionRequest }

export interface UsersRequest {
  /** A part of the id or of the name; A to Z are as a to z. Up to 255 characters. */
  readonly search?: string
  /** Goes on after the user with this id: `after` of the answer before. */
  readonly after?: string
  /** 1 to 100. Default: 50. */
  readonly limit?: number
}

export interface UserEventsRequest {
  /** Goes on with what is older: `before` of the answer before. */
  readonly before?: string
  /** 1 to 1,000. Default: 100. */
  readonly limit?: number
}

export interface ExportPageRequest {
  /** Goes on after that page: `after` of the answer before. */
  readonly after?: string
  /** How many entries a page has at most, 1 to 1,000. Default: 1,000. Long ones make it shorter. */
  readonly limit?: number
}

export interface SuspensionRequest {
  /** What the user is left out of. Default: leaderboards, the only thing there is. */
  readonly from?: readonly 'leaderboards'[]
  /** For those who ask later; up to 1,024 characters. Nobody is told it but by these calls. */
  readonly reason?: string
}

export interface TenantsRequest {
  /** Goes on after the tenant with this id: `after` of the answer before. */
  readonly after?: string
  /** 1 to 1,000. Default: 100. */
  readonly limit?: number
}

/** How far a walk over the users of a tenant is. */
export interface TenantProgress {
  readonly users: number
  /** The id of the user that came last. */
  readonly last: string
}

export interface ExportOptions {
  /** NoticeCursor after each user. */
  readonly onProgress?: (progress: TenantProgress) => void
  /** Ends it between two users. */
  readonly signal?: AbortSignal
}

export interface TenantDeletionOptions {
  /** NoticeCursor after each user. */
  readonly onProgress?: (progress: TenantProgress) => void
  /** Ends it between two users; the same call goes on with those that are left. */
  readonly signal?: AbortSignal
}

/** Which two users are one. */
export interface MergeRequest {
  /** Whose log goes to the other, and whose id is another name for it from then on. */
  readonly from: string
  /** The user that goes on. */
  readonly into: string
}
