import type { GameKeys } from './game-keys.ts'
import type { AttributeFilter } from './user.ts'

/** A leaderboard with the dates of one of its runs. */
interface LeaderboardRun<Keys extends GameKeys> {
  readonly id: string
  readonly key: Keys['leaderboards']
  readonly name: string
  readonly description: string | null
  /** Of the leaderboard, by dates in UTC. */
  readonly status: 'scheduled' | 'active' | 'finished'
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
  readonly metricKey: Keys['metrics'] | null
  /** Of leaderboards ranked by points. */
  readonly pointsSystemName: string | null
  readonly pointsSystemKey: Keys['points'] | null
  /** Of leaderboards ranked by a named streak; else not there. */
  readonly streakKey?: Keys['streaks']
  /** The first and the last date of the run, for each participant in its own zone; null: it never ends. */
  readonly start: string
  readonly end: string | null
  /** The window of every day in which things count, local times `HH:MM`; null: from, or until, midnight. */
  readonly startTime: string | null
  readonly endTime: string | null
}

/** A leaderboard on which an event changed the user's value, with the rank before and after it. */
export interface EventLeaderboard<Keys extends GameKeys = GameKeys> extends LeaderboardRun<Keys> {
  readonly threshold: number
  readonly previousRank: number | null
  readonly rank: number | null
  /** The user's group, on leaderboards that have groups; an attribute that is not set is empty. */
  readonly breakdownAttributeValues?: readonly AttributeFilter[]
  /** Its value when there is exactly one attribute. */
  readonly breakdownAttributeValue?: string
}

export type LeaderboardResponse<Keys extends GameKeys = GameKeys> = LeaderboardRun<Keys>

export interface LeaderboardRanking {
  readonly userId: string
  readonly userName: string | null
  /** 1 is best. */
  readonly rank: number
  readonly value: number
}

export interface LeaderboardWithRankings<Keys extends GameKeys = GameKeys> extends LeaderboardResponse<Keys> {
  /** Best first. */
  readonly rankings: readonly LeaderboardRanking[]
}

/** A local day on which the user's value changed. */
export interface LeaderboardHistoryItem {
  readonly date: string
  /** When it last changed on that day. */
  readonly timestamp: string
  /** Always null: earlier ranks are not kept. */
  readonly previousRank: number | null
  /** The present rank in the newest item, null in others. */
  readonly rank: number | null
  /** null: the user was not on the leaderboard. */
  readonly previousValue: number | null
  readonly value: number
}

export interface UserLeaderboard<Keys extends GameKeys = GameKeys> extends LeaderboardRun<Keys> {
  /** null: not among the first `maxParticipants`. */
  readonly rank: number | null
  /** null: not on the leaderboard. */
  readonly value: number | null
  /** The newest days, oldest first. */
  readonly history: readonly LeaderboardHistoryItem[]
}

/** One run of a leaderboard, in which there is an entry. */
export interface LeaderboardRunItem {
  /** The first date of the run, which `leaderboards.get` takes as `run`. */
  readonly key: string
  /** The first and the last date, for each participant in its own zone; an end of null: it never ends. */
  readonly start: string
  readonly end: string | null
  /** By dates in UTC. */
  readonly status: 'scheduled' | 'active' | 'finished'
}

export interface LeaderboardRuns {
  /** The newest first. */
  readonly runs: readonly LeaderboardRunItem[]
  /** To be sent as `before` for older ones; null: there are none. */
  readonly before: string | null
}

/** A group of one run of a leaderboard. */
export interface LeaderboardGroup {
  /** Its value of each attribute of the breakdown; one that is not set is empty. */
  readonly values: { readonly [attribute: string]: string }
  /** How many users are in it; no more than 10,000 are counted. */
  readonly users: number
}

export interface LeaderboardGroups {
  readonly groups: readonly LeaderboardGroup[]
  /** To be sent as `after` for the next page; null: there are no more. */
  readonly after: string | null
}
