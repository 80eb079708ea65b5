/** A user's streak as it stood at one moment. */
export interface Streak {
  /** In periods; 0 when there is no streak, and then every date is null. */
  readonly length: number
  readonly frequency: 'daily' | 'weekly' | 'monthly'
  readonly started: string | null
  readonly periodStart: string | null
  readonly periodEnd: string | null
  /** The last date on which it can still be extended. */
  readonly expires: string | null
  /**
   * How many freezes the user has. This and `maxFreezes` are there where the game has freezes, the next two where users
   * earn them.
   */
  readonly freezes?: number
  readonly maxFreezes?: number
  /** In days. */
  readonly freezeAutoEarnInterval?: number
  readonly freezeAutoEarnAmount?: number
}

export interface CurrentStreak extends Streak {
  /** Whether this event made the streak longer. */
  readonly extended: boolean
}

export interface StreakHistoryItem {
  readonly periodStart: string
  readonly periodEnd: string
  /** The length of the streak in this period, 0 where it had none. */
  readonly length: number
  /** Whether a freeze was consumed for it; there when the game has freezes. */
  readonly usedFreeze?: boolean
  /** Whether the streak went on because the period was paused. */
  readonly usedPause: boolean
}

export interface StreakPause {
  readonly id: string
  /** Local dates of the user, both included. */
  readonly start: string
  readonly end: string
}

export interface UserStreak extends Streak {
  /** When it was last made longer; null while the length is 0. */
  readonly extended: string | null
  /** The user's rank on the game's first streak leaderboard without groups; null where there is none. */
  readonly rank: number | null
  /** Those that are not over, in the order in which they were made. */
  readonly pauses: readonly StreakPause[]
  /** The last periods up to the current one, oldest first. */
  readonly streakHistory: readonly StreakHistoryItem[]
}

/** The length of one user's streak, among many users'. */
export interface UserStreakLength {
  readonly userId: string
  readonly streakLength: number
  /** When it was last made longer; null while the length is 0. */
  readonly extended: string | null
}

/** A user among those with the longest streaks. */
export interface StreakRanking {
  readonly userId: string
  readonly name: string | null
  /** In periods. */
  readonly streakLength: number
}

/** Why one item of a request was not carried out; in both spellings that clients know. */
export interface BulkIssue {
  readonly userId: string
  readonly level: 'error' | 'warning'
  readonly reason: string
  /** Index in the request, from 0. */
  readonly index: number
  readonly severity: 'error' | 'warning'
  readonly message: string
}

export interface CreateFreezesResponse {
  readonly issues: readonly BulkIssue[]
}

export interface CreatedPause extends StreakPause {
  readonly status: 'active'
  readonly userId: string
}

export interface CreatePausesResponse {
  readonly created: readonly CreatedPause[]
  readonly issues: readonly BulkIssue[]
}

export interface DeletedPauseIssue {
  readonly id: string
  readonly severity: 'error'
  readonly message: string
}

export interface DeletePausesResponse {
  readonly deleted: readonly { readonly id: string }[]
  readonly issues: readonly DeletedPauseIssue[]
}

export interface RestoreStreaksResponse {
  /** Ids of the users whose streak is as long again as when it was lost. */
  readonly restoredUsers: readonly string[]
  readonly issues: readonly BulkIssue[]
}
