import type { Day, Frequency, Instant, Weekday, WeekStart } from './calendar.ts'

/* A game for the rules: plain data that `src/game` compiles and indexes by the parts that an entry can change. */

export type MetricStatus = 'active' | 'archived'
export type AchievementStatus = 'active' | 'inactive' | 'locked'
export type TriggerStatus = 'active' | 'inactive'

export type EvaluationMode = 'OR' | 'AND'

export type Aggregation = 'sum' | 'max' | 'min' | 'last' | 'distinct'

/** Attribute and value pairs that must all match exactly. An empty list matches everything. */
export type Filters = readonly (readonly [attribute: string, value: string])[]

interface Named {
  readonly key: string
  readonly id: string
  readonly name: string
}

interface Badged extends Named {
  readonly description: string | null
  readonly badgeUrl: string | null
}

export interface Metric extends Named {
  readonly status: MetricStatus
  readonly aggregation: Aggregation
  /** The event attribute whose different values are counted, or `null` if the aggregation is another. */
  readonly of: string | null
  readonly unit: string | null
  readonly limits: readonly Limit[]
}

/** The most that a user's events of a metric may add in a window of consecutive local dates. */
export interface Limit {
  readonly value: number
  readonly days: number
  /** True if an event that would exceed it is held back; otherwise it is refused. */
  readonly holds: boolean
}

interface AchievementBase extends Badged {
  readonly status: AchievementStatus
  readonly userAttributes: Filters
  /** How often a user can complete it: more than once if it repeats. */
  readonly most: number
  /** Shares of the way to it, above 0 and below 1 and ascending, that are announced when a user reaches them. */
  readonly announce: readonly number[]
  /** The last local date on which it can be completed, or `null` if there is none. */
  readonly until: Day | null
  /** A completion expires after this many times 24 hours, or never if `null`. */
  readonly validDays: number | null
  /** Its name for clients while the user does not have it, or `null` if the achievement is no secret. */
  readonly secret: string | null
  /** Marks a placeholder in answers for an achievement that the caller may not know yet. */
  readonly isHidden?: true
}

export function repeats({ most }: AchievementRule): boolean {
  return most > 1
}

interface Counting {
  readonly metric: string
  /** When there are any, only matching events count. */
  readonly eventAttributes: Filters
  /** The key of the rule's own tally, or `null` if it uses the total of its metric. */
  readonly tally: string | null
}

interface Goal extends Counting {
  /** True if a total at or below the value reaches it: its metric keeps the lowest value. */
  readonly isLowest: boolean
  /** The window in consecutive local dates, or `null` for all of time. */
  readonly within: number | null
}

export interface MetricAchievement extends AchievementBase, Goal {
  readonly trigger: 'metric'
  readonly value: number
}

export interface ApiAchievement extends AchievementBase {
  readonly trigger: 'api'
}

export interface StreakAchievement extends AchievementBase {
  readonly trigger: 'streak'
  readonly length: number
  readonly streak: string | null
}

export interface CompositeAchievement extends AchievementBase {
  readonly trigger: 'achievement'
  readonly achievements: readonly string[]
}

/** One of several things that an achievement asks for. Once it is met, it stays met. */
interface CriterionBase {
  readonly id: string
  readonly target: number
}

/** `metric` adds up the values of events, and `events` the events. */
export interface MetricCriterion extends CriterionBase, Goal {
  readonly type: 'metric' | 'events'
}

export type Criterion =
  | MetricCriterion
  | (CriterionBase & { readonly type: 'streak'; readonly streak: string | null })
  /** `level` is the key of the level that starts at these points, or `null` if the criterion names no level. */
  | (CriterionBase & { readonly type: 'points'; readonly system: string; readonly level: string | null })
  | (CriterionBase & { readonly type: 'achievement'; readonly achievement: string })
  | MembershipCriterion

/** Full days, months or years since the user was created, or signed up. */
export interface MembershipCriterion extends CriterionBase {
  readonly type: 'membership'
  readonly unit: 'day' | 'month' | 'year'
  /** `signUp`: without a sign-up date, since the creation. `signUpOnly`: without one it is never met. */
  readonly since: 'creation' | 'signUp' | 'signUpOnly'
}

export interface CriteriaAchievement extends AchievementBase {
  /** `anniversary`: its only criterion is a membership in years since the user signed up. */
  readonly trigger: 'criteria' | 'anniversary'
  readonly atLeast: number
  readonly criteria: readonly Criterion[]
}

export function hasCriteria(achievement: AchievementRule): achievement is CriteriaAchievement {
  return 'criteria' in achievement
}

export type AchievementRule =
  | MetricAchievement
  | ApiAchievement
  | StreakAchievement
  | CompositeAchievement
  | CriteriaAchievement

/** How much may be paid in one local period of the user; `ever`: in all. */
export interface Cap {
  readonly points: number
  readonly per: 'day' | 'week' | 'month' | 'ever'
}

interface TriggerBase {
  readonly id: string
  readonly points: number
  readonly status: TriggerStatus
  readonly userAttributes: Filters
  readonly blockIfOutOfPoints: boolean
  readonly cap: Cap | null
  /** Minutes after a payment in which it pays nothing, or `null` if it always pays. */
  readonly cooldown: number | null
  /** True if the cap of its points system leaves it out. */
  readonly exempt: boolean
  readonly created: string
  readonly updated: string
}

export interface MetricTrigger extends TriggerBase, Counting {
  readonly type: 'metric'
  readonly threshold: number
}

export interface AchievementTrigger extends TriggerBase {
  readonly type: 'achievement'
  readonly achievement: string
}

export interface StreakTrigger extends TriggerBase {
  readonly type: 'streak'
  readonly length: number
  readonly streak: string | null
}

export interface UserCreationTrigger extends TriggerBase {
  readonly type: 'user_creation'
}

/** Pays as time passes; no cap, cooldown or boost applies to it. */
export interface TimeTrigger extends TriggerBase {
  readonly type: 'time'
  readonly every: Every
}

export interface Every {
  readonly unit: 'hour' | 'day'
  readonly count: number
}

export type Trigger = MetricTrigger | AchievementTrigger | StreakTrigger | UserCreationTrigger | TimeTrigger

export interface Level extends Badged {
  readonly points: number
}

export type Rounding = 'down' | 'up' | 'nearest'

export interface Boost {
  readonly id: string
  readonly name: string
  /** Local dates of the user, both included, or `null` if it never ends. */
  readonly start: Day
  readonly end: Day | null
  readonly multiplier: number
  readonly rounding: Rounding
  /** Empty of one that was given to a user alone. */
  readonly userAttributes: Filters
  /** The instant of its creation. It is 0 for boosts in the game's definition, which are older than all given ones. */
  readonly created: Instant
}

/** The most boosts that a user can have alone, that a points system can plan, and that all users can be given in it. */
export const MOST_BOOSTS = 100

/** Planned boosts first, by their first date; then in the order in which they were given, and by id. */
export function compareBoosts(left: Boost, right: Boost): number {
  const byStart = left.created === 0 ? left.start - right.start : 0
  return left.created - right.created || byStart || (left.id < right.id ? -1 : 1)
}

/** How the points of a spendable system are earned and expire. */
export interface WalletRule {
  /** `null` if points never expire. */
  readonly expires: {
    readonly unit: 'day' | 'month' | 'year'
    readonly count: number
    readonly roundTo: 'day' | 'month' | 'year'
    /** How many days before a date of expiry a message is published, or `null`. */
    readonly warnDays: number | null
  } | null
  /** After how many local midnights earned points become available; 0 for at once. */
  readonly pendingDays: number
  /** In how many days refunded points expire that have expired meanwhile. */
  readonly graceDays: number
}

export interface PointsSystem extends Badged {
  readonly maxPoints: number | null
  /** `null` if its points cannot be spent. */
  readonly wallet: WalletRule | null
  /** The cap over all its triggers, except exempt ones. */
  readonly cap: Cap | null
  /** In the game's order, which is the order in which they apply. */
  readonly triggers: readonly Trigger[]
  readonly levels: readonly Level[]
  /** The boosts of all users, planned and given, the oldest first (`compareBoosts`). */
  readonly boosts: readonly Boost[]
}

export interface SpendableSystem extends PointsSystem {
  readonly wallet: WalletRule
}

export function isSpendable(system: PointsSystem): system is SpendableSystem {
  return system.wallet !== null
}

export interface StreakRule {
  /** Key in the game's `streaks`, or `null` if it is the game's `streak`. */
  readonly key: string | null
  readonly frequency: Frequency
  /**
   * The days of a daily streak that can be missed, or `null` for all. The others are days off: they can only extend it.
   */
  readonly on: readonly Weekday[] | null
  /** On how many dates of a week the condition must hold, or `null` if the week as a whole is judged. */
  readonly days: number | null
  readonly evaluationMode: EvaluationMode
  readonly metrics: ReadonlyMap<string, number | null>
  /** True if users may have a personal evaluation mode and metrics. */
  readonly customization: boolean
  /** `null` if a missed period always loses the streak. */
  readonly freezes: FreezeRule | null
  /** True if a named streak uses the freezes of the game's `streak`. */
  readonly sharesFreezes: boolean
  readonly reminders: readonly Reminder[]
}

export interface Reminder {
  readonly key: string
  /** Hours before the period ends, or `null` for the usual time of such a period. */
  readonly hoursBefore: number | null
  /** Milliseconds after which it is too late to publish the notice. */
  readonly staleAfter: number
}

export type RecapFrequency = Frequency | 'yearly'

export interface EmailRules {
  readonly recap: RecapFrequency | null
  /** After how many days without activity, in ascending order. */
  readonly reactivation: readonly number[]
  readonly achievements: boolean
  /** Milliseconds after which it is too late to publish the notice. */
  readonly staleAfter: number
}

/** Streaks that use the same freezes, which belong to the first of them. */
export type FreezePool = readonly [StreakRule, ...StreakRule[]]

export interface FreezeRule {
  readonly initial: number
  readonly max: number
  /** Adds `amount` freezes every `interval` local days, counted from the user's first, or `null` if none are earned. */
  readonly autoEarn: { readonly interval: number; readonly amount: number } | null
}

export const LEADERBOARD_CHOICES = ['shown', 'anonymous', 'hidden'] as const
/** `anonymous`: others see the place without its user. */
export type LeaderboardChoice = (typeof LEADERBOARD_CHOICES)[number]

export type RankBy = 'metric' | 'points' | 'streak'

export interface Leaderboard extends Named {
  readonly description: string | null
  readonly rankBy: RankBy
  readonly metric: string | null
  /** The aggregation of a run's entries to its score: the metric's, or `sum` without a metric. */
  readonly aggregation: Aggregation
  readonly isLowest: boolean
  /** True if equal scores share a rank, and the next score has the rank of its position: 1, 2, 2, 4. */
  readonly isShared: boolean
  readonly system: string | null
  readonly streak: string | null
  /** Local dates of the participant, both included. */
  readonly start: Day
  readonly end: Day | null
  /** The window of each day that counts, in milliseconds since local midnight. A start of `null` is midnight. */
  readonly startTime: number | null
  /**
   * Excluded, or `null` for midnight. If it is before `startTime`, the window is a night, whose parts count on their
   * own dates.
   */
  readonly endTime: number | null
  readonly run: { readonly unit: 'day' | 'month' | 'year'; readonly interval: number } | null
  readonly breakdown: readonly string[]
  readonly maxParticipants: number | null
  readonly private: boolean
  /** True if only users are on it who chose that themselves. */
  readonly consent: boolean
  /** Groups with fewer participants answer no rows to application keys and sessions. */
  readonly smallestGroup: number
  /** Two definitions of one key have different versions if their scores cannot be compared. */
  readonly version: string
}

export type Tallied = MetricAchievement | MetricTrigger | MetricCriterion

/** The rules that one event of a metric can affect, indexed so that the rules do not search. */
export interface MetricIndex {
  readonly achievements: readonly MetricAchievement[]
  /** The rules that count in a tally of their own. */
  readonly tallied: readonly Tallied[]
  readonly leaderboards: readonly Leaderboard[]
}

/** A field of the profile, or of the preferences, that a client may be let set. */
export type ClientField =
  | 'name'
  | 'email'
  | 'tz'
  | 'subscribedToEmails'
  | 'deviceTokens'
  | 'signUpDate'
  | 'notifications'
  | 'streak'

export interface ClientEventRule {
  readonly min: number
  readonly max: number | null
  readonly attributes: ReadonlySet<string>
}

/** The writes that clients may make: holders of application keys, and users with a session of the app. */
export interface ClientRules {
  readonly events: ReadonlyMap<string, ClientEventRule>
  readonly achievements: ReadonlySet<string>
  readonly challenges: ReadonlySet<string>
  /** The rewards of the catalogue. */
  readonly redeem: ReadonlySet<string>
  readonly attributes: ReadonlySet<string>
  readonly profile: ReadonlySet<ClientField>
}

/** The reward of a completed quest. Boosts, caps and cooldowns do not apply to its points. */
export interface Reward {
  readonly points: readonly { readonly system: string; readonly points: number }[]
  readonly achievement: string | null
  /** How many freezes of the game's `streak`. */
  readonly freezes: number
  /** A boost of the user alone, from the date of the completion on. */
  readonly boost: RewardedBoost | null
}

export interface RewardedBoost {
  readonly system: string
  readonly name: string
  readonly multiplier: number
  readonly rounding: Rounding
  readonly days: number
}

/** A reward of the catalogue, which users buy with points. */
export interface RewardRule {
  readonly key: string
  readonly id: string
  readonly name: string
  readonly description: string | null
  /** The spendable points system of the price. */
  readonly system: string
  readonly amount: number
  /** How many all users together can have, or `null` for any number. */
  readonly stock: number | null
  /** How many each user can have, or `null` for any number. */
  readonly perUser: number | null
  readonly isActive: boolean
  /** Gifts that the user gets with it; no points. */
  readonly gives: Reward
}

/** One task of a challenge. Its criteria are counted within the window. */
export interface Quest {
  /** Its key in the pool, or the empty text if the challenge has no pool. */
  readonly key: string
  /** The id of the trigger of its points. */
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly badgeUrl: string | null
  readonly atLeast: number
  /** True if a criterion counts only after the one before it is met. */
  readonly inOrder: boolean
  readonly criteria: readonly Criterion[]
  readonly reward: Reward
}

export type ChallengeEvery = 'day' | 'week' | 'month'

export interface ChallengeRule {
  readonly key: string
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly badgeUrl: string | null
  /** How often a window begins, or `null` if there is one window. */
  readonly every: ChallengeEvery | null
  /** Local dates of each user, both included. */
  readonly start: Day | null
  readonly end: Day | null
  /** True if only users who enrolled take part. */
  readonly enrols: boolean
  /** How many dates a window has from the enrolment on, or `null` if it ends with the challenge. */
  readonly within: number | null
  /** For how many dates after the completion a reward waits to be claimed, or `null` if it is given at once. */
  readonly claimDays: number | null
  /** In the game's order. Without a pool there is one. */
  readonly quests: readonly Quest[]
  /** How many quests of the pool each window has, or `null` if there is no pool. */
  readonly pick: number | null
  /** True if all users have the same quests. */
  readonly isSame: boolean
  /** How many quests a user may replace in each window. */
  readonly rerolls: number
  readonly announce: readonly number[]
  /** How many hours before its end a window that is begun and not completed causes a message, or `null`. */
  readonly endingHours: number | null
}

export type Challenges = ReadonlyMap<string, ChallengeRule>

/** The challenges of a game, and the instant after which it is in force. */
export interface ChallengesFrom {
  readonly epoch: number
  readonly from: Instant
  readonly challenges: Challenges
}

export interface Game {
  readonly metrics: ReadonlyMap<string, Metric>
  /** Metrics whose total is no sum. In `Games`, metrics that the game lacks are included. */
  readonly aggregations: ReadonlyMap<string, Pick<Metric, 'aggregation' | 'of'>>
  readonly achievements: ReadonlyMap<string, AchievementRule>
  readonly points: ReadonlyMap<string, PointsSystem>
  readonly streak: StreakRule | null
  /** The named streaks by key, in the game's order. */
  readonly streaks: ReadonlyMap<string, StreakRule>
  /** All streaks: the game's `streak` first, then the named ones in order of key. */
  readonly streakRules: readonly StreakRule[]
  /** The same streaks, grouped by the freezes that they use. */
  readonly freezePools: readonly FreezePool[]
  readonly leaderboards: ReadonlyMap<string, Leaderboard>
  readonly eventAttributes: ReadonlySet<string>
  readonly userAttributes: ReadonlySet<string>
  readonly weekStartsOn: WeekStart
  readonly multiTenant: boolean
  /** `null` if clients may write everything for their own user. */
  readonly clients: ClientRules | null
  /** The choices of users who have made none. */
  readonly preferences: { readonly leaderboards: LeaderboardChoice }
  readonly emails: EmailRules | null
  readonly controlRatio: number
  readonly byMetric: ReadonlyMap<string, MetricIndex>
  readonly streakAchievements: readonly StreakAchievement[]
  readonly expiringAchievements: readonly AchievementRule[]
  readonly compositeAchievements: readonly (CompositeAchievement | CriteriaAchievement)[]
  /** Composites and achievements with criteria, each after its parts. Criteria of inactive ones are met too. */
  readonly partsFirst: readonly (CompositeAchievement | CriteriaAchievement)[]
  readonly criteriaAchievements: readonly CriteriaAchievement[]
  /** Keys of the tallies that add up the events of some consecutive dates. */
  readonly windows: ReadonlySet<string>
  readonly announcing: readonly AchievementRule[]
  /** Leaderboards ranked by points, by the key of the system. */
  readonly pointsLeaderboards: ReadonlyMap<string, readonly Leaderboard[]>
  readonly streakLeaderboards: readonly Leaderboard[]
  /** Leaderboards with groups, ranked by metric or points. */
  readonly groupedLeaderboards: readonly Leaderboard[]
  readonly timedSystems: readonly PointsSystem[]
  readonly spendableSystems: readonly SpendableSystem[]
  readonly challenges: Challenges
  /**
   * The challenges of the games whose windows may still run, the game's own last. Empty in a game that no database has,
   * or that is the first with challenges that repeat.
   */
  readonly challengeGames: readonly ChallengesFrom[]
  /** The catalogue by key, in the game's order. */
  readonly rewards: ReadonlyMap<string, RewardRule>
  readonly blocksWhenOutOfPoints: boolean
}

/** A game, and the instant after which it is in force. */
export interface GameFrom {
  readonly epoch: number
  readonly from: Instant
  readonly game: Game
}

/** Games by epoch: which definition was in force when an entry was decided. */
export type Games = ReadonlyMap<number, Game>

export function aggregationOf({ aggregations }: Game, metric: string): Aggregation {
  return aggregations.get(metric)?.aggregation ?? 'sum'
}

/** The event attribute whose different values a metric counts, or `null` if it has another aggregation. */
export function countedAttribute({ aggregations }: Game, metric: string): string | null {
  return aggregations.get(metric)?.of ?? null
}

/** True if each event adds to the total, so that the total rises in steps. */
export function addsUp(aggregation: Aggregation): boolean {
  return aggregation === 'sum' || aggregation === 'distinct'
}

/**
 * The games in order of their epochs. Each also has the aggregations of metrics that it lacks, from the nearest earlier
 * game that has the metric, or else from the nearest later one. A history can be imported that is older than its
 * metric.
 */
export function withAggregations(games: Games): Games {
  const all = [...games]
  if (all.every(([, { aggregations }]) => aggregations.size === 0)) return games
  const homes = new Map<string, readonly (readonly [number, Metric])[]>()
  for (const [epoch, game] of all) {
    for (const metric of game.metrics.values()) {
      homes.set(metric.key, [...(homes.get(metric.key) ?? []), [epoch, metric]])
    }
  }
  return new Map(
    all.map(([epoch, game]) => {
      const nearest = [...homes].flatMap(([key, known]) => {
        const [, metric] = known.findLast(([at]) => at <= epoch) ?? known[0] ?? []
        return metric === undefined || metric.aggregation === 'sum' ? [] : [[key, metric] as const]
      })
      return [epoch, { ...game, aggregations: new Map(nearest) }]
    }),
  )
}

/**
 * The epoch of the game in force at an instant; before the first game, the first epoch. Epochs only increase along a
 * log, so the result is between the epochs of the entry before (`least`) and the entry after (`most`).
 */
export function epochAt(games: readonly GameFrom[], at: Instant, least: number, most: number): number {
  const inForce = games.findLast(({ epoch, from }) => epoch <= most && from <= at) ?? games[0]
  return Math.max(least, inForce?.epoch ?? most)
}

/** The game in force then, with the names added since, so that the history of a new metric can be imported. */
export function withNamesOf(newest: Game, game: Game): Game {
  if (newest === game) return game
  return {
    ...game,
    metrics: new Map([...newest.metrics, ...game.metrics]),
    eventAttributes: new Set([...game.eventAttributes, ...newest.eventAttributes]),
    userAttributes: new Set([...game.userAttributes, ...newest.userAttributes]),
  }
}

export function countsEvents(rule: Tallied): boolean {
  return 'type' in rule && rule.type === 'events'
}

export function matches(filters: Filters, attributes: ReadonlyMap<string, string>): boolean {
  for (const [attribute, value] of filters) {
    if (attributes.get(attribute) !== value) return false
  }
  return true
}
