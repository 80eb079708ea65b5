import type { Frequency, WeekStart } from '../rules/calendar.ts'
import type {
  AchievementStatus,
  ClientField,
  EvaluationMode,
  MetricStatus,
  RankBy,
  TriggerStatus,
} from '../rules/game.ts'

/*
 * What a host writes. The parameters are the keys of the game: metrics M, achievements A, points systems P, leaderboards
 * L, event attributes EA, user attributes UA. Each is inferred only where its keys are defined; everywhere else it stands
 * in `NoInfer`, so that a reference to something that is not there is a compile error instead of one more key.
 */

/** A key that the game has. Where it has none, its type is a text that says so, for the compiler to print. */
export type Declared<Key extends string, Missing extends string> = [Key] extends [never] ? Missing : Key

export type NoMetrics = 'The game has no metrics: add one to `metrics` first.'
export type NoAchievements = 'The game has no achievements: add one to `achievements` first.'
export type NoSystems = 'The game has no points systems: add one to `points` first.'
export type NoApiAchievements = "No achievement of the game has the trigger 'api', so none can be completed by a call."
export type NoLeaderboards = 'The game has no leaderboards: add one to `leaderboards` first.'
export type NoEventAttributes = 'The game has no event attributes: list them in `eventAttributes` first.'
export type NoUserAttributes = 'The game has no user attributes: list them in `userAttributes` first.'

/** Attributes and the values they must have, every one exactly. */
export type FilterDefinition<Attribute extends string, Missing extends string = never> = [Attribute] extends [never]
  ? // `{}` would accept anything: a game without attributes has no filters.
    { readonly [attribute: string]: Missing }
  : { readonly [Key in Attribute]?: string }

export interface MetricDefinition {
  readonly name: string
  /** Default `active`. */
  readonly status?: MetricStatus
  /** How much a user's events may add. An event that would exceed several is refused where one of them refuses. */
  readonly limits?: readonly LimitDefinition[]
}

/** How much the events of one user may add to a metric. Negative events neither use it nor give any of it back. */
export interface LimitDefinition {
  /** At most so much, a number above 0, … */
  readonly value: number
  /** … on any so many consecutive dates, 1 to 31: the user's local dates of what the events tell of. */
  readonly per: { readonly days: number }
  /**
   * What becomes of the event that would exceed it: `refuse` rejects it with `limit_exceeded`; `hold` keeps it without
   * effect until `events.approve` or `events.void`.
   */
  readonly then: 'refuse' | 'hold'
}

interface AchievementBase<UA extends string> {
  readonly name: string
  readonly description?: string
  readonly badgeUrl?: string
  /** Default `active`. */
  readonly status?: AchievementStatus
  /** What the user's attributes must be. */
  readonly userAttributes?: FilterDefinition<UA, NoUserAttributes>
}

/** Completed when the metric's total reaches `value`; with filters, the total of the events that match. */
export interface MetricAchievementDefinition<M extends string, EA extends string, UA extends string>
  extends AchievementBase<UA> {
  readonly trigger: 'metric'
  readonly metric: Declared<M, NoMetrics>
  readonly value: number
  readonly eventAttributes?: FilterDefinition<EA, NoEventAttributes>
}

/** Completed when the host says so. */
export interface ApiAchievementDefinition<UA extends string> extends AchievementBase<UA> {
  readonly trigger: 'api'
}

/** Completed when the streak is `length` periods long. */
export interface StreakAchievementDefinition<UA extends string> extends AchievementBase<UA> {
  readonly trigger: 'streak'
  readonly length: number
}

/** Completed when all of `achievements` are. */
export interface CompositeAchievementDefinition<A extends string, UA extends string> extends AchievementBase<UA> {
  readonly trigger: 'achievement'
  readonly achievements: readonly Declared<A, NoAchievements>[]
}

export type AchievementDefinition<
  M extends string = string,
  A extends string = string,
  EA extends string = string,
  UA extends string = string,
> =
  | MetricAchievementDefinition<M, EA, UA>
  | ApiAchievementDefinition<UA>
  | StreakAchievementDefinition<UA>
  | CompositeAchievementDefinition<A, UA>

interface TriggerBase<UA extends string> {
  /** Keeps the trigger's id, and with it what users have reached, when what it counts changes. */
  readonly key?: string
  /** A whole number; negative takes points away. */
  readonly points: number
  /** Default `active`. */
  readonly status?: TriggerStatus
  readonly userAttributes?: FilterDefinition<UA, NoUserAttributes>
  /** Refuse an event that would leave the system's total below 0. Default false. */
  readonly blockIfOutOfPoints?: boolean
  /** ISO 8601 instant. Default 1970-01-01T00:00:00.000Z. */
  readonly created?: string
  readonly updated?: string
}

export type TriggerDefinition<
  M extends string = string,
  A extends string = string,
  EA extends string = string,
  UA extends string = string,
> = TriggerBase<UA> &
  (
    | {
        readonly type: 'metric'
        readonly metric: Declared<M, NoMetrics>
        /** `points` for every full threshold that the running total newly reaches. */
        readonly threshold: number
        readonly eventAttributes?: FilterDefinition<EA, NoEventAttributes>
      }
    | { readonly type: 'achievement'; readonly achievement: Declared<A, NoAchievements> }
    | { readonly type: 'streak'; readonly length: number }
    | { readonly type: 'user_creation' }
  )

export interface LevelDefinition {
  readonly name: string
  readonly description?: string
  readonly badgeUrl?: string
  /** The points total from which a user is on this level. */
  readonly points: number
}

export interface PointsDefinition<
  M extends string = string,
  A extends string = string,
  EA extends string = string,
  UA extends string = string,
> {
  readonly name: string
  readonly description?: string
  readonly badgeUrl?: string
  readonly maxPoints?: number
  /** They apply in this order. */
  readonly triggers?: readonly TriggerDefinition<M, A, EA, UA>[]
  readonly levels?: { readonly [key: string]: LevelDefinition }
}

export interface StreakDefinition<M extends string = string> {
  readonly frequency: Frequency
  /** Default `OR`. `ALL` is another word for `AND`. */
  readonly evaluationMode?: EvaluationMode | 'ALL'
  /** The change in a period that counts; without a threshold, any change above 0. */
  readonly metrics: { readonly [Key in M]?: { readonly threshold?: number } }
  /** Whether users may have a personal evaluation mode and metrics. Default false. */
  readonly customization?: boolean
  /** Each saves a streak from one missed period. Without it, a missed period always loses the streak. */
  readonly freezes?: FreezesDefinition
}

export interface FreezesDefinition {
  /** How many a new user has, at most `max`. Default 0. */
  readonly initial?: number
  /** How many a user can have, 1 to 100. */
  readonly max: number
  /** Every `interval` days, counted from the user's first, a user earns `amount` (default 1) more. */
  readonly autoEarn?: { readonly interval: number; readonly amount?: number }
}

interface LeaderboardBase<UA extends string> {
  readonly name: string
  readonly description?: string
  readonly rankBy: RankBy
  /** `YYYY-MM-DD`, a local date of each participant. */
  readonly start: string
  readonly end?: string
  /** User attributes by whose values the board is split into groups. */
  readonly breakdown?: readonly Declared<UA, NoUserAttributes>[]
  /** Denies the board to application keys. Default false. */
  readonly private?: boolean
}

interface Limited {
  /** How many rank; default 1,000, null for no limit. */
  readonly maxParticipants?: number | null
}

interface Counted {
  /**
   * The window of every day in which things count, local times `HH:MM`: from `startTime` on and before `endTime`. One of
   * them alone is allowed; a start after the end is a night, whose parts count on their own dates. Default: the whole day.
   */
  readonly startTime?: string
  readonly endTime?: string
  /** A new run every so many days, months or years. */
  readonly run?: { readonly unit: 'day' | 'month' | 'year'; readonly interval: number }
}

export type LeaderboardDefinition<
  M extends string = string,
  P extends string = string,
  UA extends string = string,
> = LeaderboardBase<UA> &
  (
    | (Limited & Counted & { readonly rankBy: 'metric'; readonly metric: Declared<M, NoMetrics> })
    | (Limited & Counted & { readonly rankBy: 'points'; readonly system: Declared<P, NoSystems> })
    | { readonly rankBy: 'streak'; readonly maxParticipants?: number }
  )

/** Bounds of the value of one event. */
export interface ClientEventDefinition {
  /** The largest value. Default: none. */
  readonly max?: number
  /** The smallest value. Default 0: clients cannot take away. */
  readonly min?: number
}

/**
 * What application keys and users with a session of the app may write. What is left out they may not; a key can be made for
 * less. Admin keys and calls in-process may do everything all the same.
 */
export interface ClientsDefinition<M extends string = string, AA extends string = string, UA extends string = string> {
  /** Metrics whose events they may send. */
  readonly events?: { readonly [Key in M]?: ClientEventDefinition }
  /** Achievements with the trigger `api` that they may complete. */
  readonly achievements?: readonly Declared<AA, NoApiAchievements>[]
  /** User attributes that they may set. */
  readonly attributes?: readonly Declared<UA, NoUserAttributes>[]
  /** Fields of the profile that they may set; `notifications` and `streak` are those of the preferences. */
  readonly profile?: readonly ClientField[]
}

export interface GameDefinition<
  M extends string = string,
  A extends string = string,
  P extends string = string,
  L extends string = string,
  EA extends string = string,
  UA extends string = string,
> {
  readonly metrics: { readonly [Key in M]: MetricDefinition }
  /** The attributes that events may carry. */
  readonly eventAttributes?: readonly EA[]
  /** The attributes that users may have. */
  readonly userAttributes?: readonly UA[]
  readonly achievements?: {
    readonly [Key in A]: AchievementDefinition<NoInfer<M>, NoInfer<A>, NoInfer<EA>, NoInfer<UA>>
  }
  readonly points?: {
    readonly [Key in P]: PointsDefinition<NoInfer<M>, NoInfer<A>, NoInfer<EA>, NoInfer<UA>>
  }
  readonly streak?: StreakDefinition<NoInfer<M>>
  readonly leaderboards?: {
    readonly [Key in L]: LeaderboardDefinition<NoInfer<M>, NoInfer<P>, NoInfer<UA>>
  }
  /** Default `monday`. */
  readonly weekStartsOn?: WeekStart
  /**
   * `controlRatio`, from 0 to 1: the share of users who are in the control group. Which they are follows from tenant and
   * user id, so it is the same in every process and after every deploy, and who is in it stays when the share grows.
   * Answers tell by `control`; what an app shows them is for the app. What they do is recorded as that of all others.
   */
  readonly experiment?: { readonly controlRatio: number }
  /** What clients may write. Default: everything that an application key can write of its own user. */
  readonly clients?: ClientsDefinition<NoInfer<M>, NoInfer<A>, NoInfer<UA>>
  /** Keeps the users of each tenant apart; every call then names one. Default false. */
  readonly multiTenant?: boolean
}
