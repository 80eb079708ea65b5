import type { RecapFrequency } from '../rules/game.ts'

/** A message `emails.streak_reminder_due`, so long before a period of the streak ends in which nothing counted yet. */
export interface ReminderDefinition {
  /** A name within the streak, which the message has. */
  readonly key: string
  /** At most 23 for a daily streak, 167 for a weekly one, 648 for a monthly one. */
  readonly before: { readonly hours: number }
  /** A reminder that cannot be told for so long is dropped: 1 to 72 hours, default 2. */
  readonly staleAfter?: { readonly hours: number }
}

/**
 * Messages that say when an email to a user would be due; nothing is sent. Times are those of the user's zone, or of
 * New York. Users whose preferences name channels without `email` for a kind get none of that kind.
 */
export interface EmailsDefinition {
  /** `emails.recap_due`, at 08:00 after each period, for who did something since it began. Default: none. */
  readonly recap?: RecapFrequency
  /**
   * `emails.reactivation_due`, at 08:00 so many days after the day on which the user last did anything: at most 10
   * numbers, ascending. Default 3, 5, 7, 14 and 30.
   */
  readonly reactivation?: readonly number[]
  /** `emails.achievement_due`, between 17:00 and 21:00 after each achievement. Default true. */
  readonly achievements?: boolean
  /** A message that cannot be told for so long is dropped: 1 to 72 hours, default 2. */
  readonly staleAfter?: { readonly hours: number }
}
