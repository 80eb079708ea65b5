import type { Day, Instant } from '../rules/calendar.ts'
import type { Entry, EntryBody, EventRecorded } from '../rules/entry.ts'
import type { Position } from '../rules/position.ts'
import type { LeaderboardEntry, UserState } from '../rules/state.ts'
import type { StorageAudit } from './audit.ts'
import type { Message, NoticeCursor, StorageOutbox } from './outbox.ts'
import type { StorageOverview } from './overview.ts'
import type { Award, CounterKind, LeaderboardRow, Snapshot, StreakPeriod, UserKey } from './rows.ts'
import type { Eventually } from './sync-or-async.ts'

/**
 * What the engine asks of a database. Adapters hold no rule of the game: they keep each user's log and what was derived
 * from it, and return both exactly as given. Dates and instants are integers (days and milliseconds since 1970),
 * strings are kept and compared byte by byte, `-0` never arrives.
 *
 * Failure, for every method: a rejected promise means that nothing was written. It carries a `GamificationError`:
 * `unavailable` (not reached or not locked in time), `storage_full`, `storage_unusable`, `closed`; `outcome_unknown` is
 * the one code after which something may have been written.
 *
 * Time: a method has `deadlineMs` from the moment its turn comes, or until the deadline of `until`. What was not sent to
 * the database by then is not sent any more, and rejects with `unavailable`; what was sent is settled within about a
 * second after it.
 */
export interface Storage extends StorageAudit, StorageOutbox, StorageOverview {
  /** How long a call may take to reach the database, from its arrival on; null where nothing has to be waited for. */
  readonly deadlineMs: number | null

  /**
   * This storage, whose methods have to answer by a moment by `performance.now()`. Those of `StorageAudit` have
   * `deadlineMs` each, because they are asked for one user after the other. Cheap: it is called for each call.
   */
  until(deadline: number): Storage

  /**
   * Brings the tables to the newest schema; safe when any number of processes start at once. Rejects with
   * `storage_unusable` when the schema is newer than this code or the file is no database.
   */
  migrate(): Promise<MigrationReport>

  /**
   * Rejects with the error of a write where no write can succeed: the database is read-only, a right is missing, the
   * file cannot be written. Writes nothing, and waits for no other writer. Returns the time by the clock of the
   * database; `null`: it shares the clock of this process.
   */
  checkWritable(): Promise<{ readonly now: Instant | null }>

  /** Every game stored, in ascending order of epoch. */
  games(): Promise<readonly StoredGame[]>

  /**
   * Stores a game as the next epoch. With any number of concurrent callers for one `epoch`, exactly one stores its
   * game; returns true to that one and false to the others, which then read `games()` again. An epoch that leaves a gap
   * rejects with `internal`.
   */
  addGame(game: StoredGame): Promise<boolean>

  /**
   * Loads the users, asks `decide` what is to be stored, and stores it: beside `repair` and transactions, the one way in which
   * anything of a user is written. `requests` name each user at most once.
   *
   * - What `decide` was given is still true when its answer is stored: no other write of these users comes between.
   * - `decide` is synchronous and has no side effects but on its own results. It may be called again, with fresher
   *   users and then perhaps with only some of them; the last answer for each user is the one that is stored.
   * - One user's save is stored whole or not at all. When the promise resolves every save is durable but those of the
   *   failures it resolves with; when it rejects none is stored. With `outcome_unknown` it may have been stored, in
   *   both.
   * - What `decide` throws is thrown on as it is, and nothing is stored.
   * - `null` in place of a save stores nothing for that user.
   * - A save that would break the log (an entry id that the tenant, or an idempotency key that the same user and metric
   *   has already, also by the same commit; a gap in `seq`, a `before` that is not the stored state, an unknown line in
   *   `updatedEntries`) rejects the whole commit with `internal`.
   */
  commit(requests: readonly UserRequest[], decide: Decide): Promise<CommitReport>

  /** The user as of one moment, with the newest epoch; `state` is null when the user is unknown. */
  readUser(key: UserKey, options?: ReadUserOptions): Promise<UserView>

  /**
   * The user's log in its order (at, then seq), in chunks after the given place, or from its beginning. A chunk has at
   * most `limit` (default 1,000) lines, and ends sooner, with the line that brings their profiles and attributes to
   * about `CHUNK_BYTES`: so a chunk takes little memory and time however long the lines are. An empty chunk is the end,
   * and nothing else is.
   */
  readLog(key: UserKey, options?: ReadLogOptions): Promise<readonly Entry[]>

  /** The user's snapshot of the most lines whose last is at an instant or before it; null: there is none. */
  readSnapshot(key: UserKey, until: Instant): Promise<Snapshot | null>

  /**
   * What the events of one metric that count (they are not voided) added, in the log's order: of those among the next
   * `limit` (default 1,000) lines. Reads no profiles and no attributes.
   */
  readValues(key: UserKey, metric: string, options?: ReadLogOptions): Promise<LoggedValues>

  /**
   * The events that count (they are not voided) among the next `limit` (default 1,000) lines, in the log's order. It
   * ends sooner, with the line that brings their attributes to about `CHUNK_BYTES`. Reads no profiles.
   */
  readEvents(key: UserKey, options?: ReadLogOptions): Promise<LoggedEvents>

  /**
   * What the next `limit` (default 1,000) awards of one points system gave or took, in their order (at, seq, ordinal),
   * each on the local date of the entry that it followed from.
   */
  readAwarded(key: UserKey, system: string, options?: ReadAwardedOptions): Promise<AwardedValues>

  /**
   * What the events that count among the next `limit` (default 1,000) lines of a tenant's logs added. The lines are in
   * order of user, then in that of the log.
   */
  eventValues(tenant: string, options?: EventValuesOptions): Promise<EventValues>

  /** What the next `limit` awards of a tenant gave or took, in order of user, of points system, and in their own. */
  awardValues(tenant: string, options?: AwardValuesOptions): Promise<AwardValues>

  /** The local dates of entries, by their ids, in no order. */
  entryDates(tenant: string, ids: readonly string[]): Promise<readonly { readonly id: string; readonly date: Day }[]>

  /** The user, the metric and the place in the log of the event with this entry id; null when the tenant has none. */
  findEvent(tenant: string, entryId: string): Promise<FoundEvent | null>

  /**
   * The events of a tenant that are held back (`isHeld`), in order of user, then in that of the log: at most `limit`
   * (default 1,000) after the given place. With `user` that user's alone.
   */
  heldEvents(tenant: string, options?: HeldLinesOptions): Promise<readonly HeldLine[]>

  /**
   * The events of a tenant that one API key wrote (`Entry.by`) and that are not voided, those that are held back among
   * them, in order of user, then of the log: at most `limit` (default 1,000) after the given place.
   */
  eventsBy(tenant: string, by: string, options?: EventsByOptions): Promise<readonly WrittenEvent[]>

  /** All counters of a tenant that are not 0. */
  counters(tenant: string): Promise<Counters>

  /**
   * Each user of a tenant with its total in one points system (0 without any), in order of user, at most `limit`
   * (default 1,000) after the given user.
   */
  pointsTotals(tenant: string, system: string, options?: PointsTotalsOptions): Promise<readonly PointsTotal[]>

  /**
   * The users of a tenant whose streak, as it was after their newest entry, is above 0, or whose longest ever is: the
   * longest first, then in order of user, at most `limit` (default 1,000) after the given place.
   */
  longestStreaks(tenant: string, by: StreakLength, options?: LongestStreaksOptions): Promise<readonly StreakHolder[]>

  /**
   * The users from index `offset` on of one group of one run, in their order (`comparePositions`), at most `count`; all
   * as of one moment.
   */
  leaderboardPage(tenant: string, key: LeaderboardKey, page: LeaderboardPage): Promise<readonly LeaderboardLine[]>

  /** The entries that some of these users have in a run, in whatever group, in no order; expired ones too. */
  leaderboardEntries(
    tenant: string,
    leaderboard: string,
    run: string,
    users: readonly string[],
  ): Promise<readonly LeaderboardUser[]>

  /** How many entries come before these positions now, all as of one moment. */
  ranks(user: UserKey, requests: readonly RankRequest[]): Promise<readonly RankAnswer[]>

  /** Whose these pauses are, of those that users have (`UserState.pauses`), in no order. */
  findPauses(tenant: string, ids: readonly string[]): Promise<readonly { readonly id: string; readonly user: string }[]>

  /** Whose these boosts are, of those that users have (`UserState.boosts`), in no order. */
  findBoosts(tenant: string, ids: readonly string[]): Promise<readonly { readonly id: string; readonly user: string }[]>

  /** The boosts of a points system that users have, in order of id, which is the one in which they were given. */
  listBoosts(
    tenant: string,
    page: { readonly system: string; readonly skip: number; readonly limit: number },
  ): Promise<readonly { readonly id: string; readonly user: string }[]>

  /** The key with this prefix; null when there is none. */
  findKey(prefix: string): Promise<StoredKey | null>

  /** All admin keys, the oldest first (by `createdAt`, then id). */
  adminKeys(): Promise<readonly StoredKey[]>

  /**
   * A tenant's application keys, or those of one of its users and of its other names (`UserState.mergedInto`), in order
   * of id: at most `limit` (default 1,000).
   */
  applicationKeys(tenant: string, options?: ApplicationKeysOptions): Promise<readonly StoredKey[]>

  /**
   * Stores an admin key unless `most` admin keys, revoked ones included, are there already. With any number of
   * concurrent callers, no more than `most` keys are stored; returns true to these and false to the others. A known id or
   * prefix, or a key with an owner, rejects with `internal`.
   */
  addAdminKey(key: StoredKey, most: number): Promise<boolean>

  /** Stores application keys, all or none. A known id or prefix, or a key without an owner, rejects with `internal`. */
  addApplicationKeys(keys: readonly StoredKey[]): Promise<void>

  /**
   * Changes what is named of the admin key with this id, in one step; holds for the next `findKey` of every process.
   * Returns the key as it then is, null when there is none. `lastUsedAt` never goes back.
   */
  updateAdminKey(id: string, change: AdminKeyChange): Promise<StoredKey | null>

  /** Deletes the admin key with this id; returns whether there was one. */
  removeAdminKey(id: string): Promise<boolean>

  /** Deletes a tenant's application keys with these ids, in one step; returns the ids of those that were there. */
  removeApplicationKeys(tenant: string, ids: readonly string[]): Promise<readonly string[]>

  /**
   * Runs `work` in a transaction: commits when it returns, rolls back when it throws. Users locked in it are not
   * written by others until it ends; on SQLite no other connection writes meanwhile. `work` may run again, and must not
   * read what it has saved. It must answer at once if the storage does: a promise is then `internal`, and nothing is
   * stored. Rejects with `outcome_unknown` if it is not known whether the transaction was committed.
   */
  transaction<T>(work: (tx: StorageTransaction) => Eventually<T>): Promise<T>

  /**
   * The host's own transaction, given a `HostTransaction` that the adapter made, or the connection. Throws
   * `storage_unusable` if it cannot be joined.
   */
  joinTransaction(host: unknown): JoinedTransaction

  /** Users of all tenants in order of (tenant, user), at most `limit` (default 1,000) after the given one. */
  listUsers(options?: { readonly after?: UserKey; readonly limit?: number }): Promise<readonly UserKey[]>

  /**
   * Users of a tenant in order of user, at most `limit` (default 1,000) after the given one. With `search` those whose
   * id or name has that text in it, where the letters A to Z are as a to z: only the next `LOOKED_AT` users are looked
   * at, so there may be none among them though more follow.
   */
  findUsers(tenant: string, options?: FindUsersOptions): Promise<FoundUsers>

  /**
   * The user's log from its end, or from before the given place, backwards. It ends as a chunk of `readLog` does.
   */
  readNewest(key: UserKey, options?: ReadNewestOptions): Promise<readonly Entry[]>

  /**
   * Tenants that have users, in order, at most `limit` (default 1,000) after the given one, with how many they have.
   */
  tenants(options?: TenantsOptions): Promise<readonly TenantUsers[]>

  /**
   * Removes what a tenant has beside its users, in one step: all application keys, messages, deliveries, and counters
   * that count nothing.
   */
  clearTenant(tenant: string): Promise<void>

  /**
   * Closes what the adapter opened itself. Idempotent; calls under way finish first, later ones reject with `closed`.
   */
  close(): Promise<void>
}

/**
 * A transaction that the host has begun, and will commit or roll back itself; adapters make it of what the host has.
 */
export interface HostTransaction {
  /**
   * Runs the handlers of what was recorded in it. The host calls this after its own commit.
   */
  committed(): Promise<void>
  /** Has something done by `committed`. */
  afterCommit(run: () => void): void
}

/**
 * What can be done of users in a transaction, of the storage or of the host. Methods see what the transaction has written before.
 * They answer at once where the database is in the process, else with promises.
 */
export interface StorageTransaction {
  games(): Eventually<readonly StoredGame[]>

  /** Reads the user, and locks it: others write it only after the transaction has ended. */
  lockUser(key: UserKey, options?: ReadUserOptions): Eventually<UserView>

  readLog(key: UserKey, options?: ReadLogOptions): Eventually<readonly Entry[]>

  /** As `Storage.readSnapshot`. */
  readSnapshot(key: UserKey, until: Instant): Eventually<Snapshot | null>

  /**
   * Stores what was decided on a view. Returns how many entries came before the positions until then, or `null` if the
   * user or the newest epoch has changed since the view was read.
   */
  save(key: UserKey, view: UserView, save: UserSave): Eventually<readonly RankAnswer[] | null>

  /**
   * Removes every row of a user from every table: the log, what was derived from it, application keys, messages and
   * deliveries (unless names are kept), and the user's id where blocks of leaderboards begin with it. Counters and
   * blocks, and so ranks, become what they are without the user. A decision on an earlier state is not stored any more;
   * a later call under the id makes a new user. Returns `removed`, `unknown` if there was no row, or `changed` if an
   * option does not hold, and then nothing is removed.
   *
   * In the host's transaction on Postgres it locks no leaderboard: positions stay there until another save of these, or
   * until `removeUser` with the version 0 after the host's commit.
   */
  removeUser(key: UserKey, options?: RemoveUserOptions): Eventually<RemovedUser>
}

/**
 * The host's transaction. What the database says about the transaction itself (a serialization failure, a deadlock) is
 * thrown as the driver threw it: the host has to begin again.
 */
export interface JoinedTransaction extends StorageTransaction {
  /** Runs `work` inside a savepoint, which is rolled back if `work` throws. Calls do not overlap. */
  savepoint<T>(work: () => Eventually<T>): Eventually<T>
  /**
   * There if the methods answer at once. Runs `work` in the transaction that is open, or in one of its own, and says
   * whether it is committed.
   */
  begin?<T>(work: () => T): { readonly result: T; readonly isCommitted: boolean }
}

export interface RemoveUserOptions {
  /**
   * The version that the user must have. 0: the user is not there any more, and only rows that are left are removed.
   */
  readonly version?: number
  /**
   * Application keys, messages, and other names of the user (`UserState.mergedInto`), stay: the id is to stand for
   * somebody else. Without it the names are removed with the user, each as a user is.
   */
  readonly keepsNames?: boolean
  /** Saves of any users of the tenant, stored in the same step; entries may keep their ids. */
  readonly replacement?: Replacement
}

export interface Replacement {
  /** The newest epoch under which it was decided. Where another one is the newest, the answer is `changed`. */
  readonly epoch: number
  readonly users: readonly ReplacementUser[]
}

export interface ReplacementUser {
  readonly user: string
  /**
   * The version that the user must have, else the answer is `changed`. 0: no user has this id, or only the user that is
   * removed.
   */
  readonly version: number
  readonly save: UserSave
}

export type RemovedUser = 'removed' | 'unknown' | 'changed'

export interface MigrationReport {
  /** Names of the migrations applied by this call, in order. */
  readonly applied: readonly string[]
}

/** A game in force from some moment on. Entries name the epoch under which they were decided. */
export interface StoredGame {
  /** 1, 2, 3 … */
  readonly epoch: number
  /** SHA-256 of the canonical definition, in hex. */
  readonly fingerprint: string
  /** The definition as JSON text. */
  readonly definition: string
  readonly policy: 'forward' | 'grant' | 'recompute'
  readonly createdAt: Instant
}

export interface UserRequest extends UserKey {
  /** For each entry about to be recorded, the key by which the log may have it already; null where it has no key. */
  readonly lookups: readonly (EventLookup | null)[]
}

/** An event by the idempotency key that was sent with it, or a claim of an achievement (`usedKeyOf`). */
export interface EventLookup {
  readonly metric: string
  readonly idempotencyKey: string
}

/**
 * Under which metric the keys of claims are kept, since no metric has the empty key. The achievement's key stands
 * before the idempotency key.
 */
const OF_CLAIMS = ''

/** The idempotency key that an entry uses up, as a storage keeps and finds it; null: none. */
export function usedKeyOf(body: EntryBody): EventLookup | null {
  if (body.kind === 'eventRecorded') {
    const { metric, idempotencyKey } = body
    return idempotencyKey === null ? null : { metric, idempotencyKey }
  }
  if (body.kind !== 'achievementClaimed' || body.idempotencyKey === undefined) return null
  const { achievement, idempotencyKey } = body
  return { metric: OF_CLAIMS, idempotencyKey: `${achievement.length} ${achievement} ${idempotencyKey}` }
}

export interface LoadedUser extends UserKey {
  /** null: no such user yet. */
  readonly state: UserState | null
  /** Changes with every write of the user; 0 for a user that is not there. */
  readonly version: number
  /** For each lookup, the id of the entry in the log with this metric and idempotency key; null where there is none. */
  readonly found: readonly (string | null)[]
  /** null: the user has had no messages of time yet. */
  readonly notices: NoticeCursor | null
}

export interface CommitReport {
  readonly failures: readonly CommitFailure[]
  /** What was stored together; every save is in one of them. */
  readonly rounds: readonly CommitRound[]
}

/** Saves that were stored together, and how many entries came before the positions they ask for, at one moment. */
export interface CommitRound {
  readonly users: readonly StoredUser[]
  /** The entries are counted as they were before these saves, or as they are after them. */
  readonly asOf: 'before' | 'after'
}

export interface StoredUser extends UserKey {
  /** One for each of the save's requests. */
  readonly ranks: readonly RankAnswer[]
}

/** A user whose save was not stored while others of the same commit were. */
export interface CommitFailure extends UserKey {
  /**
   * There when somebody outside this process holds the user, such as a transaction of a host's: the same may succeed a
   * moment later, and is worth trying for so long.
   */
  readonly held?: { readonly forMs: number }
  /** A `GamificationError`, or what `decide` threw when it was asked again. */
  readonly error: unknown
}

/** Same length and order as `users`. `epoch` is the newest stored epoch, 0 when there is none. */
export type Decide = (users: readonly LoadedUser[], epoch: number) => readonly (UserSave | null)[]

/** Everything one commit writes of one user. Rows that are equal in `before` and `after` need not be touched. */
export interface UserSave {
  /** The state `decide` was given; null for a new user. */
  readonly before: UserState | null
  readonly after: UserState
  /** New lines of the log, whose `seq` goes on from `before`. */
  readonly appended: readonly Entry[]
  /**
   * Lines that are there already, or are among the new ones (found by `seq`), and whose `dating`, `epoch` or `voidedBy`
   * is to be replaced, or whose idempotency key is given up, perhaps for a new line. A new line is stored as one that
   * is not voided: where it is, it is here too.
   */
  readonly updatedEntries: readonly Entry[]
  readonly awards: Difference<Award>
  readonly periods: Difference<StreakPeriod>
  /** The user's entries of leaderboards; one may also be put where there is one of the same run, and replaces it. */
  readonly leaderboards: Difference<LeaderboardRow>
  /** Snapshots of more lines than `after` are removed (null: none is), then these are put; absent: none changes. */
  readonly snapshots?: { readonly after: number | null; readonly put: readonly Snapshot[] }
  /** Keys of the leaderboards among these that have no limit: ranks are exact at any number of participants. */
  readonly unlimited: readonly string[]
  /** The positions of this user whose ranks to count. */
  readonly ranks: readonly RankRequest[]
  /** Amounts to add to the tenant's counters; never 0. */
  readonly counted: readonly CounterChange[]
  /** The messages about it, in this order. */
  readonly messages?: readonly Message[]
  /**
   * How far the messages of time are sent after it; absent: as far as before. With this or with messages, nothing need
   * be appended.
   */
  readonly notices?: NoticeCursor
}

/**
 * Rows to delete, exactly as they were read, and rows to insert after that. A row that changes is in both; a period
 * may also be put where there is one, and replaces it.
 */
export interface Difference<Row> {
  readonly remove: readonly Row[]
  readonly put: readonly Row[]
}

/** One group of one run of a leaderboard: what is ranked together. */
export interface LeaderboardKey {
  readonly leaderboard: string
  readonly run: string
  readonly group: string
}

/** Asks how many entries come before positions of one user. Entries whose `until` is not after `at` do not count. */
export interface RankRequest extends LeaderboardKey {
  /** How many rank; null: all. */
  readonly limit: number | null
  readonly at: Instant
  /**
   * How far beyond the limit entries are counted, and how far around it they are read: others may change in the same
   * commit.
   */
  readonly slack: number
  readonly positions: readonly Omit<Position, 'user'>[]
}

export interface RankAnswer {
  /** For each position how many entries come before it; with a limit, no more are counted than that and the slack. */
  readonly before: readonly number[]
  /** With a limit, the entries from index `first` on: from `slack` before the last that ranks to `slack` after it. */
  readonly last: readonly Position[]
  /** From 0. */
  readonly first: number
}

export interface LeaderboardPage {
  /** How many rank; null: all. */
  readonly limit: number | null
  /** Entries whose `until` is not after it are passed over. */
  readonly at: Instant
  /** From 0; with `around`, counted from that user, and perhaps below 0. */
  readonly offset: number
  readonly count: number
  /** A user; nothing is answered when it does not rank. */
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

export interface CounterChange {
  readonly kind: CounterKind
  /** Empty for users; the achievement's key; `[system, level]` as JSON text for a level. */
  readonly key: string
  readonly by: number
}

export type Counters = readonly { readonly kind: CounterKind; readonly key: string; readonly count: number }[]

export interface ReadUserOptions {
  /** The newest awards of one system, or of all when `system` is absent; every one without `limit`. */
  readonly awards?: { readonly system?: string; readonly limit?: number }
  /**
   * The newest periods of a streak, by its key, null of the game's `streak`; every one without `limit`. Without
   * `streak` those of all streaks, in no order.
   */
  readonly periods?: { readonly limit?: number; readonly streak?: string | null }
  /** Entries of leaderboards: of one, of one run, or all. */
  readonly leaderboards?: { readonly leaderboard?: string; readonly run?: string }
  /** As in `UserRequest`. */
  readonly lookups?: readonly (EventLookup | null)[]
}

export interface UserView {
  readonly state: UserState | null
  readonly version: number
  readonly epoch: number
  /** Newest first; empty unless asked for. */
  readonly awards: readonly Award[]
  /** Newest first; empty unless asked for. */
  readonly periods: readonly StreakPeriod[]
  /** In order of leaderboard, then of run; empty unless asked for. */
  readonly leaderboards: readonly LeaderboardRow[]
  /** For each lookup what `LoadedUser.found` is. */
  readonly found: readonly (string | null)[]
  /** As in `LoadedUser`. */
  readonly notices: NoticeCursor | null
}

/** How much of profiles and attributes one chunk of a log has before it ends. */
export const CHUNK_BYTES = 262_144

export interface LoggedValues {
  readonly values: readonly LoggedValue[]
  /** The place of the last line looked at; null: there are no more lines. */
  readonly last: EntryCursor | null
}

/** With the place of the event, or of the entry that an award followed from. */
export interface LoggedValue extends EntryCursor {
  /** The local date of the event, or of the entry that an award followed from. */
  readonly date: Day
  readonly value: number
}

export interface LoggedEvents {
  readonly events: readonly LoggedEvent[]
  /** The place of the last line looked at; null: there are no more lines. */
  readonly last: EntryCursor | null
}

export interface LoggedEvent extends Pick<LoggedValue, 'date' | 'value'> {
  readonly metric: string
  readonly attributes: ReadonlyMap<string, string>
}

export interface EventsByOptions {
  readonly after?: EntryCursor & { readonly user: string }
  readonly limit?: number
}

/** Where an event is. */
export interface WrittenEvent extends EntryCursor {
  readonly id: string
  readonly user: string
}

/** Where a line stands in its user's log. */
export type EntryCursor = Pick<Entry, 'at' | 'seq'>

/** Local dates, both included. */
export interface DateRange {
  readonly from: Day
  readonly to: Day
}

/** What an event of a user added, or an award gave. */
export interface UserValue {
  readonly user: string
  /** The key of the metric, or of the points system. */
  readonly key: string
  /** The local date of the event, or of the entry that an award followed from. */
  readonly date: Day
  readonly value: number
}

export interface EventValues {
  readonly values: readonly UserValue[]
  /** The place of the last line looked at; null: there are no more lines. */
  readonly last: NonNullable<EventValuesOptions['after']> | null
}

export interface AwardValues {
  readonly values: readonly UserValue[]
  /** The place of the last of these awards; null: there are no more. */
  readonly last: NonNullable<AwardValuesOptions['after']> | null
}

export interface EventValuesOptions {
  readonly after?: TenantCursor
  readonly limit?: number
}

export interface AwardValuesOptions {
  readonly after?: AwardCursor & { readonly user: string; readonly system: string }
  readonly limit?: number
}

export interface AwardedValues {
  readonly values: readonly LoggedValue[]
  /** The last of these awards; null: there are no more. */
  readonly last: AwardCursor | null
}

/** Where an award stands among those of its user and system. */
export type AwardCursor = Pick<Award, 'at' | 'seq' | 'ordinal'>

export interface ReadAwardedOptions {
  readonly after?: AwardCursor
  readonly limit?: number
}

export interface ReadLogOptions {
  readonly after?: EntryCursor
  readonly limit?: number
}

export interface ReadNewestOptions {
  readonly before?: EntryCursor
  readonly limit?: number
}

/** How many users one search looks at. */
export const LOOKED_AT = 10_000

export interface FindUsersOptions {
  readonly search?: string
  /** Id of a user. */
  readonly after?: string
  readonly limit?: number
}

export interface FoundUsers {
  readonly users: readonly FoundUser[]
  /** The user looked at last, after whom to go on; null: there are no more. */
  readonly last: string | null
}

export type FoundUser = ReadUser | UnreadUser

export interface ReadUser {
  readonly user: string
  /** Without what has tables of its own. */
  readonly state: Omit<UserState, 'totals' | 'tallies' | 'completions' | 'points'>
}

/** A user whose row cannot be read, and why. */
export interface UnreadUser {
  readonly user: string
  readonly damage: string
}

export interface TenantsOptions {
  /** Id of a tenant. */
  readonly after?: string
  readonly limit?: number
}

export interface TenantUsers {
  readonly tenant: string
  readonly users: number
}

export interface PointsTotalsOptions {
  /** Id of a user. */
  readonly after?: string
  readonly limit?: number
}

export interface PointsTotal {
  readonly user: string
  readonly total: number
  readonly attributes: ReadonlyMap<string, string>
}

export interface FoundEvent extends EntryCursor {
  readonly user: string
  readonly metric: string
}

/** Where a line stands among those of a tenant. */
export interface TenantCursor extends EntryCursor {
  readonly user: string
}

export interface HeldLinesOptions {
  readonly user?: string
  /** With `user`, a place of that user's. */
  readonly after?: TenantCursor
  readonly limit?: number
}

export interface HeldLine {
  readonly user: string
  readonly event: Entry & EventRecorded
}

/** By which length of `UserState.streak` users are ordered. */
export type StreakLength = 'length' | 'longest'

export interface LongestStreaksOptions {
  /** A length and the id of a user. */
  readonly after?: { readonly length: number; readonly user: string }
  readonly limit?: number
}

export interface StreakHolder {
  readonly user: string
  /** Without what has tables of its own. */
  readonly state: Omit<UserState, 'totals' | 'tallies' | 'completions' | 'points'>
}

/** An API key as it is kept: its secret body is not there, only the hash of it. */
export interface StoredKey {
  readonly id: string
  /** Stands before the dot of the full key; no two keys have the same. */
  readonly prefix: string
  /** SHA-256 of the body, in hex. */
  readonly hash: string
  /** Whose key it is; null: an admin key, which belongs to the account. */
  readonly owner: UserKey | null
  /** Only admin keys are ever revoked. */
  readonly status: 'active' | 'revoked'
  readonly createdAt: Instant
  /** To the minute; only of admin keys. */
  readonly lastUsedAt: Instant | null
  /**
   * What it is for, as `read` or `events:steps`; null: all that the game lets clients do. Empty where what was stored
   * cannot be read: such a key opens nothing.
   */
  readonly can: readonly string[] | null
  /** From this instant on it is no key; null: never. */
  readonly expiresAt: Instant | null
}

export interface ApplicationKeysOptions {
  readonly user?: string
  /** The id of a key. */
  readonly after?: string
  readonly limit?: number
}

export type AdminKeyChange = Partial<Pick<StoredKey, 'prefix' | 'hash' | 'status'>> & { readonly lastUsedAt?: Instant }
