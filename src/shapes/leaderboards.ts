import type { Count, DateText, GameKeys, InstantText, Positive, Score, TimeOfDay, Uuid } from './formats.ts'
import type { AttributeFilter } from './users.ts'

/** A leaderboard, with the dates of its current run. */
export interface LeaderboardResponse<Keys extends GameKeys = GameKeys> {
  readonly id: Uuid
  readonly key: Keys['leaderboards']
  readonly name: string
  readonly description: string | null
  /** The state of the leaderboard, by dates in UTC. */
  readonly status: 'scheduled' | 'active' | 'finished'
  readonly rankBy: 'metric' | 'points' | 'streak'
  /** The unit of a run, or `null` if there is one run. */
  readonly runUnit: 'day' | 'month' | 'year' | null
  /** The length of a run in units. */
  readonly runInterval: Positive | null
  /** The number of users with a rank in each group; 2147483647 means no limit. */
  readonly maxParticipants: Positive
  /** Set if there is exactly one. */
  readonly breakdownAttribute: string | null
  /** User attributes that divide the leaderboard into groups. */
  readonly breakdownAttributes: readonly string[]
  /** For leaderboards ranked by a metric. */
  readonly metricName: string | null
  /** For leaderboards ranked by a metric. */
  readonly metricKey: Keys['metrics'] | null
  /** The unit of the values, if the metric has a `unit`. */
  readonly units?: string
  /** For leaderboards ranked by points. */
  readonly pointsSystemName: string | null
  /** For leaderboards ranked by points. */
  readonly pointsSystemKey: Keys['points'] | null
  /** Set if the lowest value is the best. */
  readonly order?: 'lowest'
  /** Set if equal values share a rank, such as 1, 2, 2, 4. */
  readonly ties?: 'shared'
  /** The key of the named streak. Absent for the game's `streak`. */
  readonly streakKey?: Keys['streaks']
  /** The first date of the run, in each participant's time zone. */
  readonly start: DateText
  /** The last date of the run, or `null` if it never ends. */
  readonly end: DateText | null
  /** The local time from which events count on every day, or `null` if they count from midnight. */
  readonly startTime: TimeOfDay | null
  /** The local time until which events count on every day, or `null` if they count until midnight. */
  readonly endTime: TimeOfDay | null
}

/** A leaderboard on which an event changed the user's value, with the rank before and after it. */
export interface EventLeaderboard<Keys extends GameKeys = GameKeys> extends LeaderboardResponse<Keys> {
  /** The value of the last participant when the leaderboard is full, else 0. */
  readonly threshold: Score
  /** The user's rank before this event, or `null` if there is none. */
  readonly previousRank: Positive | null
  /** The user's rank after this event, 1 is best, or `null` if not among the first `maxParticipants`. */
  readonly rank: Positive | null
  /** The user's group, on leaderboards that have groups; an attribute that is not set is empty. */
  readonly breakdownAttributeValues?: readonly AttributeFilter[]
  /** Set if there is exactly one attribute: its value. */
  readonly breakdownAttributeValue?: string
  /** True if the user's own choice leaves the user off the leaderboard. */
  readonly hidden?: true
}

/** A place on a leaderboard. */
export interface LeaderboardRanking {
  /** For an anonymous user an id that differs on each leaderboard and in each run, unless the call reveals it. */
  readonly userId: string
  /** `null` for an anonymous user, unless the call reveals it. */
  readonly userName: string | null
  /** True if other users see this place without its user. Absent if it is the viewer's own. */
  readonly anonymous?: true
  /** 1 is best. */
  readonly rank: Positive
  readonly value: Score
}

/** One run of a leaderboard, with rankings. */
export interface LeaderboardWithRankings<Keys extends GameKeys = GameKeys> extends LeaderboardResponse<Keys> {
  /**
   * The number of users in this run and group, beyond `maxParticipants` too; with `among`, the number of these users.
   */
  readonly participants: Count
  /** Best first. */
  readonly rankings: readonly LeaderboardRanking[]
}

/** A day on which a user's value changed, in the user's time zone. */
export interface LeaderboardHistoryItem {
  readonly date: DateText
  /** When the value last changed on that day. */
  readonly timestamp: InstantText
  /** Always null, because earlier ranks are not stored. */
  readonly previousRank: Positive | null
  /** The current rank in the newest item, `null` in all others. */
  readonly rank: Positive | null
  /** `null` if the user was not on the leaderboard. */
  readonly previousValue: Score | null
  readonly value: Score
}

/** A user's place in one run of a leaderboard. */
export interface UserLeaderboard<Keys extends GameKeys = GameKeys> extends LeaderboardResponse<Keys> {
  /** 1 is best, or `null` if not among the first `maxParticipants`. */
  readonly rank: Positive | null
  /** `null` if not on the leaderboard. */
  readonly value: Score | null
  /** The number of users in this run and in the user's group, beyond `maxParticipants` too. */
  readonly participants: Count
  /** True if the user's own choice leaves the user off the leaderboard. Rank and value are then null. */
  readonly hidden?: true
  /** The newest days, oldest first. */
  readonly history: readonly LeaderboardHistoryItem[]
}

/** One run of a leaderboard, in which there is an entry. */
export interface LeaderboardRunItem {
  /** The first date of the run, which `leaderboards.get` takes as `run`. */
  readonly key: DateText
  /** The first date, in each participant's time zone. */
  readonly start: DateText
  /** The last date, or `null` if it never ends. */
  readonly end: DateText | null
  /** The state of the run, by dates in UTC. */
  readonly status: 'scheduled' | 'active' | 'finished'
}

/** Runs with at least one participant, the newest first. */
export interface LeaderboardRuns {
  /** The newest first. */
  readonly runs: readonly LeaderboardRunItem[]
  /** Send it as `before` to get older ones. `null` on the last page. */
  readonly before: DateText | null
}

/** A group of one run of a leaderboard. */
export interface LeaderboardGroup {
  /** The group's value of each breakdown attribute; empty if it is not set. */
  readonly values: { readonly [attribute: string]: string }
  /** The number of users in it; at most 10,000 are counted. */
  readonly users: Count
}

/** The groups of a run. */
export interface LeaderboardGroups {
  readonly groups: readonly LeaderboardGroup[]
  /** Send it as `after` to get the next page. `null` on the last page. */
  readonly after: string | null
}
