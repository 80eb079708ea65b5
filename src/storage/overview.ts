import type { Day, Instant } from '../rules/calendar.ts'

export interface MetricUsers {
  readonly metric: string
  readonly users: number
}

export interface StoredActivity {
  /** Events that are not voided. */
  readonly events: number
  /** How many users have such an event. */
  readonly users: number
  /**
   * Users whose local date of creation, the date of the first line of the log, begins within these instants in UTC;
   * merged users are left out.
   */
  readonly newUsers: number
  /** Achievements that users have, and completed for the last time within these instants. */
  readonly completions: number
  /** The points that awards gave and took, for each points system that has any; in no order. */
  readonly points: readonly { readonly system: string; readonly sum: number }[]
}

/** The place of a user, or of a completion. */
export interface UserPlace {
  readonly at: Instant
  readonly user: string
}

export interface FirstDaysOptions {
  readonly from: Instant
  readonly before: Instant
  readonly after?: UserPlace
  /** The last day that is read, in days after the creation. */
  readonly days: number
  readonly limit: number
}

export interface FirstDays extends UserPlace {
  /** The local date of the first line of the log. */
  readonly created: Day
  /** The dates with events that are not voided, in order, and how many. */
  readonly active: readonly { readonly date: Day; readonly events: number }[]
}

export interface CompletionLine extends UserPlace {
  readonly name: string | null
  /** How often it was completed. */
  readonly count: number
}

export interface LeaderboardGroupsOptions {
  /** The place of a group. */
  readonly after?: string
  readonly limit: number
  readonly at: Instant
  readonly most: number
}

export interface StoredGroup {
  /** Its place among the groups of its run. Places are unique. */
  readonly place: string
  readonly group: string
  readonly users: number
}

export interface Backlog {
  readonly users: Waiting
  /** Messages that wait to be merged with others are included when they are due. */
  readonly messages: Waiting
}

export interface Waiting {
  /** No more than `most` are counted. */
  readonly count: number
  /** Since when the first of them waits, or `null` if none does. */
  readonly oldest: Instant | null
}
