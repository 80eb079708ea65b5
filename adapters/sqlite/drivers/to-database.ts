import { GamificationError } from '../../../src/errors.ts'
import type { Database, PreparedStatement, SqliteDatabase, SqliteDriver } from '../driver.ts'
import { codeOf } from '../errors.ts'

const DATABASES = 'pragma database_list'

/** The whole path of the file that a connection has open, as SQLite tells it, or `null` if it has none. */
function fileIn(databases: readonly unknown[]): string | null {
  const rows = databases as readonly { readonly name: string; readonly file: string | null }[]
  return rows.find(({ name }) => name === 'main')?.file || null
}

/** The part that all drivers share. */
function sharedBy(
  database: SqliteDatabase,
  prepare: Database['prepare'],
): Omit<Database, 'isOpen' | 'isInTransaction'> {
  return {
    prepare,
    file: () => fileIn(prepare(DATABASES).all([])),
    exec: (text) => void database.exec(text),
    ask: (text, values) => prepare(text).all(values),
    close: () => void database.close(),
  }
}

/** Returns whether a connection is open, if no property tells. */
function canPrepare(database: SqliteDatabase): boolean {
  return succeeds(() => database.prepare('select 1'))
}

export function succeeds(attempt: () => unknown): boolean {
  try {
    attempt()
    return true
  } catch {
    return false
  }
}

/** The parts of better-sqlite3 that laurels uses; libsql has the same shape. */
export interface BetterSqlite3 extends SqliteDatabase {
  readonly open: boolean
  readonly inTransaction: boolean
  prepare(text: string): Statement
  pragma(text: string): unknown
}

interface Statement {
  readonly reader: boolean
  run(values: readonly unknown[]): { readonly changes: number | bigint }
  get(values: readonly unknown[]): unknown
  all(values: readonly unknown[]): unknown[]
  iterate(values: readonly unknown[]): Iterable<unknown>
  safeIntegers(on: boolean): unknown
}

function isBetterSqlite3(database: object): database is BetterSqlite3 {
  return 'pragma' in database && 'inTransaction' in database
}

function fromBetterSqlite3(database: BetterSqlite3): Database {
  let isPlain: boolean | null = null
  const prepare = (text: string): PreparedStatement => {
    // libsql adds the member `_metadata` to a row that `get` answers; the rows of its `all` are plain.
    isPlain ??= !('_metadata' in (database.prepare('select 1').get([]) as object))
    return toPrepared(database.prepare(text), isPlain)
  }
  return {
    ...sharedBy(database, prepare),
    file: () => fileIn(database.prepare(DATABASES).all([])),
    isOpen: () => database.open,
    isInTransaction: () => database.inTransaction,
    ask: (text, values) => {
      const statement = database.prepare(text)
      if (statement.reader) return statement.all(values)
      statement.run(values)
      return []
    },
  }
}

function toPrepared(statement: Statement, isPlain: boolean): PreparedStatement {
  statement.safeIntegers(false)
  return {
    run: (values) => Number(statement.run(values).changes),
    get: isPlain ? (values) => statement.get(values) : (values) => statement.all(values)[0],
    all: (values) => statement.all(values),
    iterate: (values) => statement.iterate(values),
  }
}

/** The parts of a `Database` of `bun:sqlite` that laurels uses. */
export interface BunSqlite extends SqliteDatabase {
  readonly filename: string
  readonly inTransaction: boolean
  prepare(text: string): BunStatement
}

interface BunStatement {
  run(...values: readonly unknown[]): { readonly changes: number }
  get(...values: readonly unknown[]): unknown
  all(...values: readonly unknown[]): unknown[]
  iterate(...values: readonly unknown[]): Iterable<unknown>
  safeIntegers(on: boolean): unknown
}

function isBunSqlite(database: object): database is BunSqlite {
  return 'filename' in database && 'inTransaction' in database
}

function fromBunSqlite(database: BunSqlite): Database {
  return {
    ...sharedBy(database, (text) => toBunPrepared(database.prepare(text))),
    isOpen: () => canPrepare(database),
    isInTransaction: () => database.inTransaction,
  }
}

function toBunPrepared(statement: BunStatement): PreparedStatement {
  statement.safeIntegers(false)
  return {
    run: (values) => statement.run(...values).changes,
    get: (values) => statement.get(...values) ?? undefined,
    all: (values) => statement.all(...values),
    iterate: (values) => statement.iterate(...values),
  }
}

/** The parts of a `DatabaseSync` of `node:sqlite` that laurels uses. */
export interface NodeSqlite extends SqliteDatabase {
  /** Since Node 22.15. */
  readonly isOpen?: boolean
  /** Since Node 22.16. */
  readonly isTransaction?: boolean
  prepare(text: string): NodeStatement
}

interface NodeStatement {
  run(...values: readonly unknown[]): { readonly changes: number | bigint }
  get(...values: readonly unknown[]): object | undefined
  all(...values: readonly unknown[]): object[]
  iterate(...values: readonly unknown[]): Iterable<object>
  setReadBigInts(on: boolean): void
  /** Since Node 22.16. */
  setReturnArrays?(on: boolean): void
}

/**
 * Call it after the checks for the other drivers: the members that only `node:sqlite` has came with later versions of
 * Node, and Deno's lacks some.
 */
function isNodeSqlite(database: object): database is NodeSqlite {
  return 'prepare' in database && 'exec' in database && 'loadExtension' in database
}

function fromNodeSqlite(database: NodeSqlite): Database {
  const isOpen = (): boolean => database.isOpen ?? canPrepare(database)
  return {
    ...sharedBy(database, (text) => prepare(database, text)),
    isOpen,
    isInTransaction: () => database.isTransaction ?? (isOpen() && !canBegin(database)),
  }
}

function prepare(database: NodeSqlite, text: string): PreparedStatement {
  const statement = database.prepare(text)
  statement.setReadBigInts(false)
  statement.setReturnArrays?.(false)
  /**
   * A whole number beyond the safe integers, which only somebody else can have written, is read as the nearest number.
   */
  const read = <T>(rows: (toRow: (row: object) => object) => T): T => {
    try {
      return rows(toPlain)
    } catch (error) {
      if (!isTooLarge(error)) throw error
      statement.setReadBigInts(true)
      try {
        return rows(toNumbers)
      } finally {
        statement.setReadBigInts(false)
      }
    }
  }
  const all = (values: readonly unknown[]): object[] => read((toRow) => statement.all(...values).map(toRow))
  return {
    run: (values) => Number(statement.run(...values).changes),
    get: (values) =>
      read((toRow) => {
        const row = statement.get(...values)
        return row && toRow(row)
      }),
    all,
    iterate: function* (values) {
      let given = 0
      try {
        for (const row of statement.iterate(...values)) {
          yield toPlain(row)
          given += 1
        }
      } catch (error) {
        if (!isTooLarge(error)) throw error
        yield* all(values).slice(given)
      }
    },
  }
}

/** The rows of `node:sqlite` have no prototype, unlike all other objects of the library. */
function toPlain(row: object): object {
  return { ...row }
}

function toNumbers(row: object): object {
  const entries = Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value])
  return Object.fromEntries(entries)
}

function isTooLarge(error: unknown): boolean {
  return codeOf(error) === 'ERR_OUT_OF_RANGE'
}

/** Returns whether `begin` succeeds, which it does not within a transaction. This `begin` takes no lock. */
function canBegin(database: NodeSqlite): boolean {
  if (!succeeds(() => database.exec('begin'))) return false
  database.exec('rollback')
  return true
}

/** The path of a database without a file, for every driver. */
export const IN_MEMORY = ':memory:'

export const DRIVERS = 'better-sqlite3, libsql, node:sqlite or bun:sqlite'

/** How long a call may block inside SQLite. Longer waits happen outside of it, with the event loop free. */
const BUSY_TIMEOUT_MS = 20

const known = new WeakMap<SqliteDatabase, Database>()

/** Returns whether a value is shaped like a database of one of `DRIVERS`. */
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
  throw unusable('The database answers with promises. Use one with synchronous calls, such as libsql.')
}

function isPromise(value: unknown): value is Promise<unknown> {
  if (!(value instanceof Promise)) return false
  value.catch(() => undefined)
  return true
}

export function closedByHost(): GamificationError {
  return unusable('The host has closed the database.')
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
