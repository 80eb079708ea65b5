import type { WeekStart } from '../rules/calendar.ts'
import type { AchievementStatus, Aggregation, ClientField, EvaluationMode } from '../rules/game.ts'
import type { CatalogueRewardDefinition } from './catalogue-definition.ts'
import type { ChallengeOf, QuestDefinition, RewardDefinition } from './challenge-definition.ts'
import type * as Written from './definition.ts'
import type { CriterionDefinition, EmailsDefinition, ReminderDefinition, WithinDefinition } from './definition-parts.ts'

/*
 * A definition after it was read: JSON data with every default filled in, as stored. It is itself a definition that can
 * be read again, with the same result. Answers list parts in the order of keys, so keep that order (no `jsonb`).
 */

export interface StoredFilters {
  readonly [attribute: string]: string
}

type WithFilters<T> = {
  readonly [Key in keyof T]: Key extends 'eventAttributes' | 'userAttributes' ? StoredFilters : T[Key]
}

/** Each kind of a part as an application writes it, with some defaults filled in, and without some properties. */
type Filled<T, Key extends string, Without extends string = never> = T extends unknown
  ? Omit<WithFilters<T>, Key | Without> & Required<Pick<WithFilters<T>, Key & keyof T>>
  : never

export type StoredMetric = Filled<Written.MetricDefinition, 'status', 'aggregation'> & {
  /** `sum` if absent. */
  readonly aggregation?: Exclude<Aggregation, 'sum'>
}

interface StoredAchievementBase {
  readonly name: string
  readonly description?: string
  readonly badgeUrl?: string
  readonly status: AchievementStatus
  readonly userAttributes: StoredFilters
  /** Absent if it is no secret. */
  readonly secret?: true | { readonly name: string }
  readonly announce?: readonly number[]
  readonly until?: string
  readonly validFor?: { readonly days: number }
}

/** Absent if it can be completed once. */
interface StoredRepeat {
  readonly repeat?: true | { readonly max: number }
}

export type StoredAchievement = StoredAchievementBase &
  (
    | (StoredRepeat & {
        readonly trigger: 'metric'
        readonly metric: string
        readonly value: number
        readonly eventAttributes: StoredFilters
        readonly within?: WithinDefinition
      })
    | (StoredRepeat & { readonly trigger: 'api' })
    | (StoredRepeat & { readonly trigger: 'streak'; readonly length: number; readonly streak?: string })
    | { readonly trigger: 'achievement'; readonly achievements: readonly string[] }
    /** `atLeast` absent for all of them. */
    | { readonly trigger: 'criteria'; readonly atLeast?: number; readonly of: readonly StoredCriterion[] }
    | { readonly trigger: 'anniversary'; readonly years: number }
  )

export type StoredCriterion = Filled<CriterionDefinition, 'eventAttributes'>

export type StoredEvery = { readonly hours: number } | { readonly days: number }

type OfTime = { readonly type: 'time' }
type TriggerDefaults = 'status' | 'userAttributes' | 'created' | 'updated'
type Restraints = 'blockIfOutOfPoints' | 'cap' | 'cooldown' | 'exempt'

export type StoredTrigger =
  | Filled<Exclude<Written.TriggerDefinition, OfTime>, TriggerDefaults | 'eventAttributes' | 'blockIfOutOfPoints'>
  | (Filled<Extract<Written.TriggerDefinition, OfTime>, TriggerDefaults, 'every' | Restraints> & {
      readonly every: StoredEvery
    })

export type StoredLevel = Written.LevelDefinition

export type StoredBoost = Filled<Written.BoostDefinition, 'rounding' | 'userAttributes'>

export interface StoredPoints extends Omit<Written.PointsDefinition, 'triggers' | 'levels' | 'boosts'> {
  readonly triggers: readonly StoredTrigger[]
  readonly levels: { readonly [key: string]: StoredLevel }
  /** Absent if there are none, as in games stored before there could be any. */
  readonly boosts?: { readonly [key: string]: StoredBoost }
}

export interface StoredNamedStreak
  extends Omit<Written.NamedStreakDefinition, 'daysOff' | 'evaluationMode' | 'metrics' | 'freezes' | 'reminders'> {
  readonly evaluationMode: EvaluationMode
  readonly metrics: { readonly [metric: string]: { readonly threshold?: number } }
  readonly freezes?: StoredFreezes | 'shared'
  /** Absent for the default reminders: the usual ones if the game has emails, and none otherwise. */
  readonly reminders?: readonly StoredReminder[]
}

export interface StoredStreak extends Omit<StoredNamedStreak, 'freezes'> {
  readonly customization: boolean
  readonly freezes?: StoredFreezes
}

export type StoredReminder = Filled<ReminderDefinition, 'staleAfter'>

export type StoredEmails = Filled<EmailsDefinition, 'reactivation' | 'achievements' | 'staleAfter'>

export interface StoredFreezes {
  readonly initial: number
  readonly max: number
  readonly autoEarn?: { readonly interval: number; readonly amount: number }
}

export type StoredLeaderboard = Filled<
  Written.LeaderboardDefinition,
  'breakdown' | 'private' | 'consent' | 'maxParticipants',
  'run'
> & { readonly run?: { readonly unit: 'day' | 'month' | 'year'; readonly interval: number } }

export interface StoredClients {
  readonly events: { readonly [metric: string]: Filled<Written.ClientEventDefinition, 'min'> }
  readonly achievements: readonly string[]
  readonly challenges: readonly string[]
  /** Absent if there are none. */
  readonly redeem?: readonly string[]
  readonly attributes: readonly string[]
  readonly profile: readonly ClientField[]
}

export interface StoredReward extends Omit<RewardDefinition, 'points' | 'boost'> {
  readonly points?: { readonly [system: string]: number }
  readonly boost?: Required<NonNullable<RewardDefinition['boost']>>
}

export interface StoredQuest extends Omit<QuestDefinition, 'of' | 'reward'> {
  readonly of: readonly StoredCriterion[]
  readonly reward?: StoredReward
}

export type StoredChallenge = ChallengeOf<StoredQuest>

export interface StoredCatalogueReward extends Omit<CatalogueRewardDefinition, 'cost' | 'status' | 'gives'> {
  readonly cost: { readonly [system: string]: number }
  readonly status: 'active' | 'inactive'
  readonly gives?: Omit<StoredReward, 'points'>
}

export interface StoredDefinition {
  readonly metrics: { readonly [key: string]: StoredMetric }
  readonly eventAttributes: readonly string[]
  readonly userAttributes: readonly string[]
  readonly achievements: { readonly [key: string]: StoredAchievement }
  readonly points: { readonly [key: string]: StoredPoints }
  readonly streak?: StoredStreak
  readonly streaks?: { readonly [key: string]: StoredNamedStreak }
  readonly leaderboards: { readonly [key: string]: StoredLeaderboard }
  /** Absent if there are none. */
  readonly challenges?: { readonly [key: string]: StoredChallenge }
  /** Absent if there are none. */
  readonly rewards?: { readonly [key: string]: StoredCatalogueReward }
  readonly weekStartsOn: WeekStart
  readonly experiment?: { readonly controlRatio: number }
  readonly clients?: StoredClients
  readonly preferences?: Required<Written.PreferencesDefinition>
  readonly emails?: StoredEmails
  readonly multiTenant: boolean
}
