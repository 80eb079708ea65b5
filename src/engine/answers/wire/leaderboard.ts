/** Specification 2.6. */
export interface EventLeaderboard {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly description: string | null
  readonly rankBy: 'metric' | 'points' | 'streak'
  readonly runUnit: 'day' | 'month' | 'year' | null
  readonly runInterval: number | null
  readonly maxParticipants: number
  readonly breakdownAttribute: string | null
  readonly breakdownAttributes: readonly string[]
  readonly metricName: string | null
  readonly metricKey: string | null
  readonly threshold: number
  readonly start: string
  readonly end: string | null
  readonly previousRank: number | null
  readonly rank: number | null
}

/** A leaderboard with the dates of one of its runs. */
interface LeaderboardRun {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly description: string | null
  readonly rankBy: 'metric' | 'points' | 'streak'
  /** null: one run. */
  readonly runUnit: 'day' | 'month' | 'year' | null
  readonly runInterval: number | null
  /** How many users have a rank, in each group; 2147483647: no limit. */
  readonly maxParticipants: number
  /** Set when there is exactly one. */
  readonly breakdownAttribute: string | null
  /** User attributes by whose values it is divided into groups. */
  readonly breakdownAttributes: readonly string[]
  /** Of leaderboards ranked by a metric. */
  readonly metricName: string | null
  readonly metricKey: string | null
  /** Of leaderboards ranked by points. */
  readonly pointsSystemName: string | null
  readonly pointsSystemKey: string | null
  /** The first and the last date of the run, for each participant in its own zone; null: it never ends. */
  readonly start: string
  readonly end: string | null
}

export interface LeaderboardResponse extends LeaderboardRun {
  /** Of the leaderboard, by dates in UTC. */
  readonly status: 'scheduled' | 'active' | 'finished'
}

export interface LeaderboardRanking {
  readonly userId: string
  readonly userName: string | null
  /** 1 is best. */
  readonly rank: number
  readonly value: number
}

export interface LeaderboardWithRankings extends LeaderboardResponse {
  /** Best first. */
  readonly rankings: readonly LeaderboardRanking[]
}

/** A local day on which the user's value changed. */
export interface LeaderboardHistoryItem {
  /** When it last changed on that day. */
  readonly timestamp: string
  /** Always null: what ranks were is not kept. */
  readonly previousRank: number | null
  /** The present rank in the newest item, null in others. */
  readonly rank: number | null
  /** null: the user was not on the leaderboard. */
  readonly previousValue: number | null
  readonly value: number
}

export interface UserLeaderboard extends LeaderboardRun {
  /** null: not among the first `maxParticipants`. */
  readonly rank: number | null
  /** null: not on the leaderboard. */
  readonly value: number | null
  /** The newest days, oldest first. */
  readonly history: readonly LeaderboardHistoryItem[]
}
