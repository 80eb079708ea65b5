import type { Instant } from '../rules/calendar.ts'
import type { Entry } from '../rules/entry.ts'
import type { StorageAudit } from './audit.ts'
import type { StorageOutbox } from './outbox.ts'
import type { StorageOverview } from './overview.ts'
import type * as Reads from './reads.ts'
import type { Page, Snapshot, UserKey } from './rows.ts'
import type {
  CommitReport,
  Decide,
  RankAnswer,
  RankedGroup,
  RankRequest,
  SharedTime,
  StoredGame,
  UserRequest,
} from './saves.ts'
import type { Steps } from './steps.ts'
import type { JoinedTransaction, OpenTransaction, UserTransaction } from './transactions.ts'

export * from './reads.ts'
export * from './saves.ts'
export * from './transactions.ts'

/**
 * The operations that the engine needs of a database. An adapter holds no rule of the game: it keeps each user's log
 * and the rows derived from it, and returns both exactly as given. Dates and instants are integers (days and
 * milliseconds since 1970). Texts are stored and compared byte by byte. `-0` never arrives.
 *
 * Failure: if a method rejects, nothing was written. The error is a `GamificationError` with one of these codes:
 * - `unavailable`: the database was not reached or not locked before the deadline.
 * - `storage_full`, `storage_unusable`, `closed`.
 * - `outcome_unknown`: the only code after which something may have been written.
 *
 * Time: a call has `deadlineMs`, or until the deadline of `until`. A call that was not sent by then rejects with
 * `unavailable` and is never sent. A call that was sent settles within about a second after its deadline.
 *
 * Pages: a list has at most `limit` items (default 1,000) after a cursor, or from its start.
 */
export interface Storage extends StorageAudit, StorageOutbox, StorageOverview {
  /** How long a call may take to reach the database. */
  readonly deadlineMs: number

  /**
   * This storage with a deadline by `performance.now()` for its methods. Methods of `StorageAudit` keep `deadlineMs`
   * each, because a run calls them once per user. Cheap enough for every call.
   */
  until(deadline: number): Storage

  /**
   * Creates or updates the tables to the newest schema. Any number of processes may call it at once. Rejects with
   * `storage_unusable` if the schema is newer than this code, or the file is not a database.
   */
  migrate(): Promise<MigrationReport>

  /**
   * Rejects with `storage_unusable` unless this code may write the tables: their version is its own, or a newer one
   * that allows it. After that, newer migrations do not matter until the storage is closed. Returns what
   * `checkWritable` does. A storage that looks at its tables with each write returns `null`.
   */
  checkTables(): Promise<{ readonly now: Instant | null }>

  /**
   * Rejects with the error that every write would get, such as a read-only database, a missing right, or the error of
   * `checkTables`. Writes nothing and waits for no writer. Returns the database's time, or `null` if it uses the clock
   * of this process.
   */
  checkWritable(): Promise<{ readonly now: Instant | null }>

  /** Every stored game, in order of epoch. */
  games(): Promise<readonly StoredGame[]>

  /**
   * Stores a game as the next epoch. Under concurrent calls with the same `epoch` exactly one caller gets `true`; the
   * others get `false` and read `games()` again. Rejects with `internal` if the epoch leaves a gap.
   */
  addGame(game: StoredGame): Promise<boolean>

  /** Notes that a process with this game is at work. Writes at most every `SEEN_EVERY_MS`, and for the newest game only. */
  seeGame(fingerprint: string, time: SharedTime): Promise<void>

  /** Milliseconds since a process with the newest game was last seen, or since the game was stored; 0 without a game. */
  gameSilence(time: SharedTime): Promise<number>

  /**
   * Loads the users, asks `decide` what to store, and stores it. `requests` name each user at most once.
   *
   * - The arguments of `decide` are still true when its answer is stored: no other write of these users comes between.
   * - `decide` is synchronous and has no other effects than its answer. It may be called again with fresher users, or
   *   with some of them only. The last answer for each user is stored; `null` stores nothing.
   * - One user's save is stored completely or not at all. If the promise resolves, every save is durable except the
   *   failures in the report. If it rejects, none is stored. After `outcome_unknown` it may be stored, in both.
   * - If `decide` throws, the error is passed on unchanged, and nothing is stored.
   * - A save that would break the log rejects the whole commit with `internal`. Examples are a known entry id or
   *   idempotency key, a gap in `seq`, another `before` than the stored state, and an unknown line in `updatedEntries`.
   */
  commit(requests: readonly UserRequest[], decide: Decide): Promise<CommitReport>

  /** The user at one moment, with the newest epoch. `state` is `null` if the user does not exist. */
  readUser(key: UserKey, options?: Reads.ReadUserOptions): Promise<Reads.StoredUser>

  /**
   * A chunk of the user's log in its order (at, seq), or against it. It ends early if profiles and attributes reach
   * about `CHUNK_BYTES`, so long lines do not make large chunks. An empty chunk is the end of the log.
   */
  readLog(key: UserKey, options?: Reads.ReadLogOptions): Promise<readonly Entry[]>

  /** The snapshot of the most lines whose last line is not after an instant; `null` if there is none. */
  readSnapshot(key: UserKey, until: Instant): Promise<Snapshot | null>

  /** Events among the next lines, without voided events. A chunk ends as in `readLog`. Reads no profiles. */
  readEvents(key: UserKey, options?: Reads.ReadLogOptions): Promise<Reads.LoggedEvents>

  /**
   * Events among the next `limit` lines of all logs of a tenant, or of one log, in order of user, then log. Omits voided
   * events. Reads no long texts.
   */
  eventValues(tenant: string, options?: Reads.EventValuesOptions): Promise<Reads.LoggedValues<Reads.TenantCursor>>

  /** Awards of a tenant in order of user, then points system, then (at, seq, ordinal). */
  awardValues(tenant: string, options?: Reads.AwardValuesOptions): Promise<Reads.LoggedValues<Reads.AwardCursor>>

  /** The entries with these ids, in no order. Omits unknown ids. */
  findEntries(tenant: string, ids: readonly string[]): Promise<readonly Reads.FoundEntry[]>

  /** Held events (`isHeld`) of a tenant, or of one user, in order of user, then log. */
  heldEvents(tenant: string, options?: Reads.HeldLinesOptions): Promise<readonly Reads.HeldLine[]>

  /** Events that an API key wrote, in order of user, then log. Includes held events, and omits voided ones. */
  eventsBy(tenant: string, by: string, options?: Page<Reads.TenantCursor>): Promise<readonly Reads.WrittenEvent[]>

  /** All counters of a tenant that are not 0. */
  counters(tenant: string): Promise<Reads.Counters>

  /** Each user of a tenant with the total in one points system (0 without any), in order of user. */
  pointsTotals(tenant: string, system: string, options?: Page<string>): Promise<readonly Reads.UserPointsTotal[]>

  /**
   * Users whose streak is above 0, the longest first, then in order of user. The current streak (`length`) is that
   * after the user's newest entry.
   */
  longestStreaks(
    tenant: string,
    by: Reads.StreakLength,
    options?: Page<Reads.StreakCursor>,
  ): Promise<readonly Reads.ReadUser[]>

  /** A page of one group of one run, in its order (`comparePositions`), at one moment. */
  leaderboardPage(
    tenant: string,
    key: RankedGroup,
    page: Reads.LeaderboardPage,
  ): Promise<readonly Reads.LeaderboardLine[]>

  /** The entries of these users in a run, in any group and in no order, expired entries too. */
  leaderboardEntries(
    tenant: string,
    leaderboard: string,
    run: string,
    users: readonly string[],
  ): Promise<readonly Reads.LeaderboardUser[]>

  /** How many entries come before these positions, at one moment. */
  ranks(user: UserKey, requests: readonly RankRequest[]): Promise<readonly RankAnswer[]>

  /** The users who have these pauses or boosts (`UserState`), in no order. Omits unknown ids. */
  findOwners(tenant: string, of: 'pauses' | 'boosts', ids: readonly string[]): Promise<readonly Reads.Owner[]>

  /** The boosts of a points system that users have, in order of id: the order in which they were given. */
  listBoosts(
    tenant: string,
    page: { readonly system: string; readonly skip: number; readonly limit: number },
  ): Promise<readonly Reads.Owner[]>

  /** The key with this prefix; `null` if there is none. */
  findKey(prefix: string): Promise<Reads.StoredKey | null>

  /** All admin keys, the oldest first (`createdAt`, then id). */
  adminKeys(): Promise<readonly Reads.StoredKey[]>

  /** Application keys in order of id, of a tenant or of one user and its aliases (`UserState.mergedInto`). */
  applicationKeys(tenant: string, options?: Reads.ApplicationKeysOptions): Promise<readonly Reads.StoredKey[]>

  /**
   * Stores an admin key if there are fewer than `most`, revoked ones included. Returns whether it was stored; concurrent
   * calls never exceed `most`. Rejects with `internal` for a known id or prefix, and for a key with an owner.
   */
  addAdminKey(key: Reads.StoredKey, most: number): Promise<boolean>

  /**
   * Stores application keys, but none of an owner who is another name (`UserState.mergedInto`). Returns the ids of the
   * stored keys. A key is stored before a concurrent merge of its owner, which may end it, or not at all. Rejects with
   * `internal` for a known id or prefix, or a missing owner, and then stores none.
   */
  addApplicationKeys(keys: readonly Reads.StoredKey[]): Promise<readonly string[]>

  /**
   * Changes the given members of an admin key in one step; the next `findKey` of every process sees it. `lastUsedAt`
   * never goes back. Returns the changed key; `null` if there is none with this id.
   */
  updateAdminKey(id: string, change: Reads.AdminKeyChange): Promise<Reads.StoredKey | null>

  /** Deletes the admin key with this id. Returns whether there was one. */
  removeAdminKey(id: string): Promise<boolean>

  /** Deletes a tenant's application keys in one step. Returns the ids that existed. */
  removeApplicationKeys(tenant: string, ids: readonly string[]): Promise<readonly string[]>

  /**
   * Runs the steps of `work` in a transaction: commits when they end, rolls back when they throw. No other call writes
   * the users that it locks until it ends; on SQLite no other connection writes at all. `work` may run again as a whole
   * if nothing of it was stored. On a database in the process the steps must wait for nothing: a promise is then
   * `internal`, and nothing is stored. Rejects with a `GamificationError` of `work` unchanged, and with
   * `outcome_unknown` if it is not known whether the transaction was committed.
   */
  transaction<T>(work: (tx: UserTransaction) => Steps<T>): Promise<T>

  /**
   * Runs `work` in a transaction that stays open while `work` waits, for example for a handler of the host. It begins
   * with the first call of a method of `tx`, and `work` runs once. If the database has one writer, other writes then
   * wait until it ends. It commits when `work` resolves and rolls back when `work` rejects. It also rolls back, and
   * rejects with `unavailable`, if `work` takes longer than the deadline.
   */
  openTransaction<T>(work: (tx: OpenTransaction) => Promise<T>): Promise<T>

  /**
   * The host's own transaction, given a `HostTransaction` that the adapter made, or the connection. Throws
   * `storage_unusable` if it cannot be joined.
   */
  joinTransaction(host: unknown): JoinedTransaction

  /** Users of all tenants in order of (tenant, user). */
  listUsers(options?: Page<UserKey>): Promise<readonly UserKey[]>

  /**
   * Users of a tenant in order of user. `search` keeps users whose id or name contains a text, with A to Z as a to z. A
   * search looks at the next `LOOKED_AT` users only, so a page may be empty although more users follow.
   */
  findUsers(tenant: string, options?: Reads.FindUsersOptions): Promise<Reads.FoundUsers>

  /** Tenants that have users, in order, with the number of their users. */
  tenants(options?: Page<string>): Promise<readonly Reads.TenantUsers[]>

  /** Removes in one step a tenant's application keys, messages, deliveries, and counters that are 0. */
  clearTenant(tenant: string): Promise<void>

  /**
   * Closes the connections that the adapter opened. Calls under way finish first; later calls reject with `closed`.
   * Idempotent.
   */
  close(): Promise<void>
}

export interface MigrationReport {
  /** Names of the migrations that this call applied, in order. */
  readonly applied: readonly string[]
}

/** The methods for API keys. */
export type KeyStorage = Pick<Storage, Extract<keyof Storage, `${string}Key` | `${string}Keys`>>
