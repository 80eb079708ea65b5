export interface AchievementsRequest {
  /** `attribute:value,attribute:value`: only achievements that a user with these attributes can have. */
  readonly userAttributes?: string
}

export interface UserAchievementsRequest {
  /** Whether those not yet completed are there too. Default false. */
  readonly includeIncomplete?: boolean | 'true'
}

export interface UserPointsRequest {
  /** How many of the newest awards are there, 0 to 100. Default 10. */
  readonly awards?: number
}

export interface UserStreakRequest<Streak extends string = string> {
  /** One of the game's `streaks`. Default: its `streak`. */
  readonly streak?: Streak
  /** How many periods of history are there, up to the current one: 0 to 400. Default 7. */
  readonly historyPeriods?: number
  /** Whether the rank may be that on a private leaderboard. Default true. */
  readonly includePrivate?: boolean
}

export interface StreaksRequest {
  /** At most 100. Default: none. */
  readonly userIds?: readonly string[]
}

export interface BoostsRequest {
  /** Whether finished boosts are there too. Default false. */
  readonly includeFinished?: boolean | 'true' | 'false'
}

export interface StreakRankingsRequest {
  /** How many users, 1 to 100. Default 10. */
  readonly limit?: number
  /** By the streak as it reads now, or by the longest that the user ever had. Default `active`. */
  readonly type?: 'active' | 'longest'
}

export interface PointsSummaryRequest {
  /** `attribute:value,attribute:value`: only users who have all of them. */
  readonly userAttributes?: string
}
