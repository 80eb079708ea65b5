import type { NotificationChannel } from '../../rules/entry.ts'

/** What to change; each notification type that is named is replaced. */
export interface PreferencesUpdate<Metric extends string = string> {
  readonly notifications?: {
    readonly achievement_completed?: readonly NotificationChannel[]
    readonly recap?: readonly NotificationChannel[]
    readonly reactivation?: readonly NotificationChannel[]
    readonly streak_reminder?: readonly NotificationChannel[]
  }
  /** What is named is changed. All but `enabled` needs a game with `streak.customization`. */
  readonly streak?: {
    /** false: the user has no streak; true again: it begins at 0. */
    readonly enabled?: boolean
    /** Default: with metrics of the user's own `OR`, else that of the game. */
    readonly evaluationMode?: 'OR' | 'AND' | 'ALL'
    /** Without a threshold, or with 0, any change above 0 counts. */
    readonly metrics?: readonly { readonly key: Metric; readonly threshold?: number }[]
  }
}
