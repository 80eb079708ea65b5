import type { Day, Instant, Period } from './calendar.ts'
import type { AboutStreak } from './change.ts'
import type { NotificationType } from './entry.ts'
import type { GivenBoost, UserState } from './state.ts'

/** What time brings to a user without changing anything of the user's. */
export type Notice =
  | (AboutStreak & {
      readonly type: 'streakReminderDue'
      /** Key of the reminder. */
      readonly reminder: string
      /** The period that is missed unless the user acts, its first date, and the instant at which it ends. */
      readonly period: Period
      readonly date: Day
      readonly ends: Instant
      readonly staleAfter: number
    })
  | {
      readonly type: 'recapDue'
      /** First and last date of the period of the recap. */
      readonly start: Day
      readonly end: Day
      readonly staleAfter: number
    }
  | {
      readonly type: 'reactivationDue'
      /** From 1. */
      readonly messageNumber: number
      readonly daysSinceLastActive: number
      /** The local date on which it is due. */
      readonly date: Day
      readonly staleAfter: number
    }
  | {
      readonly type: 'achievementEmailDue'
      readonly achievement: string
      /** How often it had been completed. */
      readonly count: number
      /** The entry that completed it, which may have granted or kept it. */
      readonly entryId: string
      readonly staleAfter: number
    }
  /** A boost that was given to this user alone begins or ends. */
  | { readonly type: 'boostStarted'; readonly boost: GivenBoost }
  | { readonly type: 'boostFinished'; readonly boost: GivenBoost }

/** A notice, and when it is due. */
export interface DueNotice {
  readonly at: Instant
  readonly notice: Notice
}

/**
 * Whether a user gets emails of a kind: not if the user is unsubscribed from emails, or named channels for the kind
 * without `email`. A user without an address gets them, because the host may use another channel.
 */
export function wantsEmails({ preferences, profile }: UserState, kind: NotificationType): boolean {
  return profile.subscribedToEmails !== false && preferences.notifications.get(kind)?.includes('email') !== false
}
