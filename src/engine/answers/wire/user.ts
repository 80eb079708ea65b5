import type { InstantText } from './formats.ts'
/** A user. Every field is there, null where it is unset. */
export interface User {
  /** The user's id in the client's own database, chosen by the client. */
  readonly id: string
  readonly email: string | null
  readonly name: string | null
  /** IANA time zone name, as it was sent. */
  readonly tz: string | null
  /** Tokens of the devices that take push notifications. */
  readonly deviceTokens: readonly string[] | null
  /** Whether the user receives emails. */
  readonly subscribedToEmails: boolean
  /** The same as `subscribedToEmails`, in the spelling of the official client. */
  readonly subscribeToEmails: boolean
  /** User attributes as key-value pairs. */
  readonly attributes: { readonly [name: string]: string }
  /** Whether the user is in the control group of the game's experiment. */
  readonly control: boolean
  readonly created: InstantText
  readonly updated: InstantText
}

/** What a user wants to be told of, and how; a type that was never set is absent. */
export interface UserPreferences {
  /** A type that was never set is absent. */
  readonly notifications: {
    /** Channels for this type of notification; empty: disabled. */
    readonly achievement_completed?: readonly NotificationChannel[]
    /** Channels for this type of notification; empty: disabled. */
    readonly recap?: readonly NotificationChannel[]
    /** Channels for this type of notification; empty: disabled. */
    readonly reactivation?: readonly NotificationChannel[]
    /** Channels for this type of notification; empty: disabled. */
    readonly streak_reminder?: readonly NotificationChannel[]
  }
  /** There when set. */
  readonly streak?: StreakPreferences
}

export type NotificationChannel = 'email' | 'push'

/** What the user wishes of the streak; each field is there when set. */
export interface StreakPreferences {
  /** false: the user has no streak. Absent: never set. */
  readonly enabled?: boolean
  /** `OR`: any of the metrics counts a period; `AND`: all of them must. */
  readonly evaluationMode?: 'OR' | 'AND'
  /** Threshold 0: any change above 0 counts. */
  readonly metrics?: readonly { readonly key: string; readonly threshold: number }[]
}

/** An attribute, and the value that it must have. */
export interface AttributeFilter {
  readonly key: string
  readonly value: string
}
