import type { PointsChange } from './points.ts'
import type { AttributeFilter } from './user.ts'

/** What every form of an achievement has. */
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
  /** Their ids, in the same order. */
  readonly achievementIds?: readonly string[]
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

/** What a completion brought; completing again answers the first one, with nothing new. */
export interface AchievementCompletionResponse {
  readonly completionId: string
  readonly achievement: UserAchievement
  /** The systems whose total changed, by key. */
  readonly points: { readonly [system: string]: PointsChange }
}
