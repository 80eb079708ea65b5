export interface PrivateRequest {
  /** Whether private leaderboards are there for the caller. Default true. */
  readonly includePrivate?: boolean
}

export interface LeaderboardsRequest extends PrivateRequest {
  /** Whether finished leaderboards are there too. Default false. */
  readonly includeFinished?: boolean | 'true' | 'false'
}

export interface LeaderboardRequest<UserAttribute extends string = string> extends PrivateRequest {
  /** How many places to pass over. Default 0. With `userId` counted from that user's place, and then perhaps below 0. */
  readonly offset?: number
  /** How many places to answer at most, 0 to 1,000. Default 10. */
  readonly limit?: number
  /** `YYYY-MM-DD`: the run in which this date lies. Default: the current run. */
  readonly run?: string
  /** Answers the places around this user; none when the user is not on the leaderboard. */
  readonly userId?: string
  /**
   * The group, on a leaderboard with a breakdown: a value for each of its attributes, also as text
   * (`city:London,plan:pro`). An empty value stands for an unset one. Default: the group of `userId`.
   */
  readonly userAttributes?: string | { readonly [Name in UserAttribute]?: string }
  /** Only these users, at most 1,000, ranked among themselves. Not together with `userId`. */
  readonly among?: readonly string[]
}

export interface UserLeaderboardRequest extends PrivateRequest {
  /** `YYYY-MM-DD`: the run in which this date lies. Default: the current run. */
  readonly run?: string
  /** How many items of history are there at most, 0 to 400. Default 10. */
  readonly numEvents?: number
}
