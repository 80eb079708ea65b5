import type * as Rules from '../rules/game.ts'

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
