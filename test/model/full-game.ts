// A game with all that the model knows, as a host writes it.
import type { Filters, LimitDefinition } from './types.ts'

export type FullAchievement = {
  name: string
  description?: string
  badgeUrl?: string
  status?: 'active' | 'inactive' | 'locked'
  userAttributes?: Filters
  secret?: true | { name: string } // hides from clients alone, so the model does nothing about it
} & (
  | { trigger: 'metric'; metric: string; value: number; eventAttributes?: Filters; repeat?: Repeat }
  | { trigger: 'metric'; metric: string; tiers: Tiers<{ value: number }>; eventAttributes?: Filters }
  | { trigger: 'api'; repeat?: Repeat }
  | { trigger: 'streak'; length: number; streak?: string; repeat?: Repeat }
  | { trigger: 'streak'; tiers: Tiers<{ length: number }>; streak?: string }
  | { trigger: 'achievement'; achievements: string[] } // composite: completed when all of these are
)

export type Repeat = true | { max: number }

/** In place of the value or length, in rising order: `writer` with `bronze` is the achievement `writer.bronze`. */
type Tiers<Goal> = { [tier: string]: Goal & { name?: string; description?: string; badgeUrl?: string } }

export type FullTrigger = {
  key?: string
  points: number
  status?: 'active' | 'inactive'
  userAttributes?: Filters
  blockIfOutOfPoints?: boolean
  created?: string
  updated?: string
  cap?: CapDefinition
  cooldown?: { minutes: number }
  exempt?: true // from the cap of the system
} & (
  | { type: 'metric'; metric: string; threshold: number; eventAttributes?: Filters }
  | { type: 'achievement'; achievement: string }
  | { type: 'streak'; length: number; streak?: string }
  | { type: 'user_creation' }
  | { type: 'time'; every: { hours: number } | { days: number } }
)

export interface CapDefinition {
  points: number
  per: 'day' | 'week' | 'month' | 'ever'
}

/** Dates are inclusive, and local to each user. */
export interface BoostDefinition {
  name: string
  start: string
  end?: string
  multiplier: number
  rounding?: 'down' | 'up' | 'nearest'
  userAttributes?: Filters
}

export interface FullStreak {
  frequency: 'daily' | 'weekly' | 'monthly'
  evaluationMode?: 'OR' | 'AND' | 'ALL'
  metrics: { [metric: string]: { threshold?: number } }
  freezes?: FreezesDefinition
  reminders?: { key: string; before: { hours: number }; staleAfter?: { hours: number } }[]
}

export interface FreezesDefinition {
  initial?: number
  max: number
  autoEarn?: { interval: number; amount?: number }
}

export interface EmailsDefinition {
  recap?: 'daily' | 'weekly' | 'monthly' | 'yearly'
  reactivation?: number[]
  achievements?: boolean
  staleAfter?: { hours: number }
}

export interface FullSystem {
  name: string
  description?: string
  badgeUrl?: string
  maxPoints?: number
  cap?: CapDefinition
  boosts?: { [key: string]: BoostDefinition }
  triggers?: FullTrigger[]
  levels?: { [key: string]: { name: string; description?: string; badgeUrl?: string; points: number } }
}

export interface FullGame {
  metrics: { [key: string]: { name: string; status?: 'active' | 'archived'; limits?: LimitDefinition[] } }
  eventAttributes?: string[]
  userAttributes?: string[]
  achievements?: { [key: string]: FullAchievement }
  points?: { [key: string]: FullSystem }
  streak?: FullStreak & { customization?: boolean }
  /** Beside `streak`. `shared`: they use the freezes of `streak`. */
  streaks?: { [key: string]: Omit<FullStreak, 'freezes'> & { freezes?: FreezesDefinition | 'shared' } }
  emails?: EmailsDefinition
  weekStartsOn?: 'monday' | 'sunday'
  multiTenant?: boolean
}
