import type { Instant } from '../rules/calendar.ts'
import type { BlockGroup, Drift, UserAuditOptions } from './audit.ts'
import type { LeaderboardLine, LeaderboardPage } from './reads.ts'
import type { UserKey } from './rows.ts'
import type { CommitReport, Decide, RankAnswer, RankedGroup, RankRequest, UserRequest } from './saves.ts'
import type { LogTexts, Parts, Reader, RowsOf, Statement } from './statements.ts'
import type { Steps } from './steps.ts'
import type { JoinedTransaction, OpenTransaction, UserTransaction } from './transactions.ts'

export * from './reads.ts'
export * from './saves.ts'
export * from './stock.ts'
export * from './transactions.ts'

/**
 * The operations that the engine needs of a database. An adapter holds no rule of the game: it runs the statements of `src/sql`, and
 * stores each user's log with the rows derived from it. Dates and instants are integers (days and milliseconds since
 * 1970). Texts are stored and compared byte by byte. `-0` never arrives.
 *
 * Failure: if a method rejects, nothing was written. The error is a `GamificationError` with one of these codes:
 * - `unavailable`: the database was not reached or not locked before the deadline.
 * - `storage_full`, `storage_unusable`, `closed`.
 * - `outcome_unknown`: the only code after which something may have been written.
 *
 * Time: a call has `deadlineMs`, or until the deadline of `until`. A call that was not sent by then rejects with
 * `unavailable` and is never sent. A call that was sent settles within about a second after its deadline.
 */
export interface Storage extends Reader {
  /** The name of the adapter: `sqlite`, `postgres`, `memory`. */
  readonly name: string
  /** How long a call may take to reach the database. */
  readonly deadlineMs: number
  /** How many users to audit at once: 1 if the database is in the process, and answers one call after the other. */
  readonly auditsAtOnce: number
  /** How a row has a boolean. */
  readonly toBoolean: (value: boolean) => boolean | number

  /** This storage with a deadline by `performance.now()` for its calls. Cheap enough for every call. */
  until(deadline: number): Storage

  /**
   * A number that is another one after a write, unless `commit` made it, so that other rows can be cached. It is exact for
   * writes of this storage. If the database does not tell when others write, the number also changes once a second.
   */
  changes(): number

  /** The rows of a statement that only reads, and may run twice. */
  all<Params, Row>(statement: Statement<Params, Row>, params: Params): Promise<readonly Row[]>

  /** The rows of several such statements, as of one moment. */
  read<Some extends Parts>(parts: Some): Promise<RowsOf<Some>>

  /**
   * As `all`, for a page of a list of any length. The database reads it in the order of an index and sorts nothing, even
   * without statistics.
   */
  page<Params, Row>(statement: Statement<Params, Row>, params: Params): Promise<readonly Row[]>

  /** As `all`, for lines of one log in their order or against it. Ends when these texts reach about `CHUNK_BYTES`. */
  chunk<Params, Row extends object>(
    statement: Statement<Params, Row>,
    params: Params,
    texts: readonly (keyof LogTexts & keyof Row)[],
    order?: 'asc' | 'desc',
  ): Promise<readonly Row[]>

  /** The rows that a statement returns which writes, and does the same again when it runs twice. */
  change<Params, Row>(statement: Statement<Params, Row>, params: Params): Promise<readonly Row[]>

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

  /**
   * Loads the users, asks `decide` what to store, and stores it. `requests` name each user at most once.
   *
   * - The arguments of `decide` are still true when its answer is stored: no other write of these users comes between.
   * - `decide` is synchronous and has no other effects than its answer. It may be called again with fresher users, or
   *   with some of them only. The last answer for each user is stored; `null` stores nothing.
   * - One user's save is stored completely or not at all. If the promise resolves, every save is durable except the
   *   failures in the report. If it rejects, none is stored. After `outcome_unknown` it may be stored, in both.
   * - If the saves take more of a stock than there is (`UserSave.stock`), the commit rejects with `OutOfStock`, or reports
   *   it as the failure of users. The check and the saves are one step.
   * - If `decide` throws, the error is passed on unchanged, and nothing is stored.
   * - A save that would break the log rejects the whole commit with `internal`. Examples are a known entry id or
   *   idempotency key, a gap in `seq`, another `before` than the stored state, and an unknown line in `updatedEntries`.
   */
  commit(requests: readonly UserRequest[], decide: Decide): Promise<CommitReport>

  /** How many entries come before these positions, at one moment. */
  ranks(user: UserKey, requests: readonly RankRequest[]): Promise<readonly RankAnswer[]>

  /** A page of one group of one run, in its order (`comparePositions`), at one moment. */
  leaderboardPage(tenant: string, key: RankedGroup, page: LeaderboardPage): Promise<readonly LeaderboardLine[]>

  /**
   * Compares the blocks of a group with its entries, pending ones included, in one snapshot, and returns the blocks
   * that differ. With `repair` it rebuilds the blocks of such a group.
   */
  auditBlocks(group: BlockGroup, options?: UserAuditOptions): Promise<readonly Drift[]>

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
