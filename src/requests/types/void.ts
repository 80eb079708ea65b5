/** An event by the idempotency key that was sent with it. */
export interface EventByKey<Metric extends string = string> {
  /** Id of the user. */
  readonly user: string
  readonly metric: Metric
  readonly idempotencyKey: string
}

export interface VoidRequest {
  /** At most 1,024 characters; kept in the log. */
  readonly reason?: string
  /**
   * Whether achievements that the user has not reached without the event are taken back, with what they paid. Default:
   * false.
   */
  readonly revoke?: boolean
}
