import type { Frequency, WeekStart } from '../rules/calendar.ts'
import type { AchievementStatus, ClientField, EvaluationMode, MetricStatus, TriggerStatus } from '../rules/game.ts'

/*
 * A definition after it was read: JSON data with every default filled in, as it is stored. It is itself a definition that
 * can be read again, with the same result. The order of keys counts where answers list things; keep it (no `jsonb`).
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
  readonly limits?: readonly StoredLimit[]
}

interface StoredAchievementBase extends Badged {
  readonly status: AchievementStatus
  readonly userAttributes: StoredFilters
}

export type StoredAchievement = StoredAchievementBase &
  (
    | {
        readonly trigger: 'metric'
        readonly metric: string
        readonly value: number
        readonly eventAttributes: StoredFilters
      }
    | { readonly trigger: 'api' }
    | { readonly trigger: 'streak'; readonly length: number }
    | { readonly trigger: 'achievement'; readonly achievements: readonly string[] }
  )

interface StoredTriggerBase {
  readonly key?: string
  readonly points: number
  readonly status: TriggerStatus
  readonly userAttributes: StoredFilters
  readonly blockIfOutOfPoints: boolean
  readonly created: string
  readonly updated: string
}

export type StoredTrigger = StoredTriggerBase &
  (
    | {
        readonly type: 'metric'
        readonly metric: string
        readonly threshold: number
        readonly eventAttributes: StoredFilters
      }
    | { readonly type: 'achievement'; readonly achievement: string }
    | { readonly type: 'streak'; readonly length: number }
    | { readonly type: 'user_creation' }
  )

export interface StoredLevel extends Badged {
  readonly points: number
}

export interface StoredPoints extends Badged {
  readonly maxPoints?: number
  readonly triggers: readonly StoredTrigger[]
  readonly levels: { readonly [key: string]: StoredLevel }
}

export interface StoredStreak {
  readonly frequency: Frequency
  readonly evaluationMode: EvaluationMode
  readonly metrics: { readonly [metric: string]: { readonly threshold?: number } }
  readonly customization: boolean
  readonly freezes?: {
    readonly initial: number
    readonly max: number
    readonly autoEarn?: { readonly interval: number; readonly amount: number }
  }
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
}

interface StoredCounted {
  readonly run?: StoredRun
  readonly startTime?: string
  readonly endTime?: string
  readonly maxParticipants: number | null
}

export type StoredLeaderboard = StoredLeaderboardBase &
  (
    | (StoredCounted & {
        readonly rankBy: 'metric'
        readonly metric: string
      })
    | (StoredCounted & {
        readonly rankBy: 'points'
        readonly system: string
      })
    | { readonly rankBy: 'streak'; readonly maxParticipants: number }
  )

export interface StoredClients {
  readonly events: { readonly [metric: string]: { readonly max?: number; readonly min: number } }
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
  readonly leaderboards: { readonly [key: string]: StoredLeaderboard }
  readonly weekStartsOn: WeekStart
  readonly experiment?: { readonly controlRatio: number }
  readonly clients?: StoredClients
  readonly multiTenant: boolean
}
