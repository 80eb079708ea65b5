import type { RankBy } from '../../../rules/game.ts'
import type { AdminPointsBoost } from './points.ts'

/*
 * What the game has, in the shapes of the hosted service's admin API. Ids are the same in every process and deploy;
 * what is not set is absent, or null where the service says so.
 */

export interface AdminAttribute {
  readonly id: string
  /** The key: attributes have no other name. */
  readonly name: string
  readonly key: string
  readonly type: 'user' | 'event'
}

export interface AdminMetric {
  readonly id: string
  readonly name: string
  readonly key: string
  /** Always `number`. */
  readonly unitType: 'number' | 'currency'
  /** Always empty. */
  readonly units: string
}

export interface AdminBadge {
  readonly url: string
}

export interface AdminPointsLevel {
  readonly id: string
  readonly name: string
  readonly key: string
  /** The total from which a user is on the level. */
  readonly points: number
  readonly description: string
  readonly badge: AdminBadge | null
}

export interface AdminAttributeFilter {
  readonly attributeId: string
  readonly attributeValue: string
}

export interface AdminPointsTrigger {
  readonly id: string
  readonly type: 'metric' | 'achievement' | 'streak' | 'user_creation' | 'time'
  readonly points: number
  readonly status: 'active' | 'inactive'
  /** Attributes that a user must have; empty: none. */
  readonly userAttributes: readonly AdminAttributeFilter[]
  /** These three of triggers with the type `metric`. */
  readonly metricId?: string
  readonly metricThreshold?: number
  readonly eventAttributes?: readonly AdminAttributeFilter[]
  /** Of triggers with the type `achievement`. */
  readonly achievementId?: string
  /** Of triggers with the type `streak`, in periods. */
  readonly streakLength?: number
  /** Key of the named streak that it looks at, if it does. */
  readonly streakKey?: string
  /** Of triggers with the type `time`: it pays every so many hours or local days. */
  readonly timeUnit?: 'hours' | 'days'
  readonly timeInterval?: number
  readonly blockIfOutOfPoints: boolean
}

export interface AdminPointsSystem {
  readonly id: string
  readonly name: string
  readonly key: string
  readonly description: string
  /** Always `active`. */
  readonly status: 'active' | 'archived'
  readonly badge: AdminBadge | null
  /** null: no limit. */
  readonly maxPoints: number | null
  /** The lowest first. */
  readonly levels: readonly AdminPointsLevel[]
  /** Those of all users, the oldest first. */
  readonly boosts: readonly AdminPointsBoost[]
  /** In the game's order, inactive ones too. */
  readonly triggers: readonly AdminPointsTrigger[]
}

export interface AdminLeaderboard {
  readonly id: string
  readonly name: string
  readonly key: string
  readonly description?: string
  /** By dates in UTC. */
  readonly status: 'inactive' | 'active' | 'scheduled' | 'finished'
  readonly rankBy: RankBy
  /** Of leaderboards ranked by a metric. */
  readonly metricId?: string
  /** Of leaderboards ranked by points. */
  readonly pointsSystemId?: string
  /** Of leaderboards ranked by a named streak. */
  readonly streakKey?: string
  /** 2147483647: no limit. */
  readonly maxParticipants: number
  /** `YYYY-MM-DD`, as `end` is. */
  readonly start: string
  readonly end?: string
  /** `HH:MM`, as `endTime` is. */
  readonly startTime?: string
  readonly endTime?: string
  /** Ids of the user attributes that divide it into groups. */
  readonly breakdownAttributes: readonly string[]
  readonly runUnit?: 'day' | 'month' | 'year'
  readonly runInterval?: number
}
