import { GamificationError } from '../../../src/errors.ts'
import type { Database, SqliteDatabase, SqliteDriver } from '../driver.ts'
import { fromBetterSqlite3, isBetterSqlite3 } from './better-sqlite3.ts'
import { fromBunSqlite, isBunSqlite } from './bun-sqlite.ts'
import { fromNodeSqlite, isNodeSqlite } from './node-sqlite.ts'

export const DRIVERS = 'better-sqlite3, libsql, node:sqlite or bun:sqlite'

/** How long a call may stand still inside SQLite. Longer waits are outside of it, with the event loop free. */
const BUSY_TIMEOUT_MS = 20

const known = new WeakMap<SqliteDatabase, Database>()

/** Whether a value is shaped like a database of one of `DRIVERS`. */
export function isDatabase(value: unknown): value is SqliteDatabase {
  return typeof value === 'object' && value !== null && readerOf(value) !== null
}

/** Throws `storage_unusable` for a database that is closed, or that answers with promises. */
export function toDatabase(database: SqliteDatabase): Database {
  const made = known.get(database) ?? wrap(database)
  known.set(database, made)
  return made
}

function wrap(database: SqliteDatabase): Database {
  const made = readerOf(database)?.()
  if (made === undefined) throw unusable(`This is no database of ${DRIVERS}.`)
  if (!made.isOpen()) throw closedByHost()
  if (!isPromise(database.prepare('select 1'))) return made
  throw unusable('The database answers with promises: give one whose calls answer at once, as those of libsql do.')
}

function isPromise(value: unknown): value is Promise<unknown> {
  if (!(value instanceof Promise)) return false
  value.catch(() => undefined)
  return true
}

export function closedByHost(): GamificationError {
  return unusable('The database was closed by whoever opened it.')
}

function unusable(message: string): GamificationError {
  return new GamificationError('storage_unusable', message)
}

function readerOf(database: object): (() => Database) | null {
  if (isBetterSqlite3(database)) return () => fromBetterSqlite3(database)
  if (isBunSqlite(database)) return () => fromBunSqlite(database)
  return isNodeSqlite(database) ? () => fromNodeSqlite(database) : null
}

/** Opens a file. A missing file is created; with `isThere` it is an error. */
export function openDatabaseFile(
  Driver: SqliteDriver,
  file: string,
  { isThere }: { readonly isThere: boolean },
): Database {
  const options = { timeout: BUSY_TIMEOUT_MS, readwrite: true, create: !isThere, fileMustExist: isThere } as const
  const database = toDatabase(new Driver(file, options))
  // Not every driver knows the option `timeout`.
  database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`)
  return database
}

/** The driver's own class, not one that the host derived from it. */
export function driverOf(database: SqliteDatabase): SqliteDriver {
  let prototype: object = Object.getPrototypeOf(database)
  for (let next = prototype; next !== null && next !== Object.prototype; next = Object.getPrototypeOf(next)) {
    prototype = next
  }
  return prototype.constructor as SqliteDriver
}
