import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { GamificationError } from '../../src/errors.ts'
import type { JoinedStorage } from '../../src/storage.ts'
import { loadGames } from './commit.ts'
import { type Connection, toConnection } from './connection.ts'
import type { SqliteDatabase } from './driver.ts'
import { isHeld, toStorageError } from './errors.ts'
import type { FileWatch } from './file-watch.ts'
import { loadView } from './load.ts'
import { loadLog } from './log.ts'
import { requireMigrated } from './migrate.ts'
import { saveUser } from './save.ts'
import { countStandings } from './standings.ts'

/** With the statements that were prepared for it. */
const guests = new WeakMap<SqliteDatabase, Connection>()

/** `file` is that of the storage, `source` what it was made from. */
export function join(file: string, source: unknown, host: unknown, watch: FileWatch): JoinedStorage {
  const database = checkDatabase(file, source, host)
  const connection = guestOf(database, file)
  const run = (text: string): void => void database.prepare(text).run([])
  const told = (error: unknown): GamificationError => {
    watch.note(error)
    return isHeld(error) ? busy(error) : toStorageError(file, error)
  }
  const begin = (text: string): void => {
    try {
      run(text)
    } catch (error) {
      throw told(error)
    }
  }

  return {
    games: () => loadGames(connection),
    lockUser: (key, options = {}) => loadView(connection, key, options),
    readLog: (key, options) => loadLog(connection, key, options),
    save: ({ tenant, user }, { state, version, found }, save) => {
      watch.check()
      const standings = countStandings(connection, { tenant, user }, save.standings)
      saveUser(connection, { tenant, user, state, version, found }, save)
      return standings
    },
    attempt: (work) => {
      if (!database.inTransaction) throw new GamificationError('storage_unusable', 'The transaction is over.')
      try {
        run('savepoint laurels')
        return undoing(database, run, SAVEPOINT, work)
      } catch (error) {
        throw error instanceof GamificationError ? error : told(error)
      }
    },
    transact: (work) => {
      if (database.inTransaction) {
        run('savepoint laurels')
        return { result: undoing(database, run, SAVEPOINT, work), isCommitted: false }
      }
      begin('begin immediate')
      return { result: undoing(database, run, TRANSACTION, work), isCommitted: true }
    },
  }
}

type Statements = readonly [end: string, undo: string]

const SAVEPOINT: Statements = ['release laurels', 'rollback to laurels']
const TRANSACTION: Statements = ['commit', 'rollback']

/** Runs `work`, then ends what was begun, or undoes it; what is thrown is thrown on as it is. */
function undoing<T>(database: SqliteDatabase, run: (text: string) => void, [end, undo]: Statements, work: () => T): T {
  try {
    const result = work()
    run(end)
    return result
  } catch (error) {
    // SQLite itself may have undone everything already.
    if (database.inTransaction) {
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

function checkDatabase(file: string, source: unknown, host: unknown): SqliteDatabase {
  if (!isDatabase(host)) {
    throw new GamificationError('storage_unusable', 'within() takes a Database of better-sqlite3, on the same file.')
  }
  if (!host.open) throw new GamificationError('storage_unusable', 'The database was closed by whoever opened it.')
  if (host === source || (!host.memory && realPath(resolve(host.name)) === realPath(file))) return host
  throw new GamificationError('storage_unusable', `The database given to within() is not ${file}.`)
}

function realPath(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

function isDatabase(value: unknown): value is SqliteDatabase {
  return typeof value === 'object' && value !== null && 'prepare' in value && 'inTransaction' in value
}

function guestOf(database: SqliteDatabase, file: string): Connection {
  const known = guests.get(database)
  if (known !== undefined) return known
  const connection = toConnection(database)
  requireMigrated({ ...connection, read: (body) => body() }, file)
  guests.set(database, connection)
  return connection
}
