import type * as Rules from '../rules/game.ts'

// Keys that a definition refers to, and the compiler's message if the game has none.

/** A key of the game. If the game has no such keys, the type is a text that the compiler prints as the error. */
export type Declared<Key extends string, Missing extends string> = [Key] extends [never] ? Missing : Key

export type NoSteppedMetrics =
  'The game has no metric whose total rises in steps: triggers need `sum`, `max` or `distinct`.'
export type NoMetrics = 'The game has no metrics: add one to `metrics` first.'
export type NoAchievements = 'The game has no achievements: add one to `achievements` first.'
export type NoSystems = 'The game has no points systems: add one to `points` first.'
export type NoLevels = 'The game has no levels: add some to a points system first.'
export type NoApiAchievements = "No achievement of the game has the trigger 'api', so none can be completed by a call."
export type NoLeaderboards = 'The game has no leaderboards: add one to `leaderboards` first.'
export type NoChallenges = 'The game has no challenges: add one to `challenges` first.'
export type NoRewards = 'The game has no rewards: add one to `rewards` first.'
export type NoStreaks = 'The game has no named streaks: add one to `streaks` first.'
export type NoEventAttributes = 'The game has no event attributes: list them in `eventAttributes` first.'
export type NoTenants = 'The game has no tenants: add `multiTenant: true` first.'
export type NoUserAttributes = 'The game has no user attributes: list them in `userAttributes` first.'

/** Attributes and the exact values that all of them must have. */
export type FilterDefinition<Attribute extends string, Missing extends string = never> = [Attribute] extends [never]
  ? // `{}` would accept anything: a game without attributes has no filters.
    { readonly [attribute: string]: Missing }
  : { readonly [Key in Attribute]?: string }

/** A number of consecutive local dates of the user, 1 to 31. */
export interface WithinDefinition {
  readonly days: number
}

/** Which events count, and over how many dates. Default: all events of the metric. */
interface CountedDefinition<EA extends string> {
  readonly eventAttributes?: FilterDefinition<EA, NoEventAttributes>
  readonly within?: WithinDefinition
}

/** A condition that a user must meet once. A streak that is lost later takes nothing back. */
export type CriterionDefinition<
  M extends string = string,
  A extends string = string,
  EA extends string = string,
  S extends string = string,
  P extends string = string,
  V extends string = string,
> =
  /** The metric's total. `within` needs the aggregation `sum`. */
  | (CountedDefinition<EA> & { readonly metric: Declared<M, NoMetrics>; readonly value: number })
  /** The number of events of a metric, whatever their values. */
  | (CountedDefinition<EA> & { readonly events: Declared<M, NoMetrics>; readonly count: number })
  /** One of `streaks`, or `streak` for the game's own. */
  | { readonly streak: S | 'streak'; readonly length: number }
  /** A points system and one of its levels, such as `xp.gold`. */
  | { readonly level: Declared<V, NoLevels> }
  | { readonly points: Declared<P, NoSystems>; readonly total: number }
  | { readonly achievement: Declared<A, NoAchievements> }
  | { readonly membership: MembershipDefinition }

/**
 * How long the user has been a member: local dates, or full months or years. It is looked at with each entry of the
 * user.
 */
export type MembershipDefinition = {
  /** Since the user's `signUpDate`, or its creation if it has none. Default: since its creation. */
  readonly since?: 'signUp'
} & (
  | { readonly days: number; readonly months?: never; readonly years?: never }
  | { readonly months: number; readonly days?: never; readonly years?: never }
  | { readonly years: number; readonly days?: never; readonly months?: never }
)

/** Publishes `emails.streak_reminder_due` before the end of a streak period in which nothing counted yet. */
export interface ReminderDefinition {
  /** A name, unique within the streak. The message contains it. */
  readonly key: string
  /** How long before the end: at most 23 hours for a daily streak, 167 for a weekly and 648 for a monthly one. */
  readonly before: { readonly hours: number }
  /** A reminder that is later than this is dropped: 1 to 72 hours, default 2. */
  readonly staleAfter?: { readonly hours: number }
}

/**
 * Messages that say when an email to a user is due. Laurels sends no email. Times are local to the user, or to New York
 * if the user has no time zone. Users who chose channels without `email` for a kind get no messages of that kind.
 */
export interface EmailsDefinition {
  /** Publishes `emails.recap_due` at 08:00 after each period, for users who were active in it. Default: none. */
  readonly recap?: Rules.RecapFrequency
  /**
   * Publishes `emails.reactivation_due` at 08:00, this many days after the user's last activity. At most 10 numbers,
   * ascending. Default: 3, 5, 7, 14 and 30.
   */
  readonly reactivation?: readonly number[]
  /** True to publish `emails.achievement_due` between 17:00 and 21:00 after each completion. Default true. */
  readonly achievements?: boolean
  /** A message that is later than this is dropped: 1 to 72 hours, default 2. */
  readonly staleAfter?: { readonly hours: number }
}

/** A number of days, months or years. */
export type AfterDefinition =
  | { readonly days: number; readonly months?: never; readonly years?: never }
  | { readonly months: number; readonly days?: never; readonly years?: never }
  | { readonly years: number; readonly days?: never; readonly months?: never }

/** When points expire, counted from the local date on which they were earned. */
export interface ExpiryDefinition {
  readonly after: AfterDefinition
  /**
   * Points that expire in the same `month` or `year` expire together, at the end of it: on the first day of the next, they
   * are gone. Default `month`. With `day`, they are gone `after` the date on which they were earned.
   */
  readonly roundTo?: 'day' | 'month' | 'year'
  /** Publishes a message at the local midnight this many days before: 1 to 90. Default: never. */
  readonly warn?: { readonly days: number }
}

/** The properties of a points system whose points can be spent. */
export interface WalletDefinition {
  /**
   * True if users can spend the points. Spending lowers the balance; the total, which levels and leaderboards use, keeps
   * everything that was ever earned. Default false.
   */
  readonly spendable?: boolean
  /** Default: points never expire. */
  readonly expires?: ExpiryDefinition
  /** Points become available this many local midnights after they were earned: 1 to 90. Default: at once. */
  readonly pending?: { readonly days: number }
  /** Refunded points that have expired meanwhile expire this many days after the refund: 1 to 366. Default 30. */
  readonly refundGrace?: { readonly days: number }
}
