import type { Weekday } from '../rules/calendar.ts'
import type { Count, DateText, InstantText, Integer } from './formats.ts'

/** A user who has been deleted. */
export interface DeletedUser {
  readonly id: string
  /** The id under which the log stays, or `null` if nothing stays. */
  readonly anonymousId: string | null
}

/** The features that a suspension excludes a user from, its reason, and its start. */
export interface UserSuspension {
  readonly from: readonly 'leaderboards'[]
  readonly reason: string | null
  /** ISO 8601. */
  readonly since: InstantText
}

/** A user in a list of users, with the suspension if there is one. */
export interface ListedUser extends User {
  /** `null` if the user is not suspended. */
  readonly suspended: UserSuspension | null
  /** The id of the user into whom this one was merged, or `null` if the user was not merged. */
  readonly mergedInto: string | null
}

/** A user with unreadable rows, or with missing entries of the log. */
export interface DamagedUser {
  readonly tenant: string
  readonly user: string
  /** The damaged row, its fault, and the remedy. */
  readonly message: string
}

/** A page of the users, in order of id. */
export interface UsersResponse {
  readonly users: readonly ListedUser[]
  /** Users of the page whose row cannot be read. */
  readonly damaged: readonly DamagedUser[]
  /**
   * Send it as `after` to get the next page. `null` on the last page. A page of a search may be empty before the last.
   */
  readonly after: string | null
}

/** The suspension of a user. */
export interface SuspendedUser {
  readonly id: string
  /** The suspension now, or `null` if the user is not suspended. */
  readonly suspended: UserSuspension | null
}

/** A page of a user's log, the newest entry first. */
export interface UserEventsResponse {
  /** The newest first. */
  readonly entries: readonly LogEntry[]
  /** Send it as `before` to get older entries. `null` on the last page. */
  readonly before: string | null
}

/** A tenant with its counts. */
export interface Tenant {
  readonly id: string
  readonly users: Count
}

/** Tenants that have users, in order of id. */
export interface TenantsResponse {
  readonly tenants: readonly Tenant[]
  /** Send it as `after` to get the next page. `null` on the last page. */
  readonly after: string | null
}

export interface DeletedTenant {
  readonly id: string
  /** The number of users that this call deleted. */
  readonly users: number
}

/** One entry of a user's log: a call that was accepted, whole. Properties of other kinds are absent. */
export interface LogEntry {
  readonly id: string
  /** Order of arrival in the user's log, from 1 on. The log is ordered by (`at`, `seq`). */
  readonly seq: Count
  readonly kind: string
  /** When it happened. */
  readonly at: InstantText
  /** When it was recorded. */
  readonly recordedAt: InstantText
  /** The user's time zone then. */
  readonly zone: string
  /** The date in that zone. */
  readonly localDate: DateText
  /** The time of day in that zone, `HH:MM:SS.mmm`. */
  readonly localTime: string
  /** The epoch of the game that decided it. */
  readonly epoch: Count
  /** The profile fields of the same call, or null. Absent fields kept their values, and null cleared a field. */
  readonly profile: LoggedProfile | null
  /** Id of the key that wrote it. Absent if there is none. */
  readonly by?: string
  /** For `userUpserted` and `preferencesChanged`: true if the user's own key or session made it. */
  readonly own?: true
  /** For `eventRecorded`, as the next three. */
  readonly metric?: string
  readonly value?: number
  readonly attributes?: { readonly [name: string]: string }
  /** For `eventRecorded`, `achievementClaimed` and `pointsAdjusted`; `null` if none was sent. */
  readonly idempotencyKey?: string | null
  /** The id of the entry that voided an event. Absent if it is not void. */
  readonly voidedBy?: string
  /** True for an event that a limit holds back, until it is approved or voided. */
  readonly held?: true
  /** Key: of `achievementClaimed`, `achievementGranted`, `achievementRevoked` and `completionKept`. */
  readonly achievement?: string
  /** Key: of `challengeEnrolled`, `challengeAbandoned`, `challengeClaimed`, `challengeReplaced` and `challengeKept`. */
  readonly challenge?: string
  /** For the last three: the quest. Empty if the challenge has no pool. */
  readonly quest?: string
  /** For `freezesGranted`, and for `completionKept` of an achievement that was completed more than once. */
  readonly count?: Count
  /** For `freezesGranted`, `streakRestored` and `streakReset` of one of the game's `streaks`. */
  readonly streakKey?: string
  /** `YYYY-MM-DD`, of `pauseCreated`, `boostGiven`, `boostChanged` and `challengeKept`. The end is `null` if it never ends. */
  readonly start?: DateText
  readonly end?: DateText | null
  /** Id of the pause, of `pauseDeleted`. */
  readonly pause?: string
  /** Id of the event, of `eventApproved` and of `eventVoided`. */
  readonly event?: string
  /** For `eventVoided`: true if achievements were revoked. */
  readonly revokes?: boolean
  /** For `eventVoided`, `userSuspended` and decisions of support. */
  readonly reason?: string | null
  /** For `userSuspended`. */
  readonly from?: readonly 'leaderboards'[]
  /** Key of the points system: of `boostGiven`, `pointsAdjusted`, `pointsSpent`, `pointsHeld` and `rewardRedeemed`. */
  readonly system?: string
  /** For `pointsAdjusted`: the requested change, before clipping. For spends, holds, captures and refunds: the points. */
  readonly amount?: Integer
  /** For `pointsAdjusted`: true if it lowers what was earned, too. */
  readonly fromEarned?: true
  /** The host's own reference, of `pointsSpent` and `pointsHeld`. */
  readonly reference?: string
  /** For `pointsHeld`: the instant at which it is released. */
  readonly until?: InstantText
  /** Id of the hold, of `holdCaptured` and `holdReleased`. */
  readonly hold?: string
  /** Id of the spend, of `pointsRefunded`. */
  readonly spend?: string
  /** Key of the reward, of `rewardRedeemed`. */
  readonly reward?: string
  /** For `rewardRedeemed`: true if it was taken from a stock. */
  readonly stocked?: true
  /** For `rewardRedeemed`: what the reward gave. */
  readonly gives?: {
    readonly achievement: string | null
    readonly freezes: Count
    readonly boost: {
      readonly system: string
      readonly name: string
      readonly multiplier: number
      readonly rounding: 'down' | 'up' | 'nearest'
      readonly days: Count
    } | null
  }
  /** Id of the redemption, of `redemptionFulfilled` and `redemptionCancelled`. */
  readonly redemption?: string
  /** The price and the instant of that redemption. */
  readonly redeemed?: {
    readonly reward: string
    readonly system: string
    readonly amount: Count
    readonly at: InstantText
    readonly stocked?: true
  }
  /** Id of the boost, of `boostChanged` and `boostDeleted`. */
  readonly boost?: string
  /** For `boostGiven`, as the next two; for `boostChanged` if it changed. */
  readonly name?: string
  readonly multiplier?: number
  readonly rounding?: 'down' | 'up' | 'nearest'
  /** For `userMerged`: the id of the user that remains. */
  readonly into?: string
  /** For `granted`: keys of achievements. */
  readonly achievements?: readonly string[]
  /** The number of completions after the grant, for achievements that repeat. */
  readonly counts?: readonly { readonly achievement: string; readonly count: Count }[]
  /** For `granted`. */
  readonly points?: readonly { readonly system: string; readonly trigger: string; readonly points: number }[]
  /** For `preferencesChanged`: the channels of each type that was named, or `null` if the choice was cleared. */
  readonly notifications?: { readonly [type: string]: readonly string[] | null }
  /**
   * For `preferencesChanged`: the settings that were named, or `null` if all were cleared. With a threshold of null,
   * any change above 0 counts.
   */
  readonly streak?: {
    readonly enabled?: boolean
    readonly evaluationMode?: 'OR' | 'AND'
    readonly on?: readonly Weekday[]
    readonly metrics?: { readonly [metric: string]: number | null }
  } | null
  /** For `preferencesChanged`: the choice, or `null` if it was cleared. */
  readonly leaderboards?: 'shown' | 'anonymous' | 'hidden' | null
  /** For `preferencesChanged`. */
  readonly gamification?: 'on' | 'off'
}

/** The profile fields of a call. Absent fields kept their values, and null cleared a field. */
export interface LoggedProfile {
  readonly email?: string | null
  readonly name?: string | null
  readonly tz?: string | null
  readonly subscribedToEmails?: boolean
  readonly deviceTokens?: readonly string[] | null
  readonly signUpDate?: DateText | null
  readonly attributes?: { readonly [name: string]: string }
}

/** The result of a merge: how many entries were moved, and how many events repeat. */
export interface MergeResponse {
  readonly from: string
  /** The user that continues, by its own id. */
  readonly into: string
  /** False if they were one user already. */
  readonly merged: boolean
  /** The number of moved entries. */
  readonly entries: Count
  /** The number of events that do not count, because the other user has used their idempotency key too. */
  readonly repeated: Count
}

/** A user. Every field is present, and `null` if it is not set. */
export interface User {
  /** The user's id in the client's own database, chosen by the client. */
  readonly id: string
  readonly email: string | null
  readonly name: string | null
  /** IANA time zone name. Letters have the case of the runtime's own list. */
  readonly tz: string | null
  /** When the user signed up with the host. */
  readonly signUpDate: DateText | null
  /** Tokens of the devices that take push notifications. */
  readonly deviceTokens: readonly string[] | null
  /** True if the user receives emails. */
  readonly subscribedToEmails: boolean
  /** The same as `subscribedToEmails`, in the spelling of the official client. */
  readonly subscribeToEmails: boolean
  /** User attributes as key-value pairs. */
  readonly attributes: { readonly [name: string]: string }
  /** True if the user is in the control group of the game's experiment. */
  readonly control: boolean
  /** `off` if the user has turned the game off: show nothing of it. Otherwise absent. */
  readonly gamification?: 'off'
  readonly created: InstantText
  readonly updated: InstantText
}

/** The notifications that a user wants, by channel. A type that was never set is absent. */
export interface UserPreferences {
  /** A type that was never set is absent. */
  readonly notifications: {
    /** Channels for this type of notification; disabled if empty. */
    readonly achievement_completed?: readonly NotificationChannel[]
    /** Channels for this type of notification; disabled if empty. */
    readonly recap?: readonly NotificationChannel[]
    /** Channels for this type of notification; disabled if empty. */
    readonly reactivation?: readonly NotificationChannel[]
    /** Channels for this type of notification; disabled if empty. */
    readonly streak_reminder?: readonly NotificationChannel[]
  }
  /** Absent if it was never set. */
  readonly streak?: StreakPreferences
  /** How others see the user on leaderboards: the user's choice, or the game's default. */
  readonly leaderboards: 'shown' | 'anonymous' | 'hidden'
  /** `off` if the user has turned the game off. */
  readonly gamification: 'on' | 'off'
}

export type NotificationChannel = 'email' | 'push'

/** The user's own settings of the streak. Each field is absent until it is set. */
export interface StreakPreferences {
  /** False if the user has turned the streak off. Absent if it was never set. */
  readonly enabled?: boolean
  /** `OR`: any of the metrics counts a period; `AND`: all of them must. */
  readonly evaluationMode?: 'OR' | 'AND'
  /** The days of a daily streak that the user chose. They apply from the date after the choice. */
  readonly on?: readonly Weekday[]
  /** The other days, on which the streak cannot be missed, by number: 0 is Sunday. There together with `on`. */
  readonly daysOff?: readonly Count[]
  /** The metrics that the user chose. With threshold 0, any change above 0 counts. */
  readonly metrics?: readonly { readonly key: string; readonly threshold: number }[]
}

/** An attribute, and the value that it must have. */
export interface AttributeFilter {
  readonly key: string
  readonly value: string
}

/** The activity on one date in UTC; local dates of users do not matter. */
export interface ActivityDay {
  /** `YYYY-MM-DD`. */
  readonly date: DateText
  /** Events that count: they are neither voided nor held back. */
  readonly events: Count
  /** The number of users with such an event. */
  readonly activeUsers: Count
  /** Users whose local date of creation is this date. */
  readonly newUsers: Count
  /**
   * Completions on this date of achievements that users still have. If an achievement repeats, only the newest
   * completion counts.
   */
  readonly completions: Count
  /** The points that awards gave and took, by points system. Systems without any are left out. */
  readonly points: { readonly [system: string]: number }
}

/** The activity, the newest date first. */
export interface ActivityResponse {
  /** The newest first, days without anything too. */
  readonly days: readonly ActivityDay[]
  /** Send it as `to`, with the same `from`, to get the missing days, or `null` if no day is missing. */
  readonly before: DateText | null
}

/** The number of users who came back, by their group in the game's experiment. */
export interface RetentionResponse {
  /** False if there are more users than one call reads. These are the first who were created. */
  readonly isWhole: boolean
  /** The users outside of the control group, then the users in it. */
  readonly groups: readonly RetentionGroup[]
}

/**
 * The activity of a group of users on the date of their creation and in the 30 days after it. All dates are local ones.
 */
export interface RetentionGroup {
  readonly isControl: boolean
  readonly users: Count
  /** The number of them with an event. */
  readonly activeUsers: Count
  /** The sum of the dates on which each user had an event. */
  readonly activeDays: Count
  readonly events: Count
  readonly days: readonly RetentionDay[]
}

/** The number of users who came back on one date. */
export interface RetentionDay {
  /** Days after the date of creation: 1, 7, 14 or 30. */
  readonly day: Count
  /** The number of users for whom that day is over. */
  readonly users: Count
  /** The number of them with an event on that date. */
  readonly returned: Count
}
