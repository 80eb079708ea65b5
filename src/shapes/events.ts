import type { ProgressedAchievement, UserAchievement } from './achievements.ts'
import type { MovedQuest } from './challenges.ts'
import type { ByKey, Count, DateText, GameKeys, InstantText, Uuid } from './formats.ts'
import type { EventLeaderboard } from './leaderboards.ts'
import type { PointsChange } from './points.ts'
import type { CurrentStreak } from './streaks.ts'

/** The changes that a metric event caused. */
export interface MetricEventResponse<Keys extends GameKeys = GameKeys> {
  readonly eventId: Uuid
  readonly metricId: Uuid
  /** The user's total of the metric after the event. */
  readonly total: number
  /** Achievements completed by the event, composites and streak achievements included. */
  readonly achievements: readonly UserAchievement<Keys>[]
  /**
   * Achievements whose progress the event changed, the nearest to completion first. The list has the three nearest and
   * every one that reached an announced share; with `progress` it has all. Absent if there is none.
   */
  readonly progressed?: readonly ProgressedAchievement<Keys>[]
  /** The quests of challenges that the event moved or completed. Absent if there are none. */
  readonly challenges?: readonly MovedQuest<Keys>[]
  readonly currentStreak: CurrentStreak
  /** The named streaks by key, in the game's order. Set if the game has `streaks`. */
  readonly streaks?: ByKey<Keys['streaks'], CurrentStreak>
  /** The points systems whose total changed, by key. */
  readonly points: ByKey<Keys['points'], PointsChange<Keys>>
  /** The leaderboards on which the user's value changed, by key. */
  readonly leaderboards: ByKey<Keys['leaderboards'], EventLeaderboard<Keys>>
  /** Set if an idempotency key was sent: true if this user had used it for this metric before. */
  readonly idempotentReplayed?: boolean
  /** The idempotency key, if one was sent. */
  readonly idempotencyKey?: string
  /** Set if a limit of the metric holds the event back: it has no effect until it is approved. */
  readonly held?: true
}

/** Why one event of a batch was not recorded. */
export interface EventBatchIssue {
  /** Index in the request, from 0. */
  readonly index: Count
  readonly severity: 'error'
  readonly message: string
  /** Machine-readable, stable. */
  readonly code: string
}

/** The outcome of a batch of events. */
export interface EventBatchResponse {
  /** The number of events that were recorded, now or before. */
  readonly accepted: Count
  /** The number of accepted events that had been recorded before, by their idempotency keys. */
  readonly replayed: Count
  readonly issues: readonly EventBatchIssue[]
  /** Indices in the request of events that limits hold back. Absent if there are none. */
  readonly held?: readonly Count[]
}

/** A metric event that a limit of its metric holds back. */
export interface HeldEvent {
  readonly eventId: Uuid
  readonly userId: string
  readonly metricId: Uuid
  /** Key of the metric. */
  readonly metric: string
  readonly value: number
  readonly attributes: { readonly [name: string]: string }
  /** `null` if none was sent. */
  readonly idempotencyKey: string | null
  /** When it happened, an ISO 8601 instant. */
  readonly occurredAt: InstantText
  /** When it was recorded. */
  readonly recordedAt: InstantText
  /** The user's local date of the event, `YYYY-MM-DD`. */
  readonly date: DateText
}

/** The changes that approving a metric event caused. */
export interface ApproveEventResponse<Keys extends GameKeys = GameKeys>
  extends Omit<MetricEventResponse<Keys>, 'idempotentReplayed' | 'idempotencyKey' | 'held'> {
  /** Id of the approval. */
  readonly approvalId: Uuid
  readonly userId: string
  /** True if the event was approved before, so that this call changed nothing. */
  readonly alreadyApproved: boolean
}

/** The changes that voiding a metric event caused. */
export interface VoidEventResponse<Keys extends GameKeys = GameKeys>
  extends Pick<MetricEventResponse<Keys>, 'eventId' | 'metricId' | 'currentStreak' | 'streaks' | 'points'> {
  /** Id of the void. */
  readonly voidId: Uuid
  readonly userId: string
  /** The user's total of the metric without the event. */
  readonly total: number
  /** True if the event was void before, so that this call changed nothing. */
  readonly alreadyVoided: boolean
  /** Achievements that `revoke` took back, so without `achievedAt`. */
  readonly revokedAchievements: readonly UserAchievement<Keys>[]
}

/** The outcome of voiding several events. */
export interface VoidEventsResponse {
  /** The number of events. */
  readonly voided: Count
  /** At most 100 users, each with the number of its voided events. */
  readonly users: readonly { readonly userId: string; readonly voided: Count }[]
  /** Users whose events stay, and why; at most 100. */
  readonly issues: readonly VoidEventsIssue[]
  /** True if there are more users: repeat the call to continue with them. */
  readonly hasMore: boolean
}

/** Why the events of one user stay. */
export interface VoidEventsIssue {
  readonly userId: string
  /** Machine-readable, stable. */
  readonly code: string
  readonly message: string
}

/** A metric, with a user's progress. */
export interface MetricResponse<Keys extends GameKeys = GameKeys> {
  readonly id: Uuid
  /** The key, as in paths. */
  readonly key: Keys['metrics']
  readonly name: string
  readonly status: 'active' | 'archived'
  /** The unit of the values, if the metric has a `unit`. */
  readonly units?: string
  /** The aggregation of events to the total; absent for their sum. */
  readonly aggregation?: 'max' | 'min' | 'last' | 'distinct'
  /** The user's current total; 0 before the first event. */
  readonly current: number
  /** The achievements of this metric. */
  readonly achievements: readonly UserAchievement<Keys>[]
}

/** One period of a user's events of a metric, or points. */
export interface EventSummaryItem {
  /** The first date of the period. The first week or month may begin before `startDate`. */
  readonly date: DateText
  /** The user's total at the end of the period, or of `endDate` if that is earlier. */
  readonly total: number
  /**
   * The amount that events or awards on dates in the range added. If the total is no sum, the difference of the totals.
   */
  readonly change: number
}
