import { realpathSync } from 'node:fs'
import { GamificationError } from '../../src/errors.ts'
import { auditedTable } from '../../src/sql/audit.ts'
import { runSteps, type Steps } from '../../src/storage/steps.ts'
import type { JoinedTransaction, UserTransaction } from '../../src/storage/storage.ts'
import { saveUser, shortStock } from './commit.ts'
import { type Connection, chunk, isLocked, readParts, toConnection } from './connection.ts'
import type { Database, SqliteDatabase, SqliteDriver } from './driver.ts'
import { closedByHost, DRIVERS, driverOf, isDatabase, toDatabase } from './drivers/to-database.ts'
import { BUSY, isBusy, toSqliteError } from './errors.ts'
import type { FileWatch } from './file-watch.ts'
import { rankCounter } from './leaderboards.ts'
import { requireMigrated } from './migrate.ts'
import { removeFromFile } from './remove-user.ts'

/** Connections to hosts' databases, kept for the statements that were prepared on them. */
const guests = new WeakMap<SqliteDatabase, Connection>()

export interface Joinable {
  readonly file: string
  readonly source: unknown
  readonly watch: FileWatch
  /** True if a driver may have the file open beside the storage's own. */
  admits(driver: SqliteDriver): boolean
}

/** The host's transaction on a database of its own. */
export function joinSqlite(storage: Joinable, host: unknown): JoinedTransaction {
  const { file, watch } = storage
  const guest = checkDatabase(storage, host)
  const database = toDatabase(guest)
  const connection = guestOf(guest, file)
  const run = (text: string): void => {
    // The transaction that is open on this connection is ours, not the host's.
    if (isLocked(database)) throw busy(BUSY)
    database.prepare(text).run([])
  }
  const toError = (error: unknown): GamificationError => {
    watch.note(error)
    return isBusy(error) ? busy(error) : toSqliteError(file, error)
  }

  return {
    ...transactionOn(connection, () => watch.check()),
    // They were checked when the connection was first joined.
    checkTables: () => ({ now: null }),
    savepoint: (work) => {
      if (!database.isInTransaction()) throw new GamificationError('storage_unusable', 'The transaction is over.')
      try {
        run('savepoint laurels')
        return undoing(database, run, SAVEPOINT, work)
      } catch (error) {
        throw error instanceof GamificationError ? error : toError(error)
      }
    },
    begin: (work) => {
      if (database.isInTransaction()) {
        run('savepoint laurels')
        return { result: undoing(database, run, SAVEPOINT, work), isCommitted: false }
      }
      try {
        run('begin immediate')
      } catch (error) {
        throw toError(error)
      }
      return { result: undoing(database, run, TRANSACTION, work), isCommitted: true }
    },
  }
}

/**
 * A transaction that is open on a connection and has begun to write. It holds the whole database, so it needs no further
 * locks. `check` is called before each statement.
 */
function transactionOn(connection: Connection, check: () => void): UserTransaction {
  const checked = (): Connection => {
    check()
    return connection
  }
  return {
    all: (statement, params) => checked().all(statement, params),
    read: (parts) => readParts(checked(), parts),
    chunk: (statement, params, texts) => chunk(checked(), statement, params, texts),
    run: (statement, params) => {
      // The statement may write rows that are kept between transactions.
      checked().forget()
      connection.run(statement, params)
    },
    insertRows: (table, rows) => {
      const { insert } = auditedTable(table)
      checked().forget()
      for (const row of rows) connection.run(insert, row)
    },
    lock: check,
    lockUser: check,
    save: ({ tenant, user }, { state, version, found, notices }, save) => {
      const error = shortStock(checked(), [{ user: { tenant }, save }])
      if (error !== null) throw error
      const ranks = rankCounter(connection)({ tenant, user }, save.ranks)
      saveUser(connection, { tenant, user, state, version, found, notices }, save)
      return ranks
    },
    removeUser: (key, options) => removeFromFile(checked(), key, options),
  }
}

function waited(): GamificationError {
  return new GamificationError(
    'internal',
    'The callback of the transaction returned a promise. It must be synchronous. Nothing was saved.',
  )
}

/**
 * Runs the steps of a transaction, which must wait for nothing. Throws `internal` for a promise: the steps would continue
 * after the transaction, so later statements of it are rejected too.
 */
export function runAtOnce<T>(connection: Connection, toSteps: (tx: UserTransaction) => Steps<T>): T {
  let isOver = false
  const tx = transactionOn(connection, () => {
    if (isOver) throw waited()
  })
  const answer = runSteps(toSteps(tx))
  isOver = true
  if (!(answer instanceof Promise)) return answer
  answer.catch(() => undefined)
  throw waited()
}

type Statements = readonly [end: string, undo: string]

const SAVEPOINT: Statements = ['release laurels', 'rollback to laurels']
const TRANSACTION: Statements = ['commit', 'rollback']

/** Runs `work`, then commits, or rolls back and throws the error of `work` unchanged. */
function undoing<T>(database: Database, run: (text: string) => void, [end, undo]: Statements, work: () => T): T {
  try {
    const result = work()
    run(end)
    return result
  } catch (error) {
    // SQLite itself may have undone everything already.
    if (database.isInTransaction()) {
      run(undo)
      if (end.startsWith('release')) run(end)
    }
    throw error
  }
}

function busy(cause: unknown): GamificationError {
  const message = 'Another connection writes: begin the transaction with BEGIN IMMEDIATE, and try it again as a whole.'
  return new GamificationError('unavailable', message, { cause })
}

function checkDatabase({ file, source, admits }: Joinable, host: unknown): SqliteDatabase {
  if (!isDatabase(host)) {
    throw new GamificationError('storage_unusable', `within() takes a database of ${DRIVERS}, on the same file.`)
  }
  const database = toDatabase(host)
  if (!database.isOpen()) throw closedByHost()
  if (host === source) return host
  const own = database.file()
  if (own === null || realPath(own) !== realPath(file)) {
    throw new GamificationError('storage_unusable', `The database given to within() is not ${file}.`)
  }
  if (admits(driverOf(host))) return host
  throw new GamificationError(
    'storage_unusable',
    `sqlite() has ${file} open with another driver than the database given to within(), and two copies of SQLite in one ` +
      "process would undo each other's locks. Give sqlite() a database of the same driver.",
  )
}

function realPath(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

function guestOf(host: SqliteDatabase, file: string): Connection {
  const known = guests.get(host)
  if (known !== undefined) return known
  const connection = toConnection(toDatabase(host))
  requireMigrated({ ...connection, read: (body) => body() }, file)
  guests.set(host, connection)
  return connection
}
