import type { Instant } from '../rules/calendar.ts'
import type { Entry } from '../rules/entry.ts'
import type { Position } from '../rules/position.ts'
import type { Redemption } from '../rules/redemption.ts'
import type { ChallengeMark, UserState } from '../rules/state.ts'
import type { Message, NoticeCursor } from './outbox.ts'
import type { Award, CounterKind, LeaderboardRow, Movement, Snapshot, StreakPeriod, UserKey } from './rows.ts'
import type { StockChange } from './stock.ts'

/** A game in force from some moment on. Entries name the epoch under which they were decided. */
export interface StoredGame {
  /** 1, 2, 3 … */
  readonly epoch: number
  /** SHA-256 of the canonical definition, in hex. */
  readonly fingerprint: string
  /** The definition as JSON text. */
  readonly definition: string
  readonly policy: 'forward' | 'grant' | 'recompute'
  readonly cause: GameCause
  readonly createdAt: Instant
}

/**
 * Why there is an epoch:
 * - `start`: a process started with a new game.
 * - `return`: a process started with an earlier game, and the game in force had no process left.
 * - `apply`: a call of `apply`.
 * - `boosts`, `messages`: the same game with other boosts for all users, or other wanted types of messages.
 */
export type GameCause = 'start' | 'return' | 'apply' | 'boosts' | 'messages'

export interface UserRequest extends UserKey {
  /** The idempotency keys and values of new entries to look up, or `null` if there is nothing to look up. */
  readonly lookups: readonly (Lookup | null)[]
  /** The ids of spends whose movements are read too; absent if there are none. */
  readonly spends?: readonly string[]
}

/** Finds an entry of a user by its idempotency key, or by its new value. */
export type Lookup = EventLookup | ValueLookup

/** The event that added a new value to a metric (`EventRecorded.newValue`). */
export interface ValueLookup {
  readonly metric: string
  /** Never empty. */
  readonly newValue: string
}

/** An event by the idempotency key that was sent with it, or a claim or an adjustment of points (`usedKeyOf`). */
export interface EventLookup {
  readonly metric: string
  readonly idempotencyKey: string
}

export interface LoadedUser extends UserKey {
  /** `null` if the user does not exist. */
  readonly state: UserState | null
  /** Changes with every write of the user; 0 if the user does not exist. */
  readonly version: number
  /** For each lookup the id of the entry; `null` if there is none. */
  readonly found: readonly (string | null)[]
  /** The movements of the request's `spends`, in their order; absent if there are none. */
  readonly spent?: readonly Movement[]
  /** `null` if no notice about the user was sent yet. */
  readonly notices: NoticeCursor | null
}

export interface CommitReport {
  readonly failures: readonly CommitFailure[]
  /** Saves that were stored together. Every stored save is in one group. */
  readonly saveGroups: readonly SaveGroup[]
}

/** Saves that were stored together, with the ranks that they asked for, at one moment. */
export interface SaveGroup {
  readonly users: readonly SavedUser[]
  /** True if ranks were counted before or after these saves. */
  readonly asOf: 'before' | 'after'
}

export interface SavedUser extends UserKey {
  /** One answer for each of the save's requests. */
  readonly ranks: readonly RankAnswer[]
}

/** A user whose save was not stored, in a commit that stored others. */
export interface CommitFailure extends UserKey {
  /**
   * Set if something outside this process holds the user, such as a transaction of the host. The save may succeed a
   * moment later; retry it for this time.
   */
  readonly locked?: { readonly forMs: number }
  /** A `GamificationError`, or what `decide` threw when it was asked again. */
  readonly error: unknown
}

/** Returns a save, or `null`, for each user in order. `epoch` is the newest stored epoch, 0 if there is none. */
export type Decide = (users: readonly LoadedUser[], epoch: number) => readonly (UserSave | null)[]

/** Everything one commit writes of one user. Rows that are equal in `before` and `after` need not be touched. */
export interface UserSave {
  /** The state that `decide` was given; `null` for a new user. */
  readonly before: UserState | null
  readonly after: UserState
  /** New lines of the log, whose `seq` continues from `before`. */
  readonly appended: readonly Entry[]
  /**
   * Stored or new lines, found by `seq`. They have another `dating`, `epoch`, `voidedBy` or `newValue`, or have lost their
   * idempotency key. A new line may use that key. `appended` has new lines without a void; a line that is voided at once is here too.
   */
  readonly updatedEntries: readonly Entry[]
  readonly awards: Difference<Award>
  readonly movements: Difference<Movement>
  readonly periods: Difference<StreakPeriod>
  /** The windows of challenges; one may also be put if there is one, and replaces it. */
  readonly challenges: Difference<ChallengeMark>
  /** The user's redemptions. A put one replaces the one with its id. Absent if none changes. */
  readonly redemptions?: Difference<Redemption>
  /**
   * How many rewards the save takes from stocks, at most one change of each reward. If all saves of a commit together take more than
   * there is, the commit rejects with `OutOfStock`, and nothing is stored.
   */
  readonly stock?: readonly StockChange[]
  /** The user's entries of leaderboards. A put entry replaces the stored entry of the same run. */
  readonly leaderboards: Difference<LeaderboardRow>
  /**
   * Removes the snapshots of more lines than `after` (none if `null`), then stores these. If absent, snapshots do not
   * change.
   */
  readonly snapshots?: { readonly after: number | null; readonly put: readonly Snapshot[] }
  /** Keys of the leaderboards among these that have no limit: ranks are exact at any number of participants. */
  readonly unlimited: readonly string[]
  /** The positions of this user to count. */
  readonly ranks: readonly RankRequest[]
  /** Amounts to add to the tenant's counters; never 0. */
  readonly counted: readonly CounterChange[]
  /** The messages about it, in this order. One of a type `emails.…` is passed over if one with its id is stored. */
  readonly messages?: readonly Message[]
  /** New notice cursor; unchanged if absent. A save with messages or a cursor may append no entry. */
  readonly notices?: NoticeCursor
}

/**
 * Rows to delete, exactly as read, and rows to insert after that. A row that changes is in both; a period may also be
 * put if there is one, and replaces it.
 */
export interface Difference<Row> {
  readonly remove: readonly Row[]
  readonly put: readonly Row[]
}

/** One group of one run of a leaderboard. Users in it are ranked together. */
export interface RankedGroup {
  readonly leaderboard: string
  readonly run: string
  readonly group: string
}

/** Asks how many entries come before positions of one user. Entries whose `until` is not after `at` do not count. */
export interface RankRequest extends RankedGroup {
  /** How many rank, or `null` for all. */
  readonly limit: number | null
  readonly at: Instant
  /**
   * How far beyond the limit entries are counted, and how far around it they are read: others may change in the same
   * commit.
   */
  readonly margin: number
  readonly positions: readonly Omit<Position, 'user'>[]
}

export interface RankAnswer {
  /** For each position how many entries come before it; with a limit, no more are counted than that and the margin. */
  readonly before: readonly number[]
  /** With a limit, the entries from index `first` on: from `margin` before the last that ranks to `margin` after it. */
  readonly last: readonly Position[]
  /** From 0. */
  readonly first: number
}

export interface CounterChange {
  readonly kind: CounterKind
  /** Empty for users; the achievement's key; `[system, level]` as JSON text for a level. */
  readonly key: string
  readonly by: number
}
