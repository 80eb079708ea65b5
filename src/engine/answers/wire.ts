/*
 * The shapes of answers, as the specification's section 2 gives them, with the fields that clients of the hosted service
 * demand (decisions, section 12). Instants are ISO 8601 in UTC with milliseconds, dates `YYYY-MM-DD` in the user's zone.
 */

/** Specification 2.1. */
export interface User {
  readonly id: string
  readonly email: string | null
  readonly name: string | null
  readonly tz: string | null
  readonly deviceTokens: readonly string[] | null
  readonly subscribedToEmails: boolean
  /** The same as `subscribedToEmails`, in the spelling of the official client. */
  readonly subscribeToEmails: boolean
  readonly attributes: { readonly [name: string]: string }
  /** Always false: there is no control group. */
  readonly control: boolean
  readonly created: string
  readonly updated: string
}

export interface AttributeFilter {
  readonly key: string
  readonly value: string
}

/** What every form of an achievement has (specification 2.2). */
export interface Achievement {
  readonly id: string
  readonly key: string
  readonly trigger: 'metric' | 'api' | 'streak' | 'achievement'
  readonly name: string
  readonly description: string | null
  readonly badgeUrl: string | null
  /** Attributes a user must have; empty: none. */
  readonly userAttributes: readonly AttributeFilter[]
  /** Of achievements with the trigger `metric`. */
  readonly metricId?: string
  readonly metricName?: string
  readonly metricValue?: number
  readonly eventAttributes?: readonly AttributeFilter[]
  /** Set when there is exactly one event attribute. */
  readonly eventAttribute?: AttributeFilter
  /** Of achievements with the trigger `streak`. */
  readonly streakLength?: number
  /** Of composites (trigger `achievement`): keys of the achievements that make it up. */
  readonly achievements?: readonly string[]
}

export interface AchievementWithStats extends Achievement {
  /** How many users have it. */
  readonly completions: number
  /** Percentage of all users who have it, two decimals. */
  readonly rarity: number
}

export interface UserAchievement extends Achievement {
  /** null: not yet. */
  readonly achievedAt: string | null
}

export interface UserAchievementWithStats extends AchievementWithStats {
  readonly achievedAt: string | null
}

/** Specification 2.3. */
export interface AchievementCompletionResponse {
  readonly completionId: string
  readonly achievement: UserAchievement
  /** The systems whose total changed, by key. */
  readonly points: { readonly [system: string]: PointsChange }
}

/** Specification 2.4. */
export interface Streak {
  /** In periods; 0 when there is no streak, and then every date is null. */
  readonly length: number
  readonly frequency: 'daily' | 'weekly' | 'monthly'
  readonly started: string | null
  readonly periodStart: string | null
  readonly periodEnd: string | null
  /** The last date on which it can still be extended. */
  readonly expires: string | null
  /** How many freezes the user has. This and the next three only where the game has freezes, or lets users earn them. */
  readonly freezes?: number
  readonly maxFreezes?: number
  /** In days. */
  readonly freezeAutoEarnInterval?: number
  readonly freezeAutoEarnAmount?: number
}

export interface CurrentStreak extends Streak {
  /** Whether this event made the streak longer. */
  readonly extended: boolean
}

export interface StreakHistoryItem {
  readonly periodStart: string
  readonly periodEnd: string
  /** The length of the streak in this period, 0 where it had none. */
  readonly length: number
  /** Whether a freeze was consumed for it; there when the game has freezes. */
  readonly usedFreeze?: boolean
  /** There, and true, when the streak went on because the period was paused. */
  readonly usedPause?: true
}

export interface StreakPause {
  readonly id: string
  /** Local dates of the user, both included. */
  readonly start: string
  readonly end: string
}

export interface UserStreak extends Streak {
  /** The user's rank on the game's first streak leaderboard without groups; null where there is none. */
  readonly rank: number | null
  /** Those that are not over, in the order in which they were made; there when there are any. */
  readonly pauses?: readonly StreakPause[]
  /** The last periods up to the current one, oldest first; there when asked for. */
  readonly streakHistory?: readonly StreakHistoryItem[]
}

export interface AwardTrigger {
  readonly id: string
  readonly type?: 'metric' | 'achievement' | 'streak' | 'user_creation'
  readonly points?: number
  readonly metricName?: string
  readonly metricThreshold?: number
  readonly streakLengthThreshold?: number
  readonly achievementName?: string
}

export interface PointsAward {
  readonly id: string
  /** Points added, after clipping to 0 and `maxPoints`; negative when they were taken. */
  readonly awarded: number
  readonly date: string
  /** The system's total after it. */
  readonly total: number
  readonly trigger: AwardTrigger
}

export interface PointsLevel {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly description: string
  readonly badgeUrl: string | null
  readonly points: number
}

interface PointsSystem {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly description: string | null
  readonly badgeUrl: string | null
  readonly maxPoints: number | null
  readonly total: number
  readonly awards: readonly PointsAward[]
}

/** Specification 2.5, in the answer of an operation. */
export interface PointsChange extends PointsSystem {
  /** Points added by this operation. */
  readonly added: number
  /** The new level when this operation changed it, null when it fell below every level, otherwise absent. */
  readonly level?: PointsLevel | null
}

/** Specification 2.5, as read for a user. */
export interface UserPoints extends PointsSystem {
  /** null: below every level. */
  readonly level: PointsLevel | null
}

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

/** Specification 2.4. */
export interface MetricEventResponse {
  readonly eventId: string
  readonly metricId: string
  /** The user's total of the metric after the event. */
  readonly total: number
  /** Completed by the event, composites and streak achievements included. */
  readonly achievements: readonly UserAchievement[]
  readonly currentStreak: CurrentStreak
  /** The systems whose total changed, by key. */
  readonly points: { readonly [system: string]: PointsChange }
  /** The boards on which the user's value changed, by key. */
  readonly leaderboards: { readonly [board: string]: EventLeaderboard }
  /** There when an idempotency key was sent; true when this user had used it for this metric before. */
  readonly idempotentReplayed?: boolean
  readonly idempotencyKey?: string
}

/** What undoing an event changed. */
export interface VoidEventResponse {
  /** Id of the void. */
  readonly voidId: string
  readonly eventId: string
  readonly userId: string
  readonly metricId: string
  /** The user's total of the metric without the event. */
  readonly total: number
  /** Whether the event was void before, so that this call changed nothing. */
  readonly alreadyVoided: boolean
  /** Taken back, with `revoke`, and so without `achievedAt`. */
  readonly revokedAchievements: readonly UserAchievement[]
  readonly currentStreak: CurrentStreak
  /** The systems whose total changed, by key. */
  readonly points: { readonly [system: string]: PointsChange }
}

/** Specification 2.7. */
export interface MetricResponse {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly status: 'active' | 'archived'
  /** The user's total. */
  readonly current: number
  readonly achievements: readonly UserAchievement[]
}

/** Specification 2.8. */
export interface UserPreferences {
  readonly notifications: {
    readonly achievement_completed?: readonly NotificationChannel[]
    readonly recap?: readonly NotificationChannel[]
    readonly reactivation?: readonly NotificationChannel[]
    readonly streak_reminder?: readonly NotificationChannel[]
  }
  /** There when set. */
  readonly streak?: StreakPreferences
}

export type NotificationChannel = 'email' | 'push'

export interface StreakPreferences {
  readonly evaluationMode: 'OR' | 'AND'
  /** Without a threshold any change above 0 counts. */
  readonly metrics: readonly { readonly key: string; readonly threshold?: number }[]
}

/** Specification 4.12; decisions, section 7. */
export interface EventSummaryItem {
  /** The first date of the period; that of a first week or month may lie before `startDate`. */
  readonly date: string
  /** The user's total at the end of the period, or of `endDate` if that is earlier. */
  readonly total: number
  /** What the events on dates inside the range added. */
  readonly change: number
}

/** The length of one user's streak, among many users'. */
export interface UserStreakLength {
  readonly userId: string
  readonly streakLength: number
  /** When it was last made longer; null while the length is 0. */
  readonly extended: string | null
}

export interface PointsTrigger {
  readonly id: string
  readonly type: 'metric' | 'achievement' | 'streak' | 'user_creation'
  readonly points: number
  /** The hosted service's word for an inactive trigger is `archived`. */
  readonly status: 'active' | 'archived'
  readonly metricId?: string
  readonly metricName?: string
  readonly metricThreshold?: number
  readonly achievementId?: string
  readonly achievementName?: string
  readonly streakLengthThreshold?: number
  /** Attributes a user must have; empty: none. */
  readonly userAttributes: readonly AttributeFilter[]
  /** Of triggers with the type `metric`. */
  readonly eventAttributes?: readonly AttributeFilter[]
  /** Set when there is exactly one event attribute. */
  readonly eventAttribute?: AttributeFilter
  readonly created: string
  readonly updated: string
}

/** A points system as the game has it, without any user. */
export interface PointsSystemResponse {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly description: string | null
  readonly badgeUrl: string | null
  readonly maxPoints: number | null
  /** The active ones, in the game's order. */
  readonly triggers: readonly PointsTrigger[]
}

export interface PointsLevelSummaryItem {
  readonly level: PointsLevel
  /** How many users are on it. */
  readonly users: number
}

/** How many users have a total from `from` to `to`, both inclusive. */
export interface PointsRange {
  readonly from: number
  readonly to: number
  readonly users: number
}

/** An admin key without its secret. */
export interface AdminKey {
  readonly id: string
  /** The first 8 characters of the full key. */
  readonly prefix: string
  readonly status: 'active' | 'revoked'
  readonly created: string
  /** To the minute; null: never. */
  readonly lastUsed: string | null
}

/** An admin key just made or rotated: the one answer with the full key. */
export interface CreatedAdminKey extends AdminKey {
  /** `{prefix}.{body}`: keep it, it is never shown again. */
  readonly key: string
}

/** Specification 4.13. */
export interface CreatedApplicationKey {
  /** For deletion. */
  readonly id: string
  readonly userId: string
  /** `{prefix}.{body}`: keep it, it is never shown again. */
  readonly key: string
  readonly prefix: string
}

export interface ApplicationKeyIssue {
  /** Place in the request. */
  readonly index: number
  readonly userId?: string
  readonly severity: 'error' | 'warning'
  readonly message: string
}

export interface CreateApplicationKeysResponse {
  readonly created: readonly CreatedApplicationKey[]
  readonly issues: readonly ApplicationKeyIssue[]
}

export interface DeletedKeyIssue {
  readonly id: string
  readonly severity: 'error' | 'warning'
  readonly message: string
}

export interface DeleteApplicationKeysResponse {
  readonly deleted: readonly { readonly id: string }[]
  readonly issues: readonly DeletedKeyIssue[]
}

/** Whom a key stands for. */
export type KeyHolder =
  | { readonly kind: 'admin'; readonly keyId: string }
  | { readonly kind: 'application'; readonly keyId: string; readonly tenant: string; readonly userId: string }

/** Why one item of a request was not carried out; in both spellings that clients know. */
export interface BulkIssue {
  readonly userId: string
  readonly level: 'error' | 'warning'
  readonly reason: string
  /** Place in the request. */
  readonly index: number
  readonly severity: 'error' | 'warning'
  readonly message: string
}

export interface CreateFreezesResponse {
  readonly issues: readonly BulkIssue[]
}

export interface CreatedPause extends StreakPause {
  readonly userId: string
}

export interface CreatePausesResponse {
  readonly created: readonly CreatedPause[]
  readonly issues: readonly BulkIssue[]
}

export interface DeletedPauseIssue {
  readonly id: string
  readonly severity: 'error'
  readonly message: string
}

export interface DeletePausesResponse {
  readonly deleted: readonly { readonly id: string }[]
  readonly issues: readonly DeletedPauseIssue[]
}

export interface RestoreStreaksResponse {
  /** Ids of the users whose streak is as long again as when it was lost. */
  readonly restoredUsers: readonly string[]
  readonly issues: readonly BulkIssue[]
}
