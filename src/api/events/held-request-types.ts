export interface HeldEventsRequest {
  /** Id of a user: only events of that one. */
  readonly user?: string
  /** Id of an event: those that come after it. */
  readonly after?: string
  /** How many events, 1 to 100. Default 100. */
  readonly limit?: number
}
