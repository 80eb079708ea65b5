/** A user, as every answer about one has it. */
export interface User {
  readonly id: string
  readonly email: string | null
  readonly name: string | null
  readonly tz: string | null
  readonly deviceTokens: readonly string[] | null
  readonly subscribedToEmails: boolean
  /** The same as `subscribedToEmails`, in the spelling of the official client. */
  readonly subscribeToEmails: boolean
  readonly attributes: { readonly [name: string]: string }
  /** Whether the user is in the control group of the game's experiment. */
  readonly control: boolean
  readonly created: string
  readonly updated: string
}

/** What a user wants to be told of, and how; a type that was never set is absent. */
export interface UserPreferences {
  readonly notifications: {
    readonly achievement_completed?: readonly NotificationChannel[]
    readonly recap?: readonly NotificationChannel[]
    readonly reactivation?: readonly NotificationChannel[]
    readonly streak_reminder?: readonly NotificationChannel[]
  }
  /** There when set. */
  readonly streak?: StreakPreferences
}

export type NotificationChannel = 'email' | 'push'

export interface StreakPreferences {
  /** false: the user has no streak. Absent: never set. */
  readonly enabled?: boolean
  readonly evaluationMode?: 'OR' | 'AND'
  /** Threshold 0: any change above 0 counts. */
  readonly metrics?: readonly { readonly key: string; readonly threshold: number }[]
}

export interface AttributeFilter {
  readonly key: string
  readonly value: string
}
