import type { Count, DateText } from './formats.ts'
/** What was done on one date in UTC, whatever the local dates of users were. */
export interface ActivityDay {
  /** `YYYY-MM-DD`. */
  readonly date: DateText
  /** Events that count: they are neither voided nor held back. */
  readonly events: Count
  /** How many users have such an event. */
  readonly activeUsers: Count
  /** Users whose local date of creation is this date. */
  readonly newUsers: Count
  /** Achievements that users have now and completed then; of one that repeats, the newest completion. */
  readonly completions: Count
  /** What awards gave and took, by points system; systems without any are left out. */
  readonly points: { readonly [system: string]: number }
}

/** What was done, the newest date first. */
export interface ActivityResponse {
  /** The newest first, days without anything too. */
  readonly days: readonly ActivityDay[]
  /** To be sent as `to`, with the same `from`, for the days that are missing yet; null: all are there. */
  readonly before: DateText | null
}
