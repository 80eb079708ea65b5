import type { ByKey, GameKeys } from './game-keys.ts'
import type { PointsChange } from './points.ts'
import type { AttributeFilter } from './user.ts'

/** What every form of an achievement has. */
export interface Achievement<Keys extends GameKeys = GameKeys> {
  readonly id: string
  readonly key: Keys['achievements']
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
  /** Key of the named streak that it looks at, if it does. */
  readonly streakKey?: Keys['streaks']
  /** Of composites (trigger `achievement`): keys of the achievements that make it up. */
  readonly achievements?: readonly Keys['achievements'][]
  /** Their ids, in the same order. */
  readonly achievementIds?: readonly string[]
}

export interface AchievementWithStats<Keys extends GameKeys = GameKeys> extends Achievement<Keys> {
  /** How many users have it. */
  readonly completions: number
  /** Percentage of all users who have it, two decimals. */
  readonly rarity: number
}

export interface UserAchievement<Keys extends GameKeys = GameKeys> extends Achievement<Keys> {
  /** null: not yet. Of one that repeats: the newest completion. */
  readonly achievedAt: string | null
  /** How often the user has completed it; absent where it does not repeat. */
  readonly count?: number
}

export interface UserAchievementWithStats<Keys extends GameKeys = GameKeys> extends AchievementWithStats<Keys> {
  readonly achievedAt: string | null
  readonly count?: number
}

/** What a completion brought; completing again answers the one that there is, with nothing new. */
export interface AchievementCompletionResponse<Keys extends GameKeys = GameKeys> {
  readonly completionId: string
  readonly achievement: UserAchievement<Keys>
  /** The systems whose total changed, by key. */
  readonly points: ByKey<Keys['points'], PointsChange<Keys>>
  /** Set when an idempotency key was sent: whether the completion was there before. */
  readonly idempotentReplayed?: boolean
  readonly idempotencyKey?: string
}

/** Who has an achievement. */
export interface AchievementCompletions {
  /** The newest first. */
  readonly completions: readonly AchievementCompletion[]
  /** To be sent as `after` for the next page; null: there are no more. */
  readonly after: string | null
}

export interface AchievementCompletion {
  readonly userId: string
  readonly name: string | null
  /** ISO 8601. Of one that repeats: the newest completion. */
  readonly achievedAt: string
  /** How often the user has completed it. */
  readonly count: number
}
