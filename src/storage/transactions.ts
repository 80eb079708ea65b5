import type { Instant } from '../rules/calendar.ts'
import type { DriftRow } from './audit.ts'
import type { StoredUser } from './reads.ts'
import type { UserKey } from './rows.ts'
import type { RankAnswer, UserSave } from './saves.ts'
import type { Reader, Statement } from './statements.ts'
import type { Eventually } from './steps.ts'

/**
 * Statements of a transaction, which see what it has written. They return values if the database is in the process,
 * otherwise promises.
 */
export interface SqlTransaction extends Pick<Reader, 'all' | 'read'> {
  /** As `all`, for a statement that writes and returns no rows. */
  run<Params>(statement: Statement<Params, unknown>, params: Params): Eventually<void>
}

/** A transaction that ends with the steps that run in it, of the storage or of the host. */
export interface UserTransaction extends SqlTransaction, Pick<Reader, 'chunk'> {
  /** Waits until all other transactions with this lock have ended. */
  lock(name: string): Eventually<void>

  /**
   * Locks a user, who may not be stored yet: others write it only after the transaction has ended. Users must be locked
   * in the order of their ids.
   */
  lockUser(key: UserKey, options?: LockUserOptions): Eventually<void>

  /**
   * Stores the decision about a user who is locked, and was read since. Returns how many entries came before the
   * positions until then, or `null` if the user or the newest epoch has changed since the read. Rejects with `OutOfStock`
   * if it takes more of a stock than there is.
   */
  save(key: UserKey, storedUser: StoredUser, save: UserSave): Eventually<readonly RankAnswer[] | null>

  /** Inserts rows into a table of derived rows, as the table or its view shows them. */
  insertRows(table: string, rows: readonly DriftRow[]): Eventually<void>

  /**
   * Removes every row of a user: the log, derived rows, and, unless names are kept, application keys, messages and
   * deliveries. No block of a leaderboard keeps the user's id. Counters, blocks and ranks no longer include the user. A
   * decision on an earlier state is no longer stored; a later call under the id creates a new user.
   *
   * In the host's transaction on Postgres it locks no leaderboard: positions stay there until another save of these, or
   * until `removeUser` with the version 0 after the host's commit.
   *
   * - `removed`: the user had rows.
   * - `unknown`: there was no row.
   * - `changed`: an option does not hold, and nothing was removed.
   */
  removeUser(key: UserKey, options?: RemoveUserOptions): Eventually<RemovedUser>
}

/** A transaction that stays open while the host's code waits. It locks no users, so a slow handler keeps few calls waiting. */
export interface OpenTransaction extends SqlTransaction {
  /** Runs a statement of the host, and returns its rows. Rejects with the error of the driver. */
  ask(text: string, values: readonly unknown[]): Promise<readonly unknown[]>
}

/** A transaction that the host begins, and commits or rolls back itself. Adapters make it from the host's handle. */
export interface HostTransaction {
  /** Runs the handlers of the messages recorded in it. */
  committed(): Promise<void>
  /** Calls `run` from `committed`. */
  afterCommit(run: () => void): void
}

/**
 * The host's transaction. Errors of the database about the transaction itself (a serialization failure, a deadlock) are
 * thrown unchanged: the host has to begin again.
 */
export interface JoinedTransaction extends UserTransaction {
  /** Rejects if the tables are not this code's, as `Storage.checkTables` does, by the connection of the transaction. */
  checkTables(): Eventually<{ readonly now: Instant | null }>
  /** Runs `work` inside a savepoint, which is rolled back if `work` throws. Calls do not overlap. */
  savepoint<T>(work: () => Eventually<T>): Eventually<T>
  /**
   * There if the methods answer at once. Runs `work` in the transaction that is open, or in one of its own, and says
   * whether it is committed.
   */
  begin?<T>(work: () => T): { readonly result: T; readonly isCommitted: boolean }
}

export interface LockUserOptions {
  /** Locks the other names of the user too, in the order of their ids, for `removeUser`. */
  readonly withNames?: boolean
}

export interface RemoveUserOptions {
  /** The version that the user must have. 0 if the user was removed before, and only rows that are left are removed. */
  readonly version?: number
  /**
   * Keeps application keys, messages, and other names of the user (`UserState.mergedInto`), because another user takes
   * the id. Without it other names are removed with the user.
   */
  readonly keepsNames?: boolean
  /** With `keepsNames`, removes the application keys of the user and of its other names nevertheless. */
  readonly endsKeys?: boolean
  /** Saves of users of the tenant in the same step. Their entries may keep their ids. */
  readonly replacement?: Replacement
}

export interface Replacement {
  /** The epoch of the decision. The result is `changed` if it is not the newest. */
  readonly epoch: number
  readonly users: readonly ReplacementUser[]
}

export interface ReplacementUser {
  readonly user: string
  /** The version that the user must have. 0 if no user has this id, or only the removed user has it. */
  readonly version: number
  readonly save: UserSave
}

export type RemovedUser = 'removed' | 'unknown' | 'changed'
