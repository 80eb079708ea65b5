import type { Day, Instant } from '../rules/calendar.ts'
import type { Entry, EventRecorded } from '../rules/entry.ts'
import type { Position } from '../rules/position.ts'
import type { LeaderboardEntry, UserState } from '../rules/state.ts'
import type { Award, CounterKind, LeaderboardRow, Page, StreakPeriod, UserKey } from './rows.ts'
import type { LoadedUser, Lookup } from './saves.ts'

export interface LeaderboardPage {
  /** How many rank, or `null` for all. */
  readonly limit: number | null
  /** Skips entries whose `until` is not after it. */
  readonly at: Instant
  /** From 0. With `around` it counts from that user, and may be below 0. */
  readonly offset: number
  readonly count: number
  /** A user. The page is empty if the user does not rank. */
  readonly around?: string
}

export interface LeaderboardLine extends Position {
  /** From 1. */
  readonly rank: number
  readonly name: string | null
}

export interface LeaderboardUser extends LeaderboardEntry {
  readonly user: string
  readonly name: string | null
}

export type Counters = readonly { readonly kind: CounterKind; readonly key: string; readonly count: number }[]

/** The user who has a pause or a boost. */
export interface Owner {
  readonly id: string
  readonly user: string
}

export interface ReadUserOptions {
  /** The newest awards of one system, or of all when `system` is absent; every one without `limit`. */
  readonly awards?: { readonly system?: string; readonly limit?: number }
  /**
   * The newest periods of a streak, by its key, or null for the game's `streak`; all periods without `limit`. Without
   * `streak`, the periods of all streaks, in no order.
   */
  readonly periods?: { readonly limit?: number; readonly streak?: string | null }
  /** Entries of leaderboards: of one, of one run, or all. */
  readonly leaderboards?: { readonly leaderboard?: string; readonly run?: string }
  /** As in `UserRequest`. */
  readonly lookups?: readonly (Lookup | null)[]
}

export interface StoredUser extends Omit<LoadedUser, keyof UserKey> {
  readonly epoch: number
  /** Newest first; empty unless asked for. */
  readonly awards: readonly Award[]
  /** Newest first; empty unless asked for. */
  readonly periods: readonly StreakPeriod[]
  /** In order of leaderboard, then of run; empty unless asked for. */
  readonly leaderboards: readonly LeaderboardRow[]
}

/** A chunk of a log ends when its profiles and attributes reach this size. */
export const CHUNK_BYTES = 262_144

/** The value of an event (`addedBy`) or award, with the place of the event, or of the entry that the award followed from. */
export interface LoggedValue extends TenantCursor {
  /** The key of the metric, or of the points system. */
  readonly key: string
  /** The local date of the event, or of the entry. */
  readonly date: Day
  readonly value: number
}

export interface LoggedEvents {
  readonly events: readonly LoggedEvent[]
  /** The last line that was read, or `null` if there are no more lines. */
  readonly last: EntryCursor | null
}

export interface LoggedEvent extends Pick<LoggedValue, 'date' | 'value'> {
  readonly metric: string
  readonly attributes: ReadonlyMap<string, string>
}

/** The place of an event. */
export interface WrittenEvent extends TenantCursor {
  readonly id: string
}

/** The place of a line in its user's log. */
export type EntryCursor = Pick<Entry, 'at' | 'seq'>

/** Local dates, both included. */
export interface DateRange {
  readonly from: Day
  readonly to: Day
}

export interface LoggedValues<Place> {
  readonly values: readonly LoggedValue[]
  /** The last line or award that was read, or `null` if there are no more. */
  readonly last: Place | null
}

export interface EventValuesOptions extends Page<TenantCursor> {
  /** Events of one metric of one user, or of all users if absent. */
  readonly of?: { readonly user: string; readonly metric: string }
}

export interface AwardValuesOptions extends Page<AwardCursor> {
  /** Awards of one points system to one user, or to all users if absent. */
  readonly of?: { readonly user: string; readonly system: string }
}

/** The place of an award in a tenant. */
export interface AwardCursor extends TenantCursor {
  readonly system: string
  readonly ordinal: number
}

export interface ReadLogOptions extends Page<EntryCursor> {
  /** Reads the log backwards. */
  readonly newestFirst?: boolean
}

/** How many items a list has if the caller names no limit. */
export const CHUNK = 1_000

/** How many users one search looks at. */
export const LOOKED_AT = 10_000

export interface FindUsersOptions extends Page<string> {
  readonly search?: string
}

export interface FoundUsers {
  readonly users: readonly FoundUser[]
  /** The last user that was read, or `null` if there are no more users. */
  readonly last: string | null
}

export type FoundUser = ReadUser | DamagedUser

export interface ReadUser {
  readonly user: string
  /** Without the members that have tables of their own. */
  readonly state: Omit<UserState, 'totals' | 'tallies' | 'completions' | 'points'>
}

/** A user whose row cannot be read; `damage` says why. */
export interface DamagedUser {
  readonly user: string
  readonly damage: string
}

export interface TenantUsers {
  readonly tenant: string
  readonly users: number
}

export interface UserPointsTotal {
  readonly user: string
  readonly total: number
  readonly attributes: ReadonlyMap<string, string>
}

export interface FoundEntry extends TenantCursor {
  readonly id: string
  readonly date: Day
  /** `null` if the entry is no event. */
  readonly metric: string | null
}

/** The place of a line in a tenant. */
export interface TenantCursor extends EntryCursor {
  readonly user: string
}

export interface HeldLinesOptions extends Page<TenantCursor> {
  readonly user?: string
}

export interface HeldLine {
  readonly user: string
  readonly event: Entry & EventRecorded
}

/** By which length of `UserState.streak` users are ordered. */
export type StreakLength = 'length' | 'longest'

export interface StreakCursor {
  readonly length: number
  readonly user: string
}

/** A stored API key: it has the hash of the secret body, not the body. */
export interface StoredKey {
  readonly id: string
  /** The part before the dot of the full key; unique. */
  readonly prefix: string
  /** SHA-256 of the body, in hex. */
  readonly hash: string
  /** `null` for an admin key. */
  readonly owner: UserKey | null
  /** Only admin keys are ever revoked. */
  readonly status: 'active' | 'revoked'
  readonly createdAt: Instant
  /** To the minute; only of admin keys. */
  readonly lastUsedAt: Instant | null
  /**
   * The rights of the key, such as `read` or `events:steps`. `null`: all that the game allows clients. Empty: the
   * stored value is unreadable, so the key has no rights.
   */
  readonly can: readonly string[] | null
  /** When it expires, or `null` if never. */
  readonly expiresAt: Instant | null
}

export interface ApplicationKeysOptions extends Page<string> {
  readonly user?: string
}

export type AdminKeyChange = Partial<Pick<StoredKey, 'prefix' | 'hash' | 'status'>> & { readonly lastUsedAt?: Instant }
