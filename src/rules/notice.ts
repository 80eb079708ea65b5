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
      /** What is missed unless somebody acts, its first date, and the instant at which it ends. */
      readonly period: Period
      readonly date: Day
      readonly ends: Instant
      readonly staleAfter: number
    })
  | {
      readonly type: 'recapDue'
      /** First and last date of what it is about. */
      readonly start: Day
      readonly end: Day
      readonly staleAfter: number
    }
  | {
      readonly type: 'reactivationDue'
      /** From 1. */
      readonly messageNumber: number
      readonly daysSinceLastActive: number
      readonly staleAfter: number
    }
  | {
      readonly type: 'achievementEmailDue'
      readonly achievement: string
      /** How often it had been completed. */
      readonly count: number
      /** What completed it: an achievement may have been granted, or kept. */
      readonly entryId: string
      readonly staleAfter: number
    }
  /** A boost that the user alone was given holds from now on, or does not any more. */
  | { readonly type: 'boostStarted'; readonly boost: GivenBoost }
  | { readonly type: 'boostFinished'; readonly boost: GivenBoost }

/** A notice, and when it is due. */
export interface DueNotice {
  readonly at: Instant
  readonly notice: Notice
}

/** Whether a user gets emails of a kind: who has said nothing does, and who has named channels without email does not. */
export function wantsEmails({ preferences }: UserState, kind: NotificationType): boolean {
  return preferences.notifications.get(kind)?.includes('email') !== false
}
