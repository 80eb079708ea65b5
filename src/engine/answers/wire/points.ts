import type { GameKeys } from './game-keys.ts'
import type { AttributeFilter } from './user.ts'

/** What an award was given for, from the newest game that has the trigger. */
export type AwardTrigger = PointsTrigger

export interface PointsAward {
  readonly id: string
  /** Points added, after clipping to 0 and `maxPoints`; negative when they were taken. */
  readonly awarded: number
  readonly date: string
  /** The system's total after it. */
  readonly total: number
  readonly trigger: AwardTrigger
  /** The boosts that multiplied it, the oldest first. Absent: none did. */
  readonly boosts?: readonly PointsBoost[]
}

export interface PointsLevel {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly description: string
  readonly badgeUrl: string | null
  readonly points: number
}

interface PointsSystem<Keys extends GameKeys> {
  readonly id: string
  readonly key: Keys['points']
  readonly name: string
  readonly description: string | null
  readonly badgeUrl: string | null
  readonly maxPoints: number | null
  readonly total: number
  readonly awards: readonly PointsAward[]
}

/** Points of which a cap or a cooldown took something. */
export interface CappedPoints {
  readonly triggerId: string
  /** What the trigger had to pay, and what it paid. */
  readonly due: number
  readonly awarded: number
  /** From when on it can pay again; null: a cap for ever is used up. */
  readonly resetsAt: string | null
}

/** A points system whose total an operation changed, or would have changed but for a cap or a cooldown. */
export interface PointsChange<Keys extends GameKeys = GameKeys> extends PointsSystem<Keys> {
  /** Points added by this operation. */
  readonly added: number
  /** The new level when this operation changed it, null when it fell below every level, otherwise absent. */
  readonly level?: PointsLevel | null
  /** There when a cap or a cooldown took something of what the operation was due. */
  readonly capped?: readonly CappedPoints[]
}

/** What a user has in one points system. */
export interface UserPoints<Keys extends GameKeys = GameKeys> extends PointsSystem<Keys> {
  /** null: below every level. */
  readonly level: PointsLevel | null
}

export interface PointsTrigger {
  readonly id: string
  readonly type: 'metric' | 'achievement' | 'streak' | 'user_creation' | 'time'
  readonly points: number
  /** The hosted service's word for an inactive trigger is `archived`. */
  readonly status: 'active' | 'archived'
  readonly metricId?: string
  readonly metricName?: string
  readonly metricThreshold?: number
  readonly achievementId?: string
  readonly achievementName?: string
  readonly streakLengthThreshold?: number
  /** Of triggers with the type `streak` that look at a named one. */
  readonly streakKey?: string
  /** Of triggers with the type `time`: it pays every so many hours or local days. */
  readonly timeUnit?: 'hour' | 'day'
  readonly timeInterval?: number
  /** Attributes a user must have; empty: none. */
  readonly userAttributes: readonly AttributeFilter[]
  /** Of triggers with the type `metric`. */
  readonly eventAttributes?: readonly AttributeFilter[]
  /** Set when there is exactly one event attribute. */
  readonly eventAttribute?: AttributeFilter
  readonly created: string
  readonly updated: string
}

/** Multiplies what a points system pays, within its dates. */
export interface PointsBoost {
  readonly id: string
  readonly name: string
  readonly status: 'active' | 'scheduled' | 'finished'
  /** The first and the last date, for each user in its own zone; null: it never ends. */
  readonly start: string
  readonly end: string | null
  readonly multiplier: number
  readonly rounding: 'down' | 'up' | 'nearest'
}

/** An attribute of users by its id, and the value it must have. */
export interface BoostFilter {
  readonly attributeId: string
  readonly attributeValue: string
}

/** A boost as the admin API has it. */
export interface AdminPointsBoost extends PointsBoost {
  /** The only user who has it; null: all users have it. */
  readonly userId: string | null
  /** What a user's attributes must be. Absent of a boost of one user. */
  readonly userAttributes?: readonly BoostFilter[]
}

/** Why one item of a request was not carried out. */
export interface AdminIssue {
  readonly id?: string
  readonly userId?: string
  readonly boostId?: string
  /** Index in the request, from 0, of an item that has no id yet. */
  readonly index?: number
  readonly severity: 'error' | 'warning'
  readonly message: string
}

export interface CreateBoostsResponse {
  readonly created: readonly AdminPointsBoost[]
  readonly issues: readonly AdminIssue[]
}

export interface UpdateBoostsResponse {
  readonly updated: readonly AdminPointsBoost[]
  readonly issues: readonly AdminIssue[]
}

export interface DeleteBoostsResponse {
  readonly deleted: readonly { readonly id: string }[]
  readonly issues: readonly AdminIssue[]
}

/** A points system as the game has it, without any user. */
export interface PointsSystemResponse<Keys extends GameKeys = GameKeys> {
  readonly id: string
  readonly key: Keys['points']
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
