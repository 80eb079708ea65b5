import type { Frequency, Weekday, WeekStart } from '../rules/calendar.ts'
import type * as Rules from '../rules/game.ts'
import type { LeaderboardChoice } from '../rules/game.ts'
import type { CatalogueRewardDefinition } from './catalogue-definition.ts'
import type { ChallengeDefinition, ChallengeMetric } from './challenge-definition.ts'
import type {
  CriterionDefinition,
  Declared,
  EmailsDefinition,
  FilterDefinition,
  NoAchievements,
  NoApiAchievements,
  NoChallenges,
  NoEventAttributes,
  NoMetrics,
  NoRewards,
  NoSteppedMetrics,
  NoStreaks,
  NoSystems,
  NoUserAttributes,
  ReminderDefinition,
  WalletDefinition,
  WithinDefinition,
} from './definition-parts.ts'

/*
 * The game definition that an application writes. The compiler infers each type parameter only at the definition of its
 * keys. All other uses are in `NoInfer`, so a reference to a missing key is a compile error. R are the achievement keys
 * that references use; an achievement with tiers has the keys of its tiers. V are the levels, such as `xp.gold`.
 */

export interface MetricDefinition<EA extends string = string> {
  readonly name: string
  /** Default `active`. */
  readonly status?: Rules.MetricStatus
  /**
   * How the values of the events become the total. `max` and `min` keep the best value, and `last` keeps the newest.
   * `distinct` counts the different values of an event attribute. Default `sum`.
   */
  readonly aggregation?: Rules.Aggregation
  /** With `distinct`: the event attribute. Every event must have it, and the value 1. */
  readonly of?: Declared<EA, NoEventAttributes>
  /** The unit of the values, such as `km`. Answers contain it as `units`. */
  readonly unit?: string
  /**
   * How much a user's events may add. If an event would exceed several limits, one that refuses wins. Only for the
   * aggregation `sum`.
   */
  readonly limits?: readonly LimitDefinition[]
}

/** How much the events of one user may add to a metric. Negative events neither use it up nor give it back. */
export interface LimitDefinition {
  /** The most that the events may add: a number above 0. */
  readonly value: number
  /** The number of consecutive local dates of the user, 1 to 31, over which the events are added up. */
  readonly per: { readonly days: number }
  /**
   * The treatment of an event that would exceed the limit. `refuse` rejects it with `limit_exceeded`. `hold` stores it
   * without effect until `events.approve` or `events.void`.
   */
  readonly then: 'refuse' | 'hold'
}

interface AchievementBase<UA extends string> {
  readonly name: string
  readonly description?: string
  readonly badgeUrl?: string
  /** Default `active`. */
  readonly status?: Rules.AchievementStatus
  /** Only users whose attributes have these values can complete it. */
  readonly userAttributes?: FilterDefinition<UA, NoUserAttributes>
  /**
   * Hides the achievement from application keys and sessions until the user completes it: they see only this name
   * (`true`: '???'). Calls in the process and admin keys see the achievement in full.
   */
  readonly secret?: boolean | { readonly name: string }
  /**
   * Publishes `achievement.progressed` when a user's progress reaches one of these shares, such as `[0.5, 0.9]`. At
   * most 10, ascending, above 0 and below 1.
   */
  readonly announce?: readonly number[]
  /** The last local date of the user on which it can be completed, as `YYYY-MM-DD`. Default: none. */
  readonly until?: string
  /**
   * The validity of a completion, in days of 24 hours. Then it expires, and the user can complete the achievement
   * again. Not with `repeat`. Default: forever.
   */
  readonly validFor?: { readonly days: number }
}

/** How often a user can complete the achievement: `true` for no limit, or at most `max` times (2 or more). */
export type RepeatDefinition = boolean | { readonly max: number }

/** One tier of an achievement. It is an achievement with a key of its own, such as `writer.bronze`. */
export interface TierDefinition {
  /** Default: the name of the achievement and the key of the tier, such as `Writer Bronze`. */
  readonly name?: string
  /** Default: the description of the achievement. */
  readonly description?: string
  /** Default: the badge of the achievement. */
  readonly badgeUrl?: string
}

interface Once {
  readonly tiers?: never
  /** Default false. */
  readonly repeat?: RepeatDefinition
}

/** Each tier requires more than the one before. `Own` is the requirement of a tier. */
interface Tiered<Own> {
  readonly tiers: { readonly [key: string]: TierDefinition & Own }
  readonly repeat?: never
}

/**
 * Completed when the metric's total reaches `value`: for a `min` metric at or below it, for others at or above. With
 * filters, only matching events count. With `repeat`, each full `value` of the highest total completes it again.
 */
export type MetricAchievementDefinition<
  M extends string,
  EA extends string,
  UA extends string,
> = AchievementBase<UA> & {
  readonly trigger: 'metric'
  readonly metric: Declared<M, NoMetrics>
  readonly eventAttributes?: FilterDefinition<EA, NoEventAttributes>
  /**
   * Adds up the values of a window of consecutive local dates instead of all time. For the aggregation `sum`, without
   * `repeat`.
   */
  readonly within?: WithinDefinition
} & ((Once & { readonly value: number }) | (Tiered<{ readonly value: number }> & { readonly value?: never }))

/** Completed by a call of the application. With `repeat`, each idempotency key completes it once. */
export interface ApiAchievementDefinition<UA extends string> extends AchievementBase<UA>, Once {
  readonly trigger: 'api'
}

/** Completed when the streak is `length` periods long. With `repeat`, each streak of that length completes it. */
export type StreakAchievementDefinition<UA extends string, S extends string = string> = AchievementBase<UA> & {
  readonly trigger: 'streak'
  /** One of `streaks`. Default: the game's `streak`. */
  readonly streak?: Declared<S, NoStreaks>
} & ((Once & { readonly length: number }) | (Tiered<{ readonly length: number }> & { readonly length?: never }))

/** Completed when the user has completed all of `achievements`. */
export interface CompositeAchievementDefinition<A extends string, UA extends string> extends AchievementBase<UA> {
  readonly trigger: 'achievement'
  readonly achievements: readonly Declared<A, NoAchievements>[]
  readonly tiers?: never
  readonly repeat?: never
}

/** Any text in a game whose achievements are not known. */
type IfKnown<A extends string, Key extends string> = string extends A ? string : Key

/** Completed when the user has met at least `atLeast` of the criteria. */
export interface CriteriaAchievementDefinition<
  M extends string,
  A extends string,
  EA extends string,
  UA extends string,
  S extends string = string,
  P extends string = string,
  V extends string = string,
> extends AchievementBase<UA> {
  readonly trigger: 'criteria'
  /** How many of the criteria a user must meet, from 1. Default: all of them. */
  readonly atLeast?: number
  /** 1 to 20 criteria. */
  readonly of: readonly CriterionDefinition<M, A, EA, S, P, V>[]
  readonly tiers?: never
  readonly repeat?: never
}

/**
 * Completed on the local date on which the user signed up `years` years ago. A user without a `signUpDate` cannot
 * complete it. An anniversary of the past is completed without a message.
 */
export interface AnniversaryAchievementDefinition<UA extends string> extends AchievementBase<UA> {
  readonly trigger: 'anniversary'
  /** 1 to 100. */
  readonly years: number
  readonly tiers?: never
  readonly repeat?: never
}

export type AchievementDefinition<
  M extends string = string,
  A extends string = string,
  EA extends string = string,
  UA extends string = string,
  S extends string = string,
  P extends string = string,
  V extends string = string,
> =
  | MetricAchievementDefinition<M, EA, UA>
  | ApiAchievementDefinition<UA>
  | StreakAchievementDefinition<UA, S>
  | CompositeAchievementDefinition<A, UA>
  | CriteriaAchievementDefinition<M, A, EA, UA, S, P, V>
  | AnniversaryAchievementDefinition<UA>

/** The most that is paid in a period. The excess is not paid later. */
export interface CapDefinition {
  readonly points: number
  /** The user's local day, week or month, or `ever` for all time. */
  readonly per: 'day' | 'week' | 'month' | 'ever'
}

interface TriggerBase<UA extends string> {
  /** Keeps the trigger's id, and so the users' progress, when its metric, threshold or filters change. */
  readonly key?: string
  /** A whole number; negative takes points away. */
  readonly points: number
  /** Default `active`. */
  readonly status?: Rules.TriggerStatus
  readonly userAttributes?: FilterDefinition<UA, NoUserAttributes>
  /** ISO 8601 instant. Default 1970-01-01T00:00:00.000Z. */
  readonly created?: string
  readonly updated?: string
}

/** Options of triggers that pay for an action of the user. */
interface Restrained {
  /** Refuse an event that would leave the system's total below 0. Default false. */
  readonly blockIfOutOfPoints?: boolean
  /** The most that the trigger pays in a period. Not for a trigger that takes points away. */
  readonly cap?: CapDefinition
  /** The trigger pays nothing for this time after each payment. Not for a trigger that takes points away. */
  readonly cooldown?: { readonly minutes: number }
  /** True if the points system's cap ignores this trigger. Default false. */
  readonly exempt?: boolean
}

/** Time triggers have none of these options, which apply to actions of users only. */
interface Unrestrained {
  readonly blockIfOutOfPoints?: never
  readonly cap?: never
  readonly cooldown?: never
  readonly exempt?: never
}

export type TriggerDefinition<
  M extends string = string,
  A extends string = string,
  EA extends string = string,
  UA extends string = string,
  S extends string = string,
> = TriggerBase<UA> &
  (
    | (Unrestrained & {
        readonly type: 'time'
        /**
         * Pays every `hours` hours, or at the local midnight of every `days`-th day. The time counts from the user's
         * creation, or from the user's first entry under a game with this trigger.
         */
        readonly every:
          | { readonly hours: number; readonly days?: undefined }
          | { readonly days: number; readonly hours?: undefined }
      })
    | (Restrained & CausedTrigger<M, A, EA, S>)
  )

/** The actions of users that a trigger can pay for. */
type CausedTrigger<M extends string, A extends string, EA extends string, S extends string> =
  | {
      readonly type: 'metric'
      /** Not a `min` or `last` metric. */
      readonly metric: Declared<M, NoSteppedMetrics>
      /** Pays `points` for each full threshold that the metric's total newly reaches. */
      readonly threshold: number
      readonly eventAttributes?: FilterDefinition<EA, NoEventAttributes>
    }
  | { readonly type: 'achievement'; readonly achievement: Declared<A, NoAchievements> }
  | {
      readonly type: 'streak'
      readonly length: number
      /** One of `streaks`. Default: the game's `streak`. */
      readonly streak?: Declared<S, NoStreaks>
    }
  | { readonly type: 'user_creation' }

export interface LevelDefinition {
  readonly name: string
  readonly description?: string
  readonly badgeUrl?: string
  /** The lowest points total of users on this level. */
  readonly points: number
}

export interface PointsDefinition<
  M extends string = string,
  A extends string = string,
  EA extends string = string,
  UA extends string = string,
  S extends string = string,
> extends WalletDefinition {
  readonly name: string
  readonly description?: string
  readonly badgeUrl?: string
  /** The highest total; of a spendable system, the most that the balance, holds and pending points can be together. */
  readonly maxPoints?: number
  /** The most that all triggers together pay in a period, except `exempt` triggers and time triggers. */
  readonly cap?: CapDefinition
  /** Triggers apply in this order. */
  readonly triggers?: readonly TriggerDefinition<M, A, EA, UA, S>[]
  readonly levels?: { readonly [key: string]: LevelDefinition }
  /** At most 100. Their order does not matter. */
  readonly boosts?: { readonly [key: string]: BoostDefinition<UA> }
}

/**
 * Multiplies the points that triggers give on planned dates. Boosts of the same date multiply each other, and the exact
 * product is rounded once.
 */
export interface BoostDefinition<UA extends string = string> {
  readonly name: string
  /** First and last local date of each user, `YYYY-MM-DD`. Without `end` the boost never ends. */
  readonly start: string
  readonly end?: string
  /** Above 0 and below 100, but not 1. */
  readonly multiplier: number
  /** How the product becomes whole points. If several boosts apply, the newest one decides. Default `down`. */
  readonly rounding?: Rules.Rounding
  /** Only users whose attributes have these values get the boost. */
  readonly userAttributes?: FilterDefinition<UA, NoUserAttributes>
}

export interface StreakDefinition<M extends string = string> {
  readonly frequency: Frequency
  /**
   * The weekdays on which a daily streak can be missed, such as `['mon', 'tue', 'wed', 'thu', 'fri']`. The others are
   * days off: an event can extend the streak, and a day without one changes nothing. Default: all.
   */
  readonly on?: readonly Weekday[]
  /** The days off in place of `on`, by number: 0 is Sunday, 6 is Saturday. At most 6. */
  readonly daysOff?: readonly number[]
  /** A week of a weekly streak counts if the metrics reach their thresholds on this many different dates: 1 to 7. */
  readonly days?: number
  /** `OR`: one metric must reach its threshold; `AND` or `ALL`: every metric must. Default `OR`. */
  readonly evaluationMode?: Rules.EvaluationMode | 'ALL'
  /**
   * The total that the events of a period need in each metric. Without a threshold, any event is enough, but for `sum` the
   * total must be above 0.
   */
  readonly metrics: { readonly [Key in M]?: { readonly threshold?: number } }
  /** True if users can choose their own evaluation mode, metrics and, in a daily streak, days. Default false. */
  readonly customization?: boolean
  /** Each freeze saves a streak from one missed period. Without freezes, a missed period ends the streak. */
  readonly freezes?: FreezesDefinition
  /**
   * When users are reminded of a period in which nothing counted yet: at most 10. Default: none. If the game has
   * `emails`, the default for `streak` is 20:00 of a day, Friday 08:00 of a week, and the 25th at 08:00 of a month.
   */
  readonly reminders?: readonly ReminderDefinition[]
}

/** A streak in addition to the game's `streak`, with the same rules. Users cannot customize it. */
export interface NamedStreakDefinition<M extends string = string>
  extends Omit<StreakDefinition<M>, 'customization' | 'freezes'> {
  /**
   * The streak's own freezes, or `shared` to use the freezes of the game's `streak`. If two streaks need a shared
   * freeze, the one whose period ends first gets it.
   */
  readonly freezes?: FreezesDefinition | 'shared'
}

export interface FreezesDefinition {
  /** How many freezes a new user gets, at most `max`. Default 0. */
  readonly initial?: number
  /** How many freezes a user can hold, 1 to 100. */
  readonly max: number
  /** Users earn `amount` freezes (default 1) every `interval` days, counted from their first day. */
  readonly autoEarn?: { readonly interval: number; readonly amount?: number }
}

interface LeaderboardBase<UA extends string> {
  readonly name: string
  readonly description?: string
  readonly rankBy: Rules.RankBy
  /** The first local date of each participant that counts, `YYYY-MM-DD`. */
  readonly start: string
  readonly end?: string
  /** User attributes whose values split the leaderboard into groups. */
  readonly breakdown?: readonly Declared<UA, NoUserAttributes>[]
  /** True if application keys cannot read the leaderboard. Default false. */
  readonly private?: boolean
  /** True if only users are on it who chose `shown` or `anonymous` themselves. Default false. */
  readonly consent?: boolean
  /**
   * Groups with fewer participants answer no places to application keys and sessions, since few people are easy to
   * recognize. 1 to 1,000. Default 1.
   */
  readonly smallestGroup?: number
  /** `shared`: equal values share a rank, as 1, 2, 2, 4. Default: the value that was reached first ranks first. */
  readonly ties?: 'shared'
}

interface Limited {
  /** How many users are ranked. Default 1,000, or `null` for no limit. */
  readonly maxParticipants?: number | null
}

interface Counted {
  /** Which value is the best. Default `lowest` for a metric with the aggregation `min`, else `highest`. */
  readonly order?: 'highest' | 'lowest'
  /**
   * The part of each day that counts, from `startTime` until before `endTime`, as local times `HH:MM`. You can set one
   * alone. A start after the end means a night, and each part of it counts on its own date. Default: the whole day.
   */
  readonly startTime?: string
  readonly endTime?: string
  /**
   * Starts a new run every `interval` (default 1) days, weeks, months or years after `start`. A week is seven days, so
   * each run begins on the weekday of `start`.
   */
  readonly run?: { readonly unit: 'day' | 'week' | 'month' | 'year'; readonly interval?: number }
}

export type LeaderboardDefinition<
  M extends string = string,
  P extends string = string,
  UA extends string = string,
  S extends string = string,
> = LeaderboardBase<UA> &
  (
    | (Limited & Counted & { readonly rankBy: 'metric'; readonly metric: Declared<M, NoMetrics> })
    | (Limited & Counted & { readonly rankBy: 'points'; readonly system: Declared<P, NoSystems> })
    | {
        readonly rankBy: 'streak'
        readonly maxParticipants?: number
        /** One of `streaks`. Default: the game's `streak`. */
        readonly streak?: Declared<S, NoStreaks>
      }
  )

/** The permitted content of an event from a client. */
export interface ClientEventDefinition<EA extends string = string> {
  /** The largest value. Default: no limit. */
  readonly max?: number
  /** The smallest value. Default 0, so clients cannot lower a total. */
  readonly min?: number
  /** The event attributes that clients may send. Default: attributes that no achievement or trigger filters on. */
  readonly attributes?: readonly Declared<EA, NoEventAttributes>[]
}

/** The preferences of users who have chosen nothing. */
export interface PreferencesDefinition {
  /** How users appear on leaderboards. `hidden` makes leaderboards opt-in. Default: `shown`. */
  readonly leaderboards?: LeaderboardChoice
}

/**
 * The writes that application keys and signed-in users may make. Writes that are missing here are forbidden. A key can
 * be created with fewer rights. Admin keys and calls in the process can do everything.
 */
export interface ClientsDefinition<
  M extends string = string,
  AA extends string = string,
  UA extends string = string,
  EA extends string = string,
  Q extends string = string,
  W extends string = string,
> {
  /** The metrics whose events clients may send. */
  readonly events?: { readonly [Key in M]?: ClientEventDefinition<EA> }
  /** The achievements with the trigger `api` that clients may complete. */
  readonly achievements?: readonly Declared<AA, NoApiAchievements>[]
  /** The challenges that clients may enrol in, abandon, claim and reroll. */
  readonly challenges?: readonly Declared<Q, NoChallenges>[]
  /** The rewards that clients may redeem. */
  readonly redeem?: readonly Declared<W, NoRewards>[]
  /** The user attributes that clients may set. */
  readonly attributes?: readonly Declared<UA, NoUserAttributes>[]
  /**
   * The profile fields that clients may set. `notifications` and `streak` are the preferences of these names. Users may
   * always set their choices `leaderboards` and `gamification`.
   */
  readonly profile?: readonly Rules.ClientField[]
}

export interface GameDefinition<
  M extends string = string,
  A extends string = string,
  P extends string = string,
  L extends string = string,
  EA extends string = string,
  UA extends string = string,
  S extends string = string,
  R extends string = A,
  C extends string = M,
  V extends string = string,
  Q extends string = string,
  W extends string = string,
> {
  readonly metrics: { readonly [Key in M]: MetricDefinition<NoInfer<EA>> }
  /** The attributes that events can have. */
  readonly eventAttributes?: readonly EA[]
  /** The attributes that users can have. */
  readonly userAttributes?: readonly UA[]
  readonly achievements?: {
    readonly [Key in A]: AchievementDefinition<
      NoInfer<M> | ChallengeMetric<NoInfer<Q>>,
      NoInfer<R>,
      NoInfer<EA>,
      NoInfer<UA>,
      NoInfer<S>,
      IfKnown<NoInfer<A>, NoInfer<P>>,
      IfKnown<NoInfer<A>, V>
    >
  }
  readonly points?: {
    readonly [Key in P]: PointsDefinition<
      NoInfer<C> | ChallengeMetric<NoInfer<Q>>,
      NoInfer<R>,
      NoInfer<EA>,
      NoInfer<UA>,
      NoInfer<S>
    >
  }
  readonly streak?: StreakDefinition<NoInfer<M> | ChallengeMetric<NoInfer<Q>>>
  /** Streaks in addition to `streak`, by key. */
  readonly streaks?: { readonly [Key in S]: NamedStreakDefinition<NoInfer<M> | ChallengeMetric<NoInfer<Q>>> }
  readonly leaderboards?: {
    readonly [Key in L]: LeaderboardDefinition<
      NoInfer<M> | ChallengeMetric<NoInfer<Q>>,
      NoInfer<P>,
      NoInfer<UA>,
      NoInfer<S>
    >
  }
  /** Tasks with rewards, in windows of local dates. Rules count the completed windows as the metric `challenge:<key>`. */
  readonly challenges?: {
    readonly [Key in Q]: ChallengeDefinition<
      NoInfer<M> | ChallengeMetric<NoInfer<Q>>,
      NoInfer<R>,
      NoInfer<EA>,
      NoInfer<S>,
      IfKnown<NoInfer<Q>, NoInfer<P>>,
      IfKnown<NoInfer<Q>, V>
    >
  }
  /** The catalogue: what users buy with points, by `rewards.redeem`. */
  readonly rewards?: {
    readonly [Key in W]: CatalogueRewardDefinition<IfKnown<NoInfer<W>, NoInfer<P>>, NoInfer<R>>
  }
  /** Default `monday`. */
  readonly weekStartsOn?: WeekStart
  /**
   * `controlRatio`: the share of users in the control group, from 0 to 1. The tenant and the user id decide who is in
   * it, so the group is the same in every process and after every deploy. Members stay when the share grows. Answers
   * contain `control`, and the application decides what members see. Their events are recorded like all others.
   */
  readonly experiment?: { readonly controlRatio: number }
  /**
   * The writes that clients may make. Default: application keys may change everything of their user, and signed-in
   * users nothing.
   */
  readonly clients?: ClientsDefinition<NoInfer<M>, NoInfer<A>, NoInfer<UA>, NoInfer<EA>, NoInfer<Q>, NoInfer<W>>
  /** The preferences of users who have chosen nothing. Default: users are shown on leaderboards. */
  readonly preferences?: PreferencesDefinition
  /** When emails to users are due. Default: never. */
  readonly emails?: EmailsDefinition
  /** Keeps the users of each tenant apart. Every call then has to name a tenant. Default false. */
  readonly multiTenant?: boolean
}
