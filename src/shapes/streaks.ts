import type { Count, DateText, InstantText, Positive, Uuid } from './formats.ts'
/** A user's streak at one moment. */
export interface Streak {
  /** In periods; 0 if there is no streak, and then every date is null. */
  readonly length: Count
  /** The unit of a period. */
  readonly frequency: 'daily' | 'weekly' | 'monthly'
  /** The first date of the first counted period. */
  readonly started: DateText | null
  /** The first date of the current period. */
  readonly periodStart: DateText | null
  /** The last date of the current period. */
  readonly periodEnd: DateText | null
  /** The last date on which the streak can still be extended. */
  readonly expires: DateText | null
  /** The number of the user's freezes. Set if the game has freezes. */
  readonly freezes?: Count
  /** The most freezes that a user can have. */
  readonly maxFreezes?: Count
  /** The number of days between earned freezes. Set if freezes are earned by time. */
  readonly freezeAutoEarnInterval?: Count
  /** The number of freezes earned each time. */
  readonly freezeAutoEarnAmount?: Count
}

/** The user's streak after an event. Dates are in the user's time zone. */
export interface CurrentStreak extends Streak {
  /** True if this event made the streak longer. */
  readonly extended: boolean
}

/** One period of a streak. */
export interface StreakHistoryItem {
  readonly periodStart: DateText
  readonly periodEnd: DateText
  /** The length of the streak in this period, 0 if it had none. */
  readonly length: Count
  /** True if a freeze was used for it; present if the game has freezes. */
  readonly usedFreeze?: boolean
  /** True if the streak continued because the period was paused. */
  readonly usedPause: boolean
  /** There if it is a day off: it can extend the streak, and cannot be missed. Then it keeps the length before it. */
  readonly neutral?: true
  /** When support reset the streak in this period. Absent if it did not. */
  readonly resetAt?: InstantText
}

/** Local dates of the user in which no period can be missed, both included. */
export interface StreakPause {
  /** For deletion. */
  readonly id: Uuid
  readonly start: DateText
  readonly end: DateText
}

/** A user's streak as it reads now. Dates are in the user's time zone. */
export interface UserStreak extends Streak {
  /** When the streak last became longer; `null` while the length is 0. */
  readonly extended: InstantText | null
  /** The user's rank on the game's first streak leaderboard without groups, or `null` if there is none. */
  readonly rank: Positive | null
  /** Pauses that are not over, in the order of their creation. */
  readonly pauses: readonly StreakPause[]
  /** The last periods up to the current one, oldest first. */
  readonly streakHistory: readonly StreakHistoryItem[]
}

/** The length of one user's streak, among many users'. */
export interface UserStreakLength {
  readonly userId: string
  /** In periods. */
  readonly streakLength: Count
  /** When the streak last became longer; `null` while the length is 0. */
  readonly extended: InstantText | null
}

/** A user in the ranking of the longest streaks. */
export interface StreakRanking {
  /** For an anonymous user an id that differs from all others. */
  readonly userId: string
  readonly name: string | null
  /** True if the user chose to be anonymous. */
  readonly anonymous?: true
  /** In periods. */
  readonly streakLength: Count
}

/** Why one item of a request was not carried out. Both names of a property have the same value. */
export interface BulkIssue {
  readonly userId: string
  readonly level: 'error' | 'warning'
  readonly reason: string
  /** Index in the request, from 0. */
  readonly index: Count
  /** The same as `level`. */
  readonly severity: 'error' | 'warning'
  /** The same as `reason`. */
  readonly message: string
}

/** The users who got no freeze, and why. */
export interface CreateFreezesResponse {
  readonly issues: readonly BulkIssue[]
}

/** A pause that was made. */
export interface CreatedPause extends StreakPause {
  readonly status: 'active'
  readonly userId: string
}

/** The pauses that were made. */
export interface CreatePausesResponse {
  readonly created: readonly CreatedPause[]
  readonly issues: readonly BulkIssue[]
}

/** Why one pause was not ended. */
export interface DeletedPauseIssue {
  readonly id: string
  readonly severity: 'error'
  readonly message: string
}

/** The pauses that were ended. */
export interface DeletePausesResponse {
  readonly deleted: readonly { readonly id: Uuid }[]
  readonly issues: readonly DeletedPauseIssue[]
}

/** The users whose streak was restored. */
export interface RestoreStreaksResponse {
  /** Ids of the users whose streak has the length again that it had before the loss. */
  readonly restoredUsers: readonly string[]
  readonly issues: readonly BulkIssue[]
}

/** The users whose streak was reset. */
export interface ResetStreaksResponse {
  readonly resetUsers: readonly string[]
  readonly issues: readonly BulkIssue[]
}
