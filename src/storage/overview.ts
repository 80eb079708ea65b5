import type { Day, Instant } from '../rules/calendar.ts'
import type { Page } from './rows.ts'

/**
 * Figures about all users together, for operators of a game. No decision depends on them, so the parts of an answer may
 * be from different moments.
 */
export interface StorageOverview {
  /** The name of the adapter: `sqlite`, `postgres`, `memory`. */
  readonly name: string

  /** The activity of a tenant's users from one instant (included) to another (excluded). */
  activity(tenant: string, from: Instant, before: Instant): Promise<StoredActivity>

  /**
   * The dates with events of users who were created from one instant on and before another. Returns at most `limit`
   * users after the given place, in order of creation and id. Merged users are left out.
   */
  firstDays(tenant: string, options: FirstDaysOptions): Promise<readonly FirstDays[]>

  /**
   * The users who have an achievement: the newest completion first, and at one instant in descending order of user.
   * Returns at most `limit` (default 1,000) after the given place.
   */
  completions(tenant: string, achievement: string, options?: Page<UserPlace>): Promise<readonly CompletionLine[]>

  /**
   * Ids of the runs of a leaderboard that have an entry, in descending order. Returns at most `limit` (default 1,000)
   * below the given text.
   */
  leaderboardRuns(
    tenant: string,
    leaderboard: string,
    options?: { readonly before?: string; readonly limit?: number },
  ): Promise<readonly string[]>

  /**
   * The groups of a run in which there is an entry, in order of their places, at most `limit` after the given place.
   * Entries whose `until` is not after `at` are not counted, and of no group more than `most` are.
   */
  leaderboardGroups(
    tenant: string,
    leaderboard: string,
    run: string,
    options: LeaderboardGroupsOptions,
  ): Promise<readonly StoredGroup[]>

  /**
   * The number of entries in all groups of a run, without entries whose `until` is not after `at`. Counts no more than
   * `most`.
   */
  countEntries(
    tenant: string,
    leaderboard: string,
    run: string,
    options: { readonly at: Instant; readonly most: number },
  ): Promise<number>

  /**
   * The pending work of all tenants: users whose `due` (`NoticeCursor`) has come, and messages without a position that
   * could have one.
   */
  backlog(now: Instant, most: number): Promise<Backlog>

  /** How many users of all tenants have a total of each of these metrics, in order of metric. Omits those without users. */
  metricUsers(metrics: readonly string[]): Promise<readonly MetricUsers[]>
}

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
