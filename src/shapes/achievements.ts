import type { ByKey, Count, DateText, GameKeys, InstantText, Percentage, Positive, Uuid } from './formats.ts'
import type { PointsChange } from './points.ts'
import type { AttributeFilter } from './users.ts'

/** Properties that every form of an achievement has. */
export interface Achievement<Keys extends GameKeys = GameKeys> {
  readonly id: Uuid
  /** The key, as in paths. For a secret achievement that the user does not have, its id. */
  readonly key: Keys['achievements']
  /** The cause of a completion. */
  readonly trigger: 'metric' | 'api' | 'streak' | 'achievement' | 'anniversary' | 'criteria'
  /** In answers of `/v1` whose `trigger` is `api` in its place, because clients of the hosted service know no other. */
  readonly kind?: 'criteria'
  readonly name: string
  readonly description: string | null
  readonly badgeUrl: string | null
  /** Attributes a user must have to access the achievement; empty if there is none. */
  readonly userAttributes: readonly AttributeFilter[]
  /** For `metric` achievements. */
  readonly metricId?: Uuid
  /** For `metric` achievements. */
  readonly metricName?: string
  /** Metric total that completes the achievement. */
  readonly metricValue?: number
  /** For `metric` achievements: attributes that an event must have to count. */
  readonly eventAttributes?: readonly AttributeFilter[]
  /** Set if there is exactly one event attribute. */
  readonly eventAttribute?: AttributeFilter
  /** For `metric` achievements with a window: its length in consecutive local dates. Values within it are added up. */
  readonly withinDays?: Positive
  /** For `streak` achievements, in periods. */
  readonly streakLength?: Positive
  /** The key of the named streak. Absent for the game's `streak`. */
  readonly streakKey?: Keys['streaks']
  /** For the trigger `achievement`: keys of the achievements that it needs. */
  readonly achievements?: readonly Keys['achievements'][]
  /** Their ids, in the same order. */
  readonly achievementIds?: readonly Uuid[]
  /** For the trigger `anniversary`: the years since the user's sign-up date. */
  readonly anniversaryYears?: Positive
  /** The last local date of a user on which it can be completed. */
  readonly until?: DateText
  /** A completion expires after this many times 24 hours. */
  readonly validDays?: Positive
  /** For the trigger `criteria`: how many of the criteria complete it. */
  readonly atLeast?: Positive
  /** For the trigger `criteria`. */
  readonly criteria?: readonly AchievementCriterion<Keys>[]
}

/** One of the conditions of an achievement. Once it is satisfied, it stays satisfied. */
export interface AchievementCriterion<Keys extends GameKeys = GameKeys> {
  /**
   * `metric`: a total. `events`: a number of events. `streak`: a length in periods. `points`: a points total.
   * `achievement`: a completion. `membership`: local dates, or full months or years, since the
   * user was created.
   */
  readonly type: 'metric' | 'events' | 'streak' | 'points' | 'achievement' | 'membership'
  /** The value to reach. */
  readonly target: number
  /** For `metric` and `events`. */
  readonly metric?: Keys['metrics']
  /** For `metric` and `events`: attributes that an event must have to count. */
  readonly eventAttributes?: readonly AttributeFilter[]
  /** For `metric` and `events` with a window: its length in consecutive local dates. Values within it are added up. */
  readonly withinDays?: Positive
  /** For `streak`: the key of the named streak. Absent for the game's `streak`. */
  readonly streakKey?: Keys['streaks']
  /** For `membership`: the unit of `target`. Absent for local dates. */
  readonly unit?: 'month' | 'year'
  /** For `membership` that counts from the user's sign-up date. Absent if it counts from the creation. */
  readonly since?: 'signUp'
  /** For `points`. */
  readonly system?: Keys['points']
  /** For `points`: the level that starts at the target, if the criterion names one. */
  readonly level?: string
  /** For `achievement`. For a secret one that the user does not have, its id. */
  readonly achievement?: Keys['achievements']
}

/** An achievement, with how many users have it. */
export interface AchievementWithStats<Keys extends GameKeys = GameKeys> extends Achievement<Keys> {
  /** The number of users who have it. */
  readonly completions: Count
  /** Percentage of all users who have it, two decimals. */
  readonly rarity: Percentage
}

/** A user's progress to an achievement. */
export interface AchievementProgress {
  /**
   * The user's progress to the target: a total, periods of a streak, parts, or satisfied criteria. `null` if there is
   * no value yet.
   */
  readonly current: number | null
  readonly target: number
  /** From 0 to below 1, rounded down to four decimals. */
  readonly ratio: number
  /** For the trigger `criteria`: each of the criteria, in their order. */
  readonly criteria?: readonly CriterionProgress[]
}

/** A user's progress to a criterion. */
export interface CriterionProgress {
  /** The user's current value, or `null` if there is none yet. */
  readonly current: number | null
  readonly target: number
  /** From 0 to 1, rounded down to four decimals; 1 if it is satisfied. */
  readonly ratio: number
  readonly satisfied: boolean
}

/** An achievement that an event moved. */
export interface ProgressedAchievement<Keys extends GameKeys = GameKeys> {
  readonly key: Keys['achievements']
  readonly progress: AchievementProgress
}

/** An achievement, with when a user completed it. */
export interface UserAchievement<Keys extends GameKeys = GameKeys> extends Achievement<Keys> {
  /** When the user completed it, newest if it repeats, or `null` if not yet. */
  readonly achievedAt: InstantText | null
  /** When this completion expired. The user no longer has the achievement, and can complete it again. */
  readonly expiredAt?: InstantText
  /** The number of completions; absent if it does not repeat. */
  readonly count?: Count
  /** Towards its completion, or the next one if it repeats; in lists of a user's achievements, without secrets. */
  readonly progress?: AchievementProgress
}

/** An achievement, with when a user completed it and how many users have it. */
export interface UserAchievementWithStats<Keys extends GameKeys = GameKeys>
  extends UserAchievement<Keys>,
    AchievementWithStats<Keys> {}

/** The changes that a completion caused. Completing again returns the existing completion, without new changes. */
export interface AchievementCompletionResponse<Keys extends GameKeys = GameKeys> {
  /** Id of the completion. Each repeated call returns the same id. */
  readonly completionId: Uuid
  readonly achievement: UserAchievement<Keys>
  /** The points systems whose total changed, by key. */
  readonly points: ByKey<Keys['points'], PointsChange<Keys>>
  /** Set if an idempotency key was sent: true if the completion was there before. */
  readonly idempotentReplayed?: boolean
  /** The idempotency key, if one was sent. */
  readonly idempotencyKey?: string
}

/** The achievement that support has revoked. */
export interface RevokedAchievement<Keys extends GameKeys = GameKeys> {
  readonly revocationId: Uuid
  readonly userId: string
  readonly achievement: UserAchievement<Keys>
}

/** The users who have an achievement, the newest completion first. */
export interface AchievementCompletions {
  /** The newest first. */
  readonly completions: readonly AchievementCompletion[]
  /** Send it as `after` to get the next page. `null` on the last page. */
  readonly after: string | null
}

/** A user who has an achievement. */
export interface AchievementCompletion {
  readonly userId: string
  readonly name: string | null
  /** ISO 8601. If it repeats, the newest completion. */
  readonly achievedAt: InstantText
  /** The number of completions. */
  readonly count: Count
}
