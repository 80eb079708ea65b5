/** What was done on one date in UTC, whatever the local dates of users were. */
export interface ActivityDay {
  /** `YYYY-MM-DD`. */
  readonly date: string
  /** Events that count: they are neither voided nor held back. */
  readonly events: number
  /** How many users have such an event. */
  readonly activeUsers: number
  /** Users whose local date of creation is this date. */
  readonly newUsers: number
  /** Achievements that users have now and completed then; of one that repeats, the newest completion. */
  readonly completions: number
  /** What awards gave and took, by points system; systems without any are left out. */
  readonly points: { readonly [system: string]: number }
}

export interface ActivityResponse {
  /** The newest first, days without anything too. */
  readonly days: readonly ActivityDay[]
  /** To be sent as `to`, with the same `from`, for the days that are missing yet; null: all are there. */
  readonly before: string | null
}
