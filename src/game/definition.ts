import type { Frequency, WeekStart } from '../rules/calendar.ts'
import type {
  AchievementStatus,
  ClientField,
  EvaluationMode,
  MetricStatus,
  RankBy,
  RecapFrequency,
  Rounding,
  TriggerStatus,
} from '../rules/game.ts'

/*
 * What a host writes. The parameters are the keys of the game: metrics M, achievements A, points systems P,
 * leaderboards L, event attributes EA, user attributes UA, named streaks S. Each is inferred only where its keys are
 * defined; everywhere else it stands in `NoInfer`, so that a reference to something that is not there is a compile
 * error instead of one more key. R are the achievement keys as references name them: for an achievement with tiers,
 * those of its tiers.
 */

/** A key that the game has. Where it has none, its type is a text that says so, for the compiler to print. */
export type Declared<Key extends string, Missing extends string> = [Key] extends [never] ? Missing : Key

export type NoMetrics = 'The game has no metrics: add one to `metrics` first.'
export type NoAchievements = 'The game has no achievements: add one to `achievements` first.'
export type NoSystems = 'The game has no points systems: add one to `points` first.'
export type NoApiAchievements = "No achievement of the game has the trigger 'api', so none can be completed by a call."
export type NoLeaderboards = 'The game has no leaderboards: add one to `leaderboards` first.'
export type NoStreaks = 'The game has no named streaks: add one to `streaks` first.'
export type NoEventAttributes = 'The game has no event attributes: list them in `eventAttributes` first.'
export type NoTenants = 'The game has no tenants: add `multiTenant: true` first.'
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
  /**
   * Hides it from application keys and sessions until the user has it: they see that there is one, by this name
   * (`true`: '???'), and not what for. Calls in-process and admin keys see it as it is.
   */
  readonly secret?: boolean | { readonly name: string }
}

/** How often it can be completed: without an end, or at most `max` times, which is at least 2. */
export type RepeatDefinition = boolean | { readonly max: number }

/** One of several steps: an achievement of its own, whose key is that of the whole, a dot, and its own. */
export interface TierDefinition {
  /** Default: the name of the whole and the key of the tier, as `Writer Bronze`. */
  readonly name?: string
  /** Default: that of the whole. */
  readonly description?: string
  /** Default: that of the whole. */
  readonly badgeUrl?: string
}

interface Once {
  readonly tiers?: never
  /** Default false. */
  readonly repeat?: RepeatDefinition
}

/** Each tier asks for more than the one before. `Own`: what it asks for. */
interface Tiered<Own> {
  readonly tiers: { readonly [key: string]: TierDefinition & Own }
  readonly repeat?: never
}

/**
 * Completed when the metric's total reaches `value`; with filters, the total of the events that match. One that
 * repeats, for every full `value` of the highest total.
 */
export type MetricAchievementDefinition<
  M extends string,
  EA extends string,
  UA extends string,
> = AchievementBase<UA> & {
  readonly trigger: 'metric'
  readonly metric: Declared<M, NoMetrics>
  readonly eventAttributes?: FilterDefinition<EA, NoEventAttributes>
} & ((Once & { readonly value: number }) | (Tiered<{ readonly value: number }> & { readonly value?: never }))

/** Completed when the host says so. One that repeats, once for every idempotency key. */
export interface ApiAchievementDefinition<UA extends string> extends AchievementBase<UA>, Once {
  readonly trigger: 'api'
}

/** Completed when the streak is `length` periods long. One that repeats, by every streak that gets there. */
export type StreakAchievementDefinition<UA extends string, S extends string = string> = AchievementBase<UA> & {
  readonly trigger: 'streak'
  /** One of `streaks`. Default: the game's `streak`. */
  readonly streak?: Declared<S, NoStreaks>
} & ((Once & { readonly length: number }) | (Tiered<{ readonly length: number }> & { readonly length?: never }))

/** Completed when all of `achievements` are. */
export interface CompositeAchievementDefinition<A extends string, UA extends string> extends AchievementBase<UA> {
  readonly trigger: 'achievement'
  readonly achievements: readonly Declared<A, NoAchievements>[]
  readonly tiers?: never
  readonly repeat?: never
}

export type AchievementDefinition<
  M extends string = string,
  A extends string = string,
  EA extends string = string,
  UA extends string = string,
  S extends string = string,
> =
  | MetricAchievementDefinition<M, EA, UA>
  | ApiAchievementDefinition<UA>
  | StreakAchievementDefinition<UA, S>
  | CompositeAchievementDefinition<A, UA>

/** How much may be paid; what is more is clipped, and not paid later. */
export interface CapDefinition {
  readonly points: number
  /** The user's local day, week or month; `ever`: in all. */
  readonly per: 'day' | 'week' | 'month' | 'ever'
}

interface TriggerBase<UA extends string> {
  /** Keeps the trigger's id, and with it what users have reached, when what it counts changes. */
  readonly key?: string
  /** A whole number; negative takes points away. */
  readonly points: number
  /** Default `active`. */
  readonly status?: TriggerStatus
  readonly userAttributes?: FilterDefinition<UA, NoUserAttributes>
  /** ISO 8601 instant. Default 1970-01-01T00:00:00.000Z. */
  readonly created?: string
  readonly updated?: string
}

/** Of triggers that pay for what a user does. */
interface Restrained {
  /** Refuse an event that would leave the system's total below 0. Default false. */
  readonly blockIfOutOfPoints?: boolean
  /** How much the trigger may pay. Not on one that takes points away. */
  readonly cap?: CapDefinition
  /** After each payment the trigger pays nothing for so many minutes. Not on one that takes points away. */
  readonly cooldown?: { readonly minutes: number }
  /** Whether the cap of the points system leaves the trigger out. Default false. */
  readonly exempt?: boolean
}

/** A time trigger has none of these: they only hold back what users do. */
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
         * Pays every so many hours, or at every so many local midnights, since the user was created or first had the
         * game with the trigger.
         */
        readonly every:
          | { readonly hours: number; readonly days?: undefined }
          | { readonly days: number; readonly hours?: undefined }
      })
    | (Restrained & HappeningTrigger<M, A, EA, S>)
  )

/** What a user does that a trigger pays for. */
type HappeningTrigger<M extends string, A extends string, EA extends string, S extends string> =
  | {
      readonly type: 'metric'
      readonly metric: Declared<M, NoMetrics>
      /** `points` for every full threshold that the running total newly reaches. */
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
  /** The points total from which a user is on this level. */
  readonly points: number
}

export interface PointsDefinition<
  M extends string = string,
  A extends string = string,
  EA extends string = string,
  UA extends string = string,
  S extends string = string,
> {
  readonly name: string
  readonly description?: string
  readonly badgeUrl?: string
  readonly maxPoints?: number
  /** How much all its triggers together may pay, but for those that are `exempt` and those that pay by time. */
  readonly cap?: CapDefinition
  /** They apply in this order. */
  readonly triggers?: readonly TriggerDefinition<M, A, EA, UA, S>[]
  readonly levels?: { readonly [key: string]: LevelDefinition }
  /** At most 100; their order does not matter. */
  readonly boosts?: { readonly [key: string]: BoostDefinition<UA> }
}

/**
 * Multiplies what triggers pay, where they give something, on dates known beforehand. Several that hold at once
 * multiply each other; their exact product is rounded once.
 */
export interface BoostDefinition<UA extends string = string> {
  readonly name: string
  /** `YYYY-MM-DD`, local dates of each user, both included. Default for `end`: it never ends. */
  readonly start: string
  readonly end?: string
  /** Above 0 and below 100, and not 1. */
  readonly multiplier: number
  /** To whole points; where several hold, that of the newest counts. Default `down`. */
  readonly rounding?: Rounding
  /** What the user's attributes must be. */
  readonly userAttributes?: FilterDefinition<UA, NoUserAttributes>
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
  /**
   * When users are reminded that the streak misses its period unless they do something: at most 10. Default: none, but
   * for the `streak` of a game that has `emails`: a day at 20:00, a week on Friday at 08:00, a month on the 25th at
   * 08:00.
   */
  readonly reminders?: readonly ReminderDefinition[]
}

/** A streak beside the game's `streak`, under the same rules; users cannot have it their own way. */
export interface NamedStreakDefinition<M extends string = string>
  extends Omit<StreakDefinition<M>, 'customization' | 'freezes'> {
  /** Its own, or `shared`: those of the game's `streak`. One goes to the period that ends first. */
  readonly freezes?: FreezesDefinition | 'shared'
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
   * The window of every day in which things count, local times `HH:MM`: from `startTime` on and before `endTime`. One
   * of them alone is allowed; a start after the end is a night, whose parts count on their own dates. Default: the
   * whole day.
   */
  readonly startTime?: string
  readonly endTime?: string
  /**
   * A new run every so many days, weeks, months or years, counted from `start`; a week is seven days, so that each run
   * begins on the weekday of `start`. Default for `interval`: 1.
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

/** What one event that a client sends may hold. */
export interface ClientEventDefinition<EA extends string = string> {
  /** The largest value. Default: none. */
  readonly max?: number
  /** The smallest value. Default 0: clients cannot take away. */
  readonly min?: number
  /** The event attributes that it may have. Default: those that no achievement and no trigger filters on. */
  readonly attributes?: readonly Declared<EA, NoEventAttributes>[]
}

/**
 * What application keys and users with a session of the app may write. They may write nothing that is left out here; a
 * single key can be made for less. Admin keys and calls in-process may do everything all the same.
 */
export interface ClientsDefinition<
  M extends string = string,
  AA extends string = string,
  UA extends string = string,
  EA extends string = string,
> {
  /** Metrics whose events they may send. */
  readonly events?: { readonly [Key in M]?: ClientEventDefinition<EA> }
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
  S extends string = string,
  R extends string = A,
> {
  readonly metrics: { readonly [Key in M]: MetricDefinition }
  /** The attributes that events may carry. */
  readonly eventAttributes?: readonly EA[]
  /** The attributes that users may have. */
  readonly userAttributes?: readonly UA[]
  readonly achievements?: {
    readonly [Key in A]: AchievementDefinition<NoInfer<M>, NoInfer<R>, NoInfer<EA>, NoInfer<UA>, NoInfer<S>>
  }
  readonly points?: {
    readonly [Key in P]: PointsDefinition<NoInfer<M>, NoInfer<R>, NoInfer<EA>, NoInfer<UA>, NoInfer<S>>
  }
  readonly streak?: StreakDefinition<NoInfer<M>>
  /** More streaks, each by a key of its own, beside `streak`. */
  readonly streaks?: { readonly [Key in S]: NamedStreakDefinition<NoInfer<M>> }
  readonly leaderboards?: {
    readonly [Key in L]: LeaderboardDefinition<NoInfer<M>, NoInfer<P>, NoInfer<UA>, NoInfer<S>>
  }
  /** Default `monday`. */
  readonly weekStartsOn?: WeekStart
  /**
   * `controlRatio`, from 0 to 1: the share of users who are in the control group. Who is in it follows from tenant and
   * user id, so it is the same in every process and after every deploy, and members stay when the share grows. Answers
   * have it as `control`; what the app shows to members is for the app to decide. Their events are recorded like all
   * others.
   */
  readonly experiment?: { readonly controlRatio: number }
  /** What clients may write. Default: an application key everything of its own user, a user with a session nothing. */
  readonly clients?: ClientsDefinition<NoInfer<M>, NoInfer<A>, NoInfer<UA>, NoInfer<EA>>
  /** Which emails to users fall due. Default: none. */
  readonly emails?: EmailsDefinition
  /** Keeps the users of each tenant apart; every call then names one. Default false. */
  readonly multiTenant?: boolean
}

/** A message `emails.streak_reminder_due`, so long before a period of the streak ends in which nothing counted yet. */
export interface ReminderDefinition {
  /** A name within the streak, which the message has. */
  readonly key: string
  /** At most 23 for a daily streak, 167 for a weekly one, 648 for a monthly one. */
  readonly before: { readonly hours: number }
  /** A reminder that cannot be told for so long is dropped: 1 to 72 hours, default 2. */
  readonly staleAfter?: { readonly hours: number }
}

/**
 * Messages that say when an email to a user would be due; nothing is sent. Times are those of the user's zone, or of
 * New York. Users whose preferences name channels without `email` for a kind get none of that kind.
 */
export interface EmailsDefinition {
  /** `emails.recap_due`, at 08:00 after each period, for who did something since it began. Default: none. */
  readonly recap?: RecapFrequency
  /**
   * `emails.reactivation_due`, at 08:00 so many days after the day on which the user last did anything: at most 10
   * numbers, ascending. Default 3, 5, 7, 14 and 30.
   */
  readonly reactivation?: readonly number[]
  /** `emails.achievement_due`, between 17:00 and 21:00 after each achievement. Default true. */
  readonly achievements?: boolean
  /** A message that cannot be told for so long is dropped: 1 to 72 hours, default 2. */
  readonly staleAfter?: { readonly hours: number }
}
