export interface ActivityRequest {
  /** The first and the last date in UTC, `YYYY-MM-DD`, both included; at most 92 days. */
  readonly from: string
  readonly to: string
}

export interface CompletionsRequest {
  /** 1 to 100. Default: 50. */
  readonly limit?: number
  /** `after` of the answer before. */
  readonly after?: string
}

export interface LeaderboardRunsRequest {
  /** 1 to 100. Default: 50. */
  readonly limit?: number
  /** `before` of the answer before: runs that begin before this date. */
  readonly before?: string
}

export interface LeaderboardGroupsRequest {
  /** `YYYY-MM-DD`: the run in which this date lies. Default: the current run. */
  readonly run?: string
  /** 1 to 100. Default: 50. */
  readonly limit?: number
  /** `after` of the answer before. */
  readonly after?: string
}

export interface GamesRequest {
  /** 1 to 20. Default: 10. */
  readonly limit?: number
  /** `before` of the answer before: games of lower epochs. */
  readonly before?: number
}
