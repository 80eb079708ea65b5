import type { UserAchievement } from './achievement.ts'
import type { LeaderboardResponse } from './leaderboard.ts'
import type { User } from './user.ts'

/** A year of a user in review. All dates are local ones, as they were when things happened. */
export interface Wrapped {
  readonly user: User
  readonly activity: WrappedActivity
}

export interface WrappedActivity {
  /** Distinct local days, weeks and months with an event. */
  readonly daysActive: number
  readonly weeksActive: number
  readonly monthsActive: number
  /** Those with the most events, then the earliest; 1 January, its week and its month in a year without any event. */
  readonly mostActiveDay: WrappedDay
  readonly mostActiveWeek: WrappedWeek
  readonly mostActiveMonth: WrappedMonth
  readonly entireYear: WrappedYear
}

export interface WrappedPeriod {
  /** Those of which the user has an event in the period, by key. */
  readonly metrics: { readonly [metric: string]: WrappedMetric }
  /** Those in which the user was given or lost points in the period, by key. */
  readonly points: { readonly [system: string]: WrappedPoints }
  /** Completed in the period. */
  readonly achievements: readonly UserAchievement[]
  /** The user's best rank on each leaderboard, as it is now, of the runs that share a date with the period; by key. */
  readonly leaderboards: { readonly [leaderboard: string]: WrappedLeaderboard }
}

export interface WrappedDay extends WrappedPeriod {
  readonly date: string
}

/** A whole week, though only what happened inside the year counts in it. */
export interface WrappedWeek extends WrappedPeriod {
  readonly start: string
  readonly end: string
}

export interface WrappedMonth extends WrappedPeriod {
  /** 0 is January. */
  readonly month: number
}

export interface WrappedYear extends WrappedPeriod {
  readonly longestStreak: WrappedStreak
}

/** What events of a metric, with one value of an attribute, added. */
export interface WrappedValue {
  /** Of the metric. */
  readonly name: string
  /** Of all events with the value, whenever they were. */
  readonly currentTotal: number
  readonly changeThisPeriod: number
  readonly percentChange: number
}

export interface WrappedMetric {
  readonly name: string
  /** The user's total now. */
  readonly currentTotal: number
  readonly changeThisPeriod: number
  /** Against the period before; 100 where there was nothing, and 0 where there is nothing now either. */
  readonly percentChange: number
  /**
   * The share in percent, of all users with an event in the period, whose change is not above the user's. Not there for
   * a day, nor where there are too many users.
   */
  readonly percentileThisPeriod?: number
  /**
   * By attribute, then by value: those that the user's events in the period have, at most the 100 with the greatest
   * change.
   */
  readonly byAttribute: { readonly [attribute: string]: { readonly [value: string]: WrappedValue } }
}

export interface WrappedPoints {
  readonly name: string
  readonly description: string | null
  /** These four as of a metric. */
  readonly currentTotal: number
  readonly changeThisPeriod: number
  readonly percentChange: number
  readonly percentileThisPeriod?: number
}

export interface WrappedLeaderboard extends LeaderboardResponse {
  /** null: not among the first `maxParticipants`. */
  readonly rank: number | null
  readonly value: number
}

/** The longest that stood on a date of the year; it may have begun before it. */
export interface WrappedStreak {
  /** In periods; 0 when there was none, and then every date is null. */
  readonly length: number
  readonly frequency: 'daily' | 'weekly' | 'monthly'
  /** The dates of the last period of it that counted in the year. */
  readonly periodStart: string | null
  readonly periodEnd: string | null
  readonly started: string | null
}
