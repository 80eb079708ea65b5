import type { UserAchievement } from './achievements.ts'
import type { Count, DateText, Integer, Percentage, Positive, Score } from './formats.ts'
import type { LeaderboardResponse } from './leaderboards.ts'
import type { User } from './users.ts'

/** A year of a user in review. All dates are the user's local dates when the events happened. */
export interface Wrapped {
  readonly user: User
  readonly activity: WrappedActivity
}

/** A user's activity in a year: the periods with the most events, then the earliest, and the whole year. */
export interface WrappedActivity {
  /** Distinct local days with an event; weeks and months alike. */
  readonly daysActive: Count
  readonly weeksActive: Count
  readonly monthsActive: Count
  /**
   * The day, week and month with the most events; the earliest if several have as many. In a year without events, 1
   * January and its week and month.
   */
  readonly mostActiveDay: WrappedDay
  readonly mostActiveWeek: WrappedWeek
  readonly mostActiveMonth: WrappedMonth
  readonly entireYear: WrappedYear
}

export interface WrappedPeriod {
  /** Metrics with an event of the user in the period, by key. */
  readonly metrics: { readonly [metric: string]: WrappedMetric }
  /** Points systems in which the user gained or lost points in the period, by key. */
  readonly points: { readonly [system: string]: WrappedPoints }
  /** Achievements completed in the period. */
  readonly achievements: readonly UserAchievement[]
  /**
   * The user's best rank on each leaderboard, in its current state, of the runs that share a date with the period; by
   * key.
   */
  readonly leaderboards: { readonly [leaderboard: string]: WrappedLeaderboard }
}

/** The most active day of a year. */
export interface WrappedDay extends WrappedPeriod {
  readonly date: DateText
}

/** The most active week. Only events inside the year count in it. */
export interface WrappedWeek extends WrappedPeriod {
  readonly start: DateText
  readonly end: DateText
}

/** The most active month of a year. */
export interface WrappedMonth extends WrappedPeriod {
  /**
   * 0 is January.
   *
   * @maximum 11
   */
  readonly month: Count
}

/** A whole year. */
export interface WrappedYear extends WrappedPeriod {
  readonly longestStreak: WrappedStreak
}

/** The sum of a metric's events with one value of an attribute. */
export interface WrappedValue {
  readonly name: string
  /** The total of all events with the value, at any time. */
  readonly currentTotal: number
  readonly changeThisPeriod: number
  /** Compared with the period before. From 0 it is 100 for an increase, -100 for a decrease, and 0 for no change. */
  readonly percentChange: number
}

/** The change of a user's metric in a period. If the total is no sum, the total of the period's own events. */
export interface WrappedMetric extends WrappedValue {
  /** The unit of the values, if the metric has a `unit`. */
  readonly units?: string
  /** The user's total now. */
  readonly currentTotal: number
  /**
   * The percentage of users with an event in the period whose change is at most the user's. Absent for a day, and if
   * there are too many users.
   */
  readonly percentileThisPeriod?: Percentage
  /**
   * By attribute, then by value: the values that the user's events in the period have, at most the 100 with the
   * greatest change.
   */
  readonly byAttribute: { readonly [attribute: string]: { readonly [value: string]: WrappedValue } }
}

/** The points that a user gained or lost in a points system in a period. */
export interface WrappedPoints extends Pick<WrappedMetric, 'name' | 'percentChange' | 'percentileThisPeriod'> {
  readonly description: string | null
  /** The user's total now. */
  readonly currentTotal: Integer
  readonly changeThisPeriod: Integer
}

/** A user's best place on a leaderboard in a period. */
export interface WrappedLeaderboard extends LeaderboardResponse {
  /** 1 is best, or `null` if not among the first `maxParticipants`. */
  readonly rank: Positive | null
  readonly value: Score
}

/** The longest streak that included a date of the year. It may have begun earlier. */
export interface WrappedStreak {
  /** In periods; 0 if there was none, and then every date is null. */
  readonly length: Count
  readonly frequency: 'daily' | 'weekly' | 'monthly'
  /** The first date of its last period that counted in the year. */
  readonly periodStart: DateText | null
  readonly periodEnd: DateText | null
  /** Its first date, perhaps before the year. */
  readonly started: DateText | null
}
