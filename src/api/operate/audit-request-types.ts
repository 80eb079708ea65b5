/** How far a walk over the users is. */
export interface WalkProgress {
  /** Users looked at. */
  readonly users: number
  /** Entries of their logs, folded. */
  readonly entries: number
  /** The user looked at last, after whom a walk may go on; null: all have been. */
  readonly last: { readonly tenant: string; readonly user: string } | null
}

export interface AuditOptions {
  /** Only these; counters and blocks are then left out. Default: all users of all tenants. */
  readonly users?: readonly string[]
  /** The tenant of `users`, in a game with `multiTenant`. */
  readonly tenant?: string
  /** Goes on after this user, as `onProgress` told it; counters and blocks are looked at all the same. */
  readonly after?: { readonly tenant: string; readonly user: string }
  /** NoticeCursor after each user. */
  readonly onProgress?: (progress: WalkProgress) => void
  /** Ends it between two users; what was done stays done. */
  readonly signal?: AbortSignal
}

export interface VerifyOptions extends AuditOptions {
  /** Looks at so many users only, drawn evenly each time; counters and blocks are then left out. Default: all. */
  readonly sample?: number
}

export interface WhatIfOptions extends Omit<AuditOptions, 'after'> {
  /** Looks at this share of the users only, above 0 and at most 1; the same ones each time. Default: all. */
  readonly sample?: number
}

export type ApplyPolicy = 'forward' | 'grant' | 'recompute'

export interface ApplyOptions extends Pick<AuditOptions, 'after' | 'onProgress' | 'signal'> {
  /**
   * `forward`: the new rules count from now on. `grant`: what they would have given for the past is given, and nothing is
   * taken away. `recompute`: everything becomes as if the new game had always been there. Default: `forward`.
   */
  readonly policy?: ApplyPolicy
}
