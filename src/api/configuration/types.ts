import type { RankBy } from '../../rules/game.ts'
import type { Count, DateText, Integer, Positive, TimeOfDay, Uuid } from '../formats.ts'
import type { AdminAttributeFilter, AdminPointsBoost } from '../points/types.ts'

/*
 * What the game has, in the shapes of the hosted service's admin API. Ids are the same in every process and deploy;
 * what is not set is absent, or null where the service says so.
 */

/** An attribute of users or of events. */
export interface AdminAttribute {
  readonly id: Uuid
  /** The key: attributes have no other name. */
  readonly name: string
  readonly key: string
  /** If users or events have it. */
  readonly type: 'user' | 'event'
}

/** A metric of the game. */
export interface AdminMetric {
  readonly id: Uuid
  readonly name: string
  readonly key: string
  /** Always `number`. */
  readonly unitType: 'number' | 'currency'
  /** Empty: the metric has no unit. */
  readonly units: string
}

/** Where the picture of a badge is. */
export interface AdminBadge {
  readonly url: string
}

/** A level of a points system, as the game has it. */
export interface AdminPointsLevel {
  readonly id: Uuid
  readonly name: string
  readonly key: string
  /** The total from which a user is on the level. */
  readonly points: Count
  readonly description: string
  readonly badge: AdminBadge | null
}

/** What a points system gives points for, as the game has it. */
export interface AdminPointsTrigger {
  readonly id: Uuid
  readonly type: 'metric' | 'achievement' | 'streak' | 'user_creation' | 'time'
  /** What it gives; negative: what it takes. */
  readonly points: Integer
  readonly status: 'active' | 'inactive'
  /** Attributes that a user must have; empty: none. */
  readonly userAttributes: readonly AdminAttributeFilter[]
  /** For `metric` triggers. */
  readonly metricId?: Uuid
  /** For `metric` triggers. */
  readonly metricThreshold?: number
  /** For `metric` triggers: attributes that an event must have to count. */
  readonly eventAttributes?: readonly AdminAttributeFilter[]
  /** For triggers of the type `achievement`. */
  readonly achievementId?: Uuid
  /** For triggers of the type `streak`, in periods. */
  readonly streakLength?: Positive
  /** Key of the named streak that it looks at, if it does. */
  readonly streakKey?: string
  /** For `time` triggers. */
  readonly timeUnit?: 'hours' | 'days'
  /** For `time` triggers: how many hours or local days. */
  readonly timeInterval?: Positive
  /** True if an event that needs more points than the user has is refused. */
  readonly blockIfOutOfPoints: boolean
}

/** A points system, as the game has it. */
export interface AdminPointsSystem {
  readonly id: Uuid
  readonly name: string
  readonly key: string
  readonly description: string
  /** Always `active`. */
  readonly status: 'active' | 'archived'
  readonly badge: AdminBadge | null
  /** The most that a user can have; null: no limit. */
  readonly maxPoints: Positive | null
  /** The lowest first. */
  readonly levels: readonly AdminPointsLevel[]
  /** Those of all users, the oldest first. */
  readonly boosts: readonly AdminPointsBoost[]
  /** In the game's order, inactive ones too. */
  readonly triggers: readonly AdminPointsTrigger[]
}

/** A leaderboard, as the game has it. */
export interface AdminLeaderboard {
  readonly id: Uuid
  readonly name: string
  readonly key: string
  readonly description?: string
  /** By dates in UTC; never `inactive`. */
  readonly status: 'inactive' | 'active' | 'scheduled' | 'finished'
  readonly rankBy: RankBy
  /** For leaderboards ranked by a metric. */
  readonly metricId?: Uuid
  /** For leaderboards ranked by points. */
  readonly pointsSystemId?: Uuid
  /** For leaderboards ranked by a named streak. */
  readonly streakKey?: string
  /** How many users have a rank, in each group; 2147483647: no limit. */
  readonly maxParticipants: Positive
  /** The first date. */
  readonly start: DateText
  /** The last date. */
  readonly end?: DateText
  /** In each participant's time zone, as `endTime` is. */
  readonly startTime?: TimeOfDay
  readonly endTime?: TimeOfDay
  /** Ids of the user attributes that divide it into groups. */
  readonly breakdownAttributes: readonly Uuid[]
  /** Absent: there is one run. */
  readonly runUnit?: 'day' | 'month' | 'year'
  /** How many units a run lasts. */
  readonly runInterval?: Positive
}
