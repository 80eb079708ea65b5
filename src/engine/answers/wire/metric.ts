import type { UserAchievement } from './achievement.ts'
import type { ByKey, GameKeys } from './game-keys.ts'
import type { EventLeaderboard } from './leaderboard.ts'
import type { PointsChange } from './points.ts'
import type { CurrentStreak } from './streak.ts'

/** Everything that followed from an event. */
export interface MetricEventResponse<Keys extends GameKeys = GameKeys> {
  readonly eventId: string
  readonly metricId: string
  /** The user's total of the metric after the event. */
  readonly total: number
  /** Completed by the event, composites and streak achievements included. */
  readonly achievements: readonly UserAchievement<Keys>[]
  readonly currentStreak: CurrentStreak
  /** The named streaks by key, in the game's order; there when the game has `streaks`. */
  readonly streaks?: ByKey<Keys['streaks'], CurrentStreak>
  /** The systems whose total changed, by key. */
  readonly points: ByKey<Keys['points'], PointsChange<Keys>>
  /** The boards on which the user's value changed, by key. */
  readonly leaderboards: ByKey<Keys['leaderboards'], EventLeaderboard<Keys>>
  /** There when an idempotency key was sent; true when this user had used it for this metric before. */
  readonly idempotentReplayed?: boolean
  readonly idempotencyKey?: string
  /**
   * true: a limit of the metric holds the event back, so nothing follows from it until it is approved. Else not there.
   */
  readonly held?: true
}

/** An event of a batch that was refused. */
export interface EventBatchIssue {
  /** Index in the request, from 0. */
  readonly index: number
  readonly severity: 'error'
  readonly message: string
  readonly code: string
}

export interface EventBatchResponse {
  /** How many were recorded, now or before. */
  readonly accepted: number
  /** Of those, how many had been recorded before, by their idempotency keys. */
  readonly replayed: number
  readonly issues: readonly EventBatchIssue[]
  /** Indices in the request of events that limits hold back; not there where there are none. */
  readonly held?: readonly number[]
}

/** An event that a limit of its metric holds back. */
export interface HeldEvent {
  readonly eventId: string
  readonly userId: string
  readonly metricId: string
  /** Key of the metric. */
  readonly metric: string
  readonly value: number
  readonly attributes: { readonly [name: string]: string }
  /** null: none was sent. */
  readonly idempotencyKey: string | null
  /** When it happened, an ISO 8601 instant. */
  readonly occurredAt: string
  readonly recordedAt: string
  /** The user's local date of when it happened, `YYYY-MM-DD`. */
  readonly date: string
}

/** What approving an event changed: what an event answers. */
export interface ApproveEventResponse<Keys extends GameKeys = GameKeys>
  extends Omit<MetricEventResponse<Keys>, 'idempotentReplayed' | 'idempotencyKey' | 'held'> {
  /** Id of the approval. */
  readonly approvalId: string
  readonly userId: string
  /** Whether the event was approved before, so that this call changed nothing. */
  readonly alreadyApproved: boolean
}

/** What undoing an event changed. */
export interface VoidEventResponse<Keys extends GameKeys = GameKeys> {
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
  readonly revokedAchievements: readonly UserAchievement<Keys>[]
  readonly currentStreak: CurrentStreak
  /** The named streaks by key, in the game's order; there when the game has `streaks`. */
  readonly streaks?: ByKey<Keys['streaks'], CurrentStreak>
  /** The systems whose total changed, by key. */
  readonly points: ByKey<Keys['points'], PointsChange<Keys>>
}

/** What undoing several events came to. */
export interface VoidEventsResponse {
  /** How many events. */
  readonly voided: number
  /** At most 100, each with how many of its events. */
  readonly users: readonly { readonly userId: string; readonly voided: number }[]
  /** Users whose events stay, and why; at most 100. */
  readonly issues: readonly VoidEventsIssue[]
  /** Whether there are more users: the same call again goes on with them. */
  readonly hasMore: boolean
}

export interface VoidEventsIssue {
  readonly userId: string
  readonly code: string
  readonly message: string
}

/** A metric, with a user's total and its achievements. */
export interface MetricResponse<Keys extends GameKeys = GameKeys> {
  readonly id: string
  readonly key: Keys['metrics']
  readonly name: string
  readonly status: 'active' | 'archived'
  /** The user's total. */
  readonly current: number
  readonly achievements: readonly UserAchievement<Keys>[]
}

/** One day, week or month of a summary; there is one for every period of the range. */
export interface EventSummaryItem {
  /** The first date of the period; that of a first week or month may lie before `startDate`. */
  readonly date: string
  /** The user's total at the end of the period, or of `endDate` if that is earlier. */
  readonly total: number
  /** What the events, or awards, on dates inside the range added. */
  readonly change: number
}
