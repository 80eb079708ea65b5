export interface DeletionRequest {
  /**
   * What stays of the user. `nothing` (the default): no row. `anonymous`: what was done, under a new random id, without the
   * profile, attributes, idempotency keys and application keys, so that totals and leaderboards stay as they are.
   */
  readonly keep?: 'nothing' | 'anonymous'
}
