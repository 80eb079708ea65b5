import type { Frequency, Weekday, WeekStart } from '../rules/calendar.ts'
import type {
  AchievementStatus,
  Aggregation,
  ClientField,
  EvaluationMode,
  MetricStatus,
  RecapFrequency,
  Rounding,
  TriggerStatus,
} from '../rules/game.ts'

/*
 * A definition after it was read: JSON data with every default filled in, as it is stored. It is itself a definition
 * that can be read again, with the same result. The order of keys counts where answers list things; keep it (no
 * `jsonb`).
 */

export interface StoredFilters {
  readonly [attribute: string]: string
}

interface Named {
  readonly name: string
  readonly description?: string
}

interface Badged extends Named {
  readonly badgeUrl?: string
}

export interface StoredLimit {
  readonly value: number
  readonly per: { readonly days: number }
  readonly then: 'refuse' | 'hold'
}

export interface StoredMetric {
  readonly name: string
  readonly status: MetricStatus
  /** Absent: `sum`. */
  readonly aggregation?: Exclude<Aggregation, 'sum'>
  /** With `distinct` only. */
  readonly of?: string
  readonly unit?: string
  readonly limits?: readonly StoredLimit[]
}

interface StoredAchievementBase extends Badged {
  readonly status: AchievementStatus
  readonly userAttributes: StoredFilters
  /** Absent: it is no secret. */
  readonly secret?: true | { readonly name: string }
  readonly announce?: readonly number[]
  readonly until?: string
  readonly validFor?: { readonly days: number }
}

/** Absent: it can be completed once. */
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
        readonly within?: StoredWithin
      })
    | (StoredRepeat & { readonly trigger: 'api' })
    | (StoredRepeat & { readonly trigger: 'streak'; readonly length: number; readonly streak?: string })
    | { readonly trigger: 'achievement'; readonly achievements: readonly string[] }
    /** `atLeast` absent: all of them. */
    | { readonly trigger: 'criteria'; readonly atLeast?: number; readonly of: readonly StoredCriterion[] }
  )

export interface StoredWithin {
  readonly days: number
}

interface StoredCounted {
  readonly eventAttributes: StoredFilters
  readonly within?: StoredWithin
}

export type StoredCriterion =
  | (StoredCounted & { readonly metric: string; readonly value: number })
  | (StoredCounted & { readonly events: string; readonly count: number })
  | { readonly streak: string; readonly length: number }
  | { readonly level: string }
  | { readonly points: string; readonly total: number }
  | { readonly achievement: string }
  | { readonly membership: StoredWithin }

export interface StoredCap {
  readonly points: number
  readonly per: 'day' | 'week' | 'month' | 'ever'
}

interface StoredTriggerBase {
  readonly key?: string
  readonly points: number
  readonly status: TriggerStatus
  readonly userAttributes: StoredFilters
  readonly created: string
  readonly updated: string
}

export type StoredEvery = { readonly hours: number } | { readonly days: number }

interface StoredRestraints {
  readonly blockIfOutOfPoints: boolean
  readonly cap?: StoredCap
  readonly cooldown?: { readonly minutes: number }
  readonly exempt?: boolean
}

export type StoredTrigger = StoredTriggerBase &
  ((StoredRestraints & StoredHappeningTrigger) | { readonly type: 'time'; readonly every: StoredEvery })

type StoredHappeningTrigger =
  | {
      readonly type: 'metric'
      readonly metric: string
      readonly threshold: number
      readonly eventAttributes: StoredFilters
    }
  | { readonly type: 'achievement'; readonly achievement: string }
  | { readonly type: 'streak'; readonly length: number; readonly streak?: string }
  | { readonly type: 'user_creation' }

export interface StoredLevel extends Badged {
  readonly points: number
}

export interface StoredBoost {
  readonly name: string
  readonly start: string
  readonly end?: string
  readonly multiplier: number
  readonly rounding: Rounding
  readonly userAttributes: StoredFilters
}

export interface StoredPoints extends Badged {
  readonly maxPoints?: number
  readonly cap?: StoredCap
  readonly triggers: readonly StoredTrigger[]
  readonly levels: { readonly [key: string]: StoredLevel }
  /** Absent where there are none, as in games stored before there could be any. */
  readonly boosts?: { readonly [key: string]: StoredBoost }
}

export interface StoredStreak {
  readonly frequency: Frequency
  readonly on?: readonly Weekday[]
  readonly days?: number
  readonly evaluationMode: EvaluationMode
  readonly metrics: { readonly [metric: string]: { readonly threshold?: number } }
  readonly customization: boolean
  readonly freezes?: StoredFreezes
  /** Absent: the usual ones where the game has emails, and none otherwise. */
  readonly reminders?: readonly StoredReminder[]
}

export interface StoredHours {
  readonly hours: number
}

export interface StoredReminder {
  readonly key: string
  readonly before: StoredHours
  readonly staleAfter: StoredHours
}

export interface StoredEmails {
  readonly recap?: RecapFrequency
  readonly reactivation: readonly number[]
  readonly achievements: boolean
  readonly staleAfter: StoredHours
}

export interface StoredFreezes {
  readonly initial: number
  readonly max: number
  readonly autoEarn?: { readonly interval: number; readonly amount: number }
}

export interface StoredNamedStreak extends Omit<StoredStreak, 'customization' | 'freezes'> {
  readonly freezes?: StoredFreezes | 'shared'
}

export interface StoredRun {
  readonly unit: 'day' | 'month' | 'year'
  readonly interval: number
}

interface StoredLeaderboardBase extends Named {
  readonly start: string
  readonly end?: string
  readonly breakdown: readonly string[]
  readonly private: boolean
  readonly ties?: 'shared'
}

interface StoredRanked {
  readonly order?: 'highest' | 'lowest'
  readonly run?: StoredRun
  readonly startTime?: string
  readonly endTime?: string
  readonly maxParticipants: number | null
}

export type StoredLeaderboard = StoredLeaderboardBase &
  (
    | (StoredRanked & {
        readonly rankBy: 'metric'
        readonly metric: string
      })
    | (StoredRanked & {
        readonly rankBy: 'points'
        readonly system: string
      })
    | { readonly rankBy: 'streak'; readonly maxParticipants: number; readonly streak?: string }
  )

export interface StoredClientEvent {
  readonly max?: number
  readonly min: number
  readonly attributes?: readonly string[]
}

export interface StoredClients {
  readonly events: { readonly [metric: string]: StoredClientEvent }
  readonly achievements: readonly string[]
  readonly attributes: readonly string[]
  readonly profile: readonly ClientField[]
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
  readonly weekStartsOn: WeekStart
  readonly experiment?: { readonly controlRatio: number }
  readonly clients?: StoredClients
  readonly emails?: StoredEmails
  readonly multiTenant: boolean
}
