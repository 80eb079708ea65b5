import type { Count, DateText, GameKeys, InstantText, Integer, Positive, Uuid } from './formats.ts'
import type { AttributeFilter } from './users.ts'

/** The trigger of an award, from the newest game that has it. */
export interface AwardTrigger extends Omit<PointsTrigger, 'type'> {
  /** `adjustment`: support gave or took the points. `challenge`: they are the reward of a challenge. */
  readonly type: PointsTrigger['type'] | 'adjustment' | 'challenge'
  /** In answers of `/v1` whose `type` is `user_creation` in its place, because clients of the hosted service know no other. */
  readonly kind?: 'adjustment' | 'challenge'
  /** For `challenge`. */
  readonly challengeKey?: string
  readonly challengeName?: string
  /** For `challenge`: the quest, if the challenge has a pool. */
  readonly questKey?: string
}

/** Points that a user gained or lost at one moment. */
export interface PointsAward {
  readonly id: Uuid
  /** Points added, after clipping to 0 and `maxPoints`; negative if they were taken. */
  readonly awarded: Integer
  readonly date: InstantText
  /** The system's total after it. */
  readonly total: Count
  readonly trigger: AwardTrigger
  /** The boosts that multiplied it, the oldest first. Absent if there is none. */
  readonly boosts?: readonly PointsBoost[]
}

/** A level of a points system. */
export interface PointsLevel {
  readonly id: Uuid
  readonly key: string
  readonly name: string
  /** Empty if it has none. */
  readonly description: string
  readonly badgeUrl: string | null
  /** The lowest total of users on this level. */
  readonly points: Count
}

interface PointsSystem<Keys extends GameKeys> {
  readonly id: Uuid
  readonly key: Keys['points']
  readonly name: string
  readonly description: string | null
  readonly badgeUrl: string | null
  /** The most that a user can have, or `null` for no limit. */
  readonly maxPoints: Positive | null
  /** Set if users can spend the points. */
  readonly spendable?: true
}

interface PointsOfUser<Keys extends GameKeys> extends PointsSystem<Keys> {
  /** The user's points in this system; of a spendable one, everything that was ever earned. */
  readonly total: Count
  /** For spendable systems: the points that can be spent. */
  readonly balance?: Integer
  /** For spendable systems: points that are earned and not yet available. */
  readonly pending?: Count
  /** For spendable systems: points that holds have set aside. */
  readonly held?: Count
  readonly awards: readonly PointsAward[]
}

/** The payments of a trigger that a cap or a cooldown reduced. */
export interface CappedPoints {
  readonly triggerId: Uuid
  /** The points of these payments, before limits. */
  readonly due: Positive
  /** The points that they paid. */
  readonly awarded: Count
  /** When it can pay again, or `null` if a cap `ever` is used up. */
  readonly resetsAt: InstantText | null
}

/** A points system whose total an operation changed, or would have changed but for a cap or a cooldown. */
export interface PointsChange<Keys extends GameKeys = GameKeys> extends PointsOfUser<Keys> {
  /** Points added by this operation; negative if they were taken. */
  readonly added: Integer
  /** The new level, or `null` below every level. Absent if this operation did not change the level. */
  readonly level?: PointsLevel | null
  /** Set if a cap or a cooldown removed points of the operation. */
  readonly capped?: readonly CappedPoints[]
}

/** A points system, with the points and the newest awards of a user. */
export interface UserPoints<Keys extends GameKeys = GameKeys> extends PointsOfUser<Keys> {
  /** `null` if the total is below every level. */
  readonly level: PointsLevel | null
}

/** The changes that an adjustment made to a user's points. */
export interface AdjustPointsResponse<Keys extends GameKeys = GameKeys> {
  /** Id of its entry in the log. */
  readonly adjustmentId: Uuid
  readonly userId: string
  readonly points: PointsChange<Keys>
  /** Set if an idempotency key was sent: true if the adjustment was there before. */
  readonly idempotentReplayed?: boolean
  readonly idempotencyKey?: string
}

/** A rule of a points system that gives points. */
export interface PointsTrigger {
  readonly id: Uuid
  readonly type: 'metric' | 'achievement' | 'streak' | 'user_creation' | 'time'
  /** Points for each time it is reached; may be negative. */
  readonly points: Integer
  /** The hosted service's word for an inactive trigger is `archived`. */
  readonly status: 'active' | 'archived'
  /** For `metric` triggers. */
  readonly metricId?: Uuid
  /** For `metric` triggers. */
  readonly metricName?: string
  /**
   * For `metric` triggers.
   *
   * @score
   */
  readonly metricThreshold?: number
  /** For `achievement` triggers. */
  readonly achievementId?: Uuid
  /** For `achievement` triggers. */
  readonly achievementName?: string
  /** For `streak` triggers, in periods. */
  readonly streakLengthThreshold?: Positive
  /** For `streak` triggers of a named streak: its key. */
  readonly streakKey?: string
  /** For `time` triggers. */
  readonly timeUnit?: 'hour' | 'day'
  /** For `time` triggers: how many hours or local days. */
  readonly timeInterval?: Positive
  /** Attributes a user must have; empty if there is none. */
  readonly userAttributes: readonly AttributeFilter[]
  /** For `metric` triggers: attributes that an event must have to count. */
  readonly eventAttributes?: readonly AttributeFilter[]
  /** Set if there is exactly one event attribute. */
  readonly eventAttribute?: AttributeFilter
  readonly created: InstantText
  readonly updated: InstantText
}

/** Multiplies the points that a points system pays, within its dates. */
export interface PointsBoost {
  readonly id: Uuid
  readonly name: string
  readonly status: 'active' | 'scheduled' | 'finished'
  /** The first date, in each user's time zone. */
  readonly start: DateText
  /** The last date, or `null` if it never ends. */
  readonly end: DateText | null
  readonly multiplier: number
  readonly rounding: 'down' | 'up' | 'nearest'
}

/** An attribute, by its id, and the value that it must have. */
export interface AdminAttributeFilter {
  readonly attributeId: Uuid
  readonly attributeValue: string
}

/** A boost of all users, or of one. */
export interface AdminPointsBoost extends PointsBoost {
  /** The only user who has it, or `null` if all users have it. */
  readonly userId: string | null
  /** Attributes that a user must have. Absent for a boost of one user. */
  readonly userAttributes?: readonly AdminAttributeFilter[]
}

/** Why one item of a request was not carried out. */
export interface AdminIssue {
  readonly id?: string
  readonly userId?: string
  readonly boostId?: string
  /** Index in the request, from 0, of an item that has no id yet. */
  readonly index?: Count
  readonly severity: 'error' | 'warning'
  readonly message: string
}

/** The boosts that were given. */
export interface CreateBoostsResponse {
  readonly created: readonly AdminPointsBoost[]
  readonly issues: readonly AdminIssue[]
}

/** The boosts that were changed, in their current state. */
export interface UpdateBoostsResponse {
  readonly updated: readonly AdminPointsBoost[]
  readonly issues: readonly AdminIssue[]
}

/** The boosts that were deleted. */
export interface DeleteBoostsResponse {
  readonly deleted: readonly { readonly id: Uuid }[]
  readonly issues: readonly AdminIssue[]
}

/** A points system as the game has it, without any user. */
export interface PointsSystemResponse<Keys extends GameKeys = GameKeys> extends PointsSystem<Keys> {
  /** The active ones, in the game's order. */
  readonly triggers: readonly PointsTrigger[]
}

/** The number of users on one level. */
export interface PointsLevelSummaryItem {
  readonly level: PointsLevel
  /** The number of users on it. */
  readonly users: Count
}

/** The number of users with a total from `from` to `to`, both inclusive. */
export interface PointsRange {
  /** Inclusive. */
  readonly from: Count
  /**
   * Inclusive. It may lie above the integers that a number holds exactly.
   *
   * @minimum 0
   */
  readonly to: number
  /** The number of users with a total in this range. */
  readonly users: Count
}
