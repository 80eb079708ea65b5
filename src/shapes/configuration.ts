import type { Count, DateText, Positive, TimeOfDay, Uuid } from './formats.ts'
import type { LeaderboardResponse } from './leaderboards.ts'
import type {
  AdminAttributeFilter,
  AdminPointsBoost,
  PointsLevel,
  PointsSystemResponse,
  PointsTrigger,
} from './points.ts'

/*
 * The game's definition, in the shapes of the hosted service's admin API. Ids are the same in every process and deploy.
 * Unset values are absent, or null if the service has null.
 */

/** An attribute of users or of events. */
export interface AdminAttribute {
  readonly id: Uuid
  /** The key: attributes have no other name. */
  readonly name: string
  readonly key: string
  /** `user`: users have it. `event`: events have it. */
  readonly type: 'user' | 'event'
}

/** A metric of the game. */
export interface AdminMetric {
  readonly id: Uuid
  readonly name: string
  readonly key: string
  /** Always `number`. */
  readonly unitType: 'number' | 'currency'
  /** Empty if the metric has no unit. */
  readonly units: string
}

/** The address of a badge's picture. */
export interface AdminBadge {
  readonly url: string
}

/** A level of a points system, as the game has it. */
export interface AdminPointsLevel extends Omit<PointsLevel, 'badgeUrl'> {
  readonly badge: AdminBadge | null
}

/** A rule of a points system that gives points. */
export interface AdminPointsTrigger
  extends Pick<
    PointsTrigger,
    'id' | 'type' | 'points' | 'metricId' | 'metricThreshold' | 'achievementId' | 'streakKey' | 'timeInterval'
  > {
  readonly status: 'active' | 'inactive'
  /** Attributes that a user must have; empty if there is none. */
  readonly userAttributes: readonly AdminAttributeFilter[]
  /** For `metric` triggers: attributes that an event must have to count. */
  readonly eventAttributes?: readonly AdminAttributeFilter[]
  /** For `streak` triggers, in periods. */
  readonly streakLength?: Positive
  /** For `time` triggers. */
  readonly timeUnit?: 'hours' | 'days'
  /** True if an event that needs more points than the user has is refused. */
  readonly blockIfOutOfPoints: boolean
}

/** A points system, as the game has it. */
export interface AdminPointsSystem extends Pick<PointsSystemResponse, 'id' | 'key' | 'name' | 'maxPoints'> {
  readonly description: string
  /** Always `active`. */
  readonly status: 'active' | 'archived'
  readonly badge: AdminBadge | null
  /** The lowest first. */
  readonly levels: readonly AdminPointsLevel[]
  /** Boosts for all users, the oldest first. */
  readonly boosts: readonly AdminPointsBoost[]
  /** In the game's order, inactive ones too. */
  readonly triggers: readonly AdminPointsTrigger[]
}

/** A leaderboard, as the game has it. */
export interface AdminLeaderboard
  extends Pick<LeaderboardResponse, 'id' | 'key' | 'name' | 'rankBy' | 'maxParticipants'> {
  readonly description?: string
  /** The state of the leaderboard, by dates in UTC. Never `inactive`. */
  readonly status: 'inactive' | 'active' | 'scheduled' | 'finished'
  /** For leaderboards ranked by a metric. */
  readonly metricId?: Uuid
  /** For leaderboards ranked by points. */
  readonly pointsSystemId?: Uuid
  /** For leaderboards ranked by a named streak. */
  readonly streakKey?: string
  /** The first date. */
  readonly start: DateText
  /** The last date. */
  readonly end?: DateText
  /** In each participant's time zone, as `endTime` is. */
  readonly startTime?: TimeOfDay
  readonly endTime?: TimeOfDay
  /** Ids of the user attributes that divide it into groups. */
  readonly breakdownAttributes: readonly Uuid[]
  /** Absent if there is one run. */
  readonly runUnit?: 'day' | 'month' | 'year'
  /** The length of a run in units. */
  readonly runInterval?: Positive
}

/** An achievement as the game has it. */
export interface AdminAchievement {
  readonly id: Uuid
  readonly name: string
  readonly description: string | null
  /** `api` for an achievement by criteria, whose `kind` is then `criteria`. */
  readonly trigger: 'metric' | 'streak' | 'api' | 'achievement' | 'anniversary'
  /** The trigger of an achievement that the hosted service does not have. */
  readonly kind?: 'criteria'
  readonly status: 'active' | 'inactive' | 'locked'
  readonly badge: AdminBadge | null
  /** Attributes that a user must have; empty if there is none. */
  readonly userAttributes: readonly AdminAttributeFilter[]
  readonly key: string
  /** For `metric` achievements, as the next two. */
  readonly metricId?: Uuid
  readonly metricValue?: number
  readonly eventAttributes?: readonly AdminAttributeFilter[]
  /** For `streak` achievements, in periods. */
  readonly streakLength?: Positive
  /** For `streak` achievements: the key of the named streak. Absent for the game's `streak`. */
  readonly streakKey?: string
  /** For `anniversary` achievements. */
  readonly anniversaryYears?: Positive
  /** For the trigger `achievement`: ids of the achievements that it needs. */
  readonly achievementIds?: readonly Uuid[]
}

/** The game's `streak`, in the shape of the hosted service. Streaks with keys of their own are not in it. */
export interface StreakSettings {
  /** `daily` if the game has no streak. */
  readonly frequency: 'daily' | 'weekly' | 'monthly'
  readonly evaluationMode: 'OR' | 'AND'
  /** True if users may choose a mode, thresholds and days off of their own. */
  readonly customizationEnabled: boolean
  /** By number: 0 is Sunday. Empty if there is none. */
  readonly daysOff: readonly Count[]
  /** Empty if the game has no streak. Thresholds are rounded up; 1 if the game has none. */
  readonly metrics: readonly { readonly key: string; readonly threshold: Positive }[]
  /** `null` if the game has no freezes. */
  readonly freezes: StreakFreezeSettings | null
}

/** The freezes of the game's `streak`. */
export interface StreakFreezeSettings {
  readonly startCount: Count
  readonly maxCount: Positive
  /** In days, or `null` if none are earned by time. */
  readonly autoEarnInterval: Positive | null
  readonly autoEarnAmount: Positive | null
}

/** The hosted service's settings, as far as the game has them. */
export interface AdminSettings {
  /** Always the same, because nothing here sends mail. */
  readonly branding: {
    readonly appName: string
    readonly appUrl: string
    readonly brandColor: string
    readonly font: 'MODERN_SANS'
    readonly logo: { readonly url: string } | null
    readonly appIcon: { readonly url: string } | null
  }
  readonly experimentation: {
    /** In percent, rounded: the share of users in the control group. */
    readonly controlRatio: Count
    /** In days. Always 30, for which retention is counted. */
    readonly userActivationWindow: Positive
  }
  /** How often recaps are due: `weekly` also for daily ones and for none, `monthly` also for yearly ones. */
  readonly aggregationPeriod: 'weekly' | 'monthly'
}

/** A deployment of the game. */
export interface AdminEnvironment {
  readonly name: string
  readonly key: string
  readonly priority: Positive
}
