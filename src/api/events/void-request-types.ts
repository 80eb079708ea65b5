/** An event by the idempotency key that was sent with it. */
export interface EventByKey<Metric extends string = string> {
  /** Id of the user. */
  readonly user: string
  readonly metric: Metric
  readonly idempotencyKey: string
}

/** All events that one API key wrote. */
export interface EventsByKey {
  /** Id of the key, which may be deleted by now. */
  readonly by: string
}

/** All events of a user in a time. */
export interface EventsBetween {
  /** Id of the user. */
  readonly user: string
  /** The instants of the events themselves (`occurredAt`, where one was given): `from` included, `to` not. */
  readonly between: { readonly from: Date; readonly to: Date }
}

/** Which events are undone by one call. */
export type EventsOf = EventsByKey | EventsBetween

export interface VoidRequest {
  /** At most 1,024 characters; kept in the log. */
  readonly reason?: string
  /**
   * Whether achievements that the user has not reached without the event are taken back, with what they paid. Default:
   * false.
   */
  readonly revoke?: boolean
}
