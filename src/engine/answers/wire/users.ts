import type { Count, DateText, InstantText } from './formats.ts'
import type { User } from './user.ts'

/** A user who has been deleted. */
export interface DeletedUser {
  readonly id: string
  /** Under which id what was done stays; null: nothing stays. */
  readonly anonymousId: string | null
}

/** What a user is left out of, why, and since when. */
export interface UserSuspension {
  readonly from: readonly 'leaderboards'[]
  readonly reason: string | null
  /** ISO 8601. */
  readonly since: InstantText
}

/** A user as lists of them have it, and whether it is suspended. */
export interface ListedUser extends User {
  /** null: the user is not suspended. */
  readonly suspended: UserSuspension | null
  /** The id of the user that goes on, of which this is another name; null: a user of its own. */
  readonly mergedInto: string | null
}

/** A user of whom rows cannot be read, or lines of the log are missing. */
export interface DamagedUser {
  readonly tenant: string
  readonly user: string
  /** Which row is damaged and how, and what mends it. */
  readonly message: string
}

/** A page of the users, in order of id. */
export interface UsersResponse {
  readonly users: readonly ListedUser[]
  /** Users of the page whose row cannot be read. */
  readonly damaged: readonly DamagedUser[]
  /**
   * To be sent as `after` for the next page; null: there are no more. A page of a search may be empty before the last.
   */
  readonly after: string | null
}

/** Whether a user is suspended now. */
export interface SuspendedUser {
  readonly id: string
  /** As it is now; null: the user is not suspended. */
  readonly suspended: UserSuspension | null
}

/** A page of a user's log, the newest entry first. */
export interface UserEventsResponse {
  /** The newest first. */
  readonly entries: readonly LogEntry[]
  /** To be sent as `before` for what is older; null: there is nothing. */
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
  /** To be sent as `after` for the next page; null: there are no more. */
  readonly after: string | null
}

export interface DeletedTenant {
  readonly id: string
  /** How many users were deleted by this call. */
  readonly users: number
}

/** One entry of a user's log: a call that was accepted, whole. What belongs to other kinds is absent. */
export interface LogEntry {
  readonly id: string
  /** Order of arrival in the user's log, from 1 on. The log's order is that of (`at`, `seq`). */
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
  /** Which of the stored games it was decided under. */
  readonly epoch: Count
  /** What the same call said of the user; null: nothing. What is absent stayed, null cleared. */
  readonly profile: LoggedProfile | null
  /** Id of the key that wrote it. Absent: none did. */
  readonly by?: string
  /** Of `eventRecorded`, as the next three. */
  readonly metric?: string
  readonly value?: number
  readonly attributes?: { readonly [name: string]: string }
  /** Of `achievementClaimed` too. null: none was sent. */
  readonly idempotencyKey?: string | null
  /** The id of the entry that voided an event. Absent: it is not void. */
  readonly voidedBy?: string
  /** An event that a limit holds back, until it is approved or voided. */
  readonly held?: true
  /** Key: of `achievementClaimed` and `completionKept`. */
  readonly achievement?: string
  /** Of `freezesGranted`, and of `completionKept` where it had been completed more than once. */
  readonly count?: Count
  /** Of `freezesGranted` and `streakRestored` of one of the game's `streaks`. */
  readonly streakKey?: string
  /** `YYYY-MM-DD`, of `pauseCreated`, `boostGiven` and `boostChanged`; an end of null: it never ends. */
  readonly start?: DateText
  readonly end?: DateText | null
  /** Id of the pause, of `pauseDeleted`. */
  readonly pause?: string
  /** Id of the event, of `eventApproved` and of `eventVoided`. */
  readonly event?: string
  /** Of `eventVoided`: whether achievements were taken back. */
  readonly revokes?: boolean
  /** Of `eventVoided` and `userSuspended`. */
  readonly reason?: string | null
  /** Of `userSuspended`. */
  readonly from?: readonly 'leaderboards'[]
  /** Key of the points system, of `boostGiven`. */
  readonly system?: string
  /** Id of the boost, of `boostChanged` and `boostDeleted`. */
  readonly boost?: string
  /** Of `boostGiven`, as the next two; of `boostChanged` what it changed. */
  readonly name?: string
  readonly multiplier?: number
  readonly rounding?: 'down' | 'up' | 'nearest'
  /** Of `userMerged`: the id of the user that goes on. */
  readonly into?: string
  /** Of `granted`: keys of achievements. */
  readonly achievements?: readonly string[]
  /** How often they are completed then, of those that repeat. */
  readonly counts?: readonly { readonly achievement: string; readonly count: Count }[]
  /** Of `granted`. */
  readonly points?: readonly { readonly system: string; readonly trigger: string; readonly points: number }[]
  /** Of `preferencesChanged`. */
  readonly notifications?: { readonly [type: string]: readonly string[] }
  /** Of `preferencesChanged`; null: nothing was said of the streak. A threshold of null: any change above 0 counts. */
  readonly streak?: {
    readonly enabled?: boolean
    readonly evaluationMode?: 'OR' | 'AND'
    readonly metrics?: { readonly [metric: string]: number | null }
  } | null
}

/** What a call said of a user. What is absent stayed, null cleared. */
export interface LoggedProfile {
  readonly email?: string | null
  readonly name?: string | null
  readonly tz?: string | null
  readonly subscribedToEmails?: boolean
  readonly deviceTokens?: readonly string[] | null
  readonly attributes?: { readonly [name: string]: string }
}

/** What a merge did: how many entries were moved, and how many events repeat. */
export interface MergeResponse {
  readonly from: string
  /** The user that goes on, by its own id. */
  readonly into: string
  /** false: they were one user already. */
  readonly merged: boolean
  /** How many entries were moved. */
  readonly entries: Count
  /** How many events do not count, because their idempotency key was used by the other user too. */
  readonly repeated: Count
}
