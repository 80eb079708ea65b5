export interface WrappedRequest {
  /** From 1 to the current year in the user's time zone. Default: that one. */
  readonly year?: number
  /** Whether private leaderboards are there. Default true. */
  readonly includePrivate?: boolean
}
