import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GamificationError } from '../../src/errors.ts'
import { checkMilliseconds, checkOptions, describeGiven, invalidOption, textOf } from '../../src/options.ts'
import { memoize } from '../../src/sql/memoize.ts'
import { type Connection, type OpenOptions, openConnection, toConnection } from './connection.ts'
import type { SqliteDatabase, SqliteDriver, SqliteOptions, SqliteSource } from './driver.ts'
import { loadDriver, loadGiven } from './drivers/load.ts'
import { DRIVERS, driverOf, IN_MEMORY, isDatabase, toDatabase } from './drivers/to-database.ts'
import { retryWhileBusy } from './errors.ts'
import { type FileWatch, NO_WATCH, watchFile } from './file-watch.ts'
import { createTables } from './migrate.ts'

const WANTED = `give it the path of a file, as sqlite('app.db'), ':memory:', or a database of ${DRIVERS}`

/** Throws `storage_unusable` for a source that `sqlite()` cannot open. */
export function checkSqliteSource(source: unknown): void {
  const text = textOf(source)
  if (text !== null) checkText(text)
  else if (!isDatabase(source)) {
    const question = source === undefined ? ' Is the variable set that it comes from?' : ''
    throw unusable(`sqlite() was given ${describeGiven(source)}: ${WANTED}.${question}`)
  }
}

function checkText(source: string): void {
  const [, scheme = 'file'] = /^([a-z][a-z\d+.-]*):\/\//i.exec(source) ?? []
  if (scheme.toLowerCase() === 'file') return
  const remedy = /^postgres/i.test(scheme) ? 'give it to postgres() from laurels/postgres' : WANTED
  throw unusable(`sqlite() was given a URL of ${scheme}: ${remedy}.`)
}

function unusable(message: string): GamificationError {
  return new GamificationError('storage_unusable', message)
}

export function checkSqliteOptions(options: unknown): void {
  checkOptions('options of sqlite()', options, ['synchronous', 'busyDeadlineMs', 'driver'])
  const { synchronous, busyDeadlineMs, driver } = options as { readonly [name: string]: unknown }
  if (synchronous !== undefined && synchronous !== 'FULL' && synchronous !== 'NORMAL') {
    throw invalidOption('synchronous', "'FULL' or 'NORMAL'", synchronous)
  }
  checkMilliseconds('busyDeadlineMs', busyDeadlineMs)
  if (driver !== undefined && typeof driver !== 'function') {
    throw invalidOption('driver', 'a function that loads the class of a driver', driver)
  }
}

/** Loaded once for all storages: finding the package takes a tenth of the time of opening a database in memory. */
const INSTALLED = memoize(() => loadDriver())

export interface Connections {
  /** The first connection: opened by the first call, or by the next call if that failed. */
  open(end: number): Promise<Connection>
  /** A second connection to the same file, for transactions that stay open; the first one if there can be no second. */
  openSecond(end: number): Promise<Connection>
  /** The first connection; null until it is open. */
  opened(): Connection | null
  /**
   * Returns whether `driver` may have the file open beside ours. Two copies of SQLite in one process must not share a file: as
   * soon as one closes it, the locks of the other are gone. The driver that comes first is the one that may.
   */
  admits(driver: SqliteDriver): boolean
  close(): Promise<void>
}

export function createConnections(
  source: SqliteSource,
  file: string,
  watch: FileWatch,
  options: SqliteOptions,
): Connections {
  const { synchronous = 'FULL', driver } = options
  let opened: Connection | null = null
  let Driver: SqliteDriver | null = isDatabaseOf(source) ? driverOf(source) : null

  const first = memoize(async (end: number) => {
    const host = toHostInMemory(source)
    if (host !== null) opened = toConnection(toDatabase(host))
    else {
      const loaded = Driver ?? (await (driver === undefined ? INSTALLED.get() : loadGiven(driver)))
      const Own = Driver ?? loaded
      Driver = Own
      const connection = await retryWhileBusy(end, () => openConnection(Own, { file, watch, synchronous }))
      if (file === IN_MEMORY) createTables(connection)
      opened = connection
    }
    return opened
  })
  const second = memoize(async (end: number) => {
    const connection = await first.get(end)
    const Own = Driver
    if (Own === null || hasOneConnection(source, file)) return connection
    return retryWhileBusy(end, () => openSecondConnection(Own, { file, synchronous }, watch))
  })

  return {
    open: first.get,
    openSecond: second.get,
    opened: () => opened,
    admits: (driver) => {
      Driver ??= driver
      return Driver === driver
    },
    close: async () => {
      const connections = await Promise.all([second.current(), first.current()])
      for (const connection of new Set(connections)) connection?.close()
    },
  }
}

function openSecondConnection(Driver: SqliteDriver, options: OpenOptions, watch: FileWatch): Connection {
  const connection = openConnection(Driver, options)
  try {
    // The file at the path may be another one by now.
    watch.check(true)
  } catch (error) {
    connection.close()
    throw error
  }
  return connection
}

function isDatabaseOf(source: SqliteSource): source is SqliteDatabase {
  return typeof source === 'object' && !('href' in source)
}

/** A database of the host to which no second connection can be made. */
function toHostInMemory(source: SqliteSource): SqliteDatabase | null {
  return isDatabaseOf(source) && toDatabase(source).file() === null ? source : null
}

/** Returns whether the database is in memory, if no second connection can be made to it. */
function hasOneConnection(source: SqliteSource, file: string): boolean {
  return toHostInMemory(source) !== null || file === IN_MEMORY
}

export function watchOf(source: SqliteSource, file: string): FileWatch {
  return hasOneConnection(source, file) ? NO_WATCH : watchFile(file)
}

/** The absolute path of the file, so that later changes of the working directory do not matter. */
export function toFile(source: SqliteSource): string {
  if (isDatabaseOf(source)) return toDatabase(source).file() ?? 'The database in memory'
  const given = typeof source === 'string' ? source : source.href
  if (given === '') throw unusable(`Give sqlite() the path of a file, or ':memory:'.`)
  if (given === IN_MEMORY) return given
  try {
    return given.startsWith('file://') ? fileURLToPath(given) : resolve(given.replace(/^file:/, ''))
  } catch (cause) {
    throw new GamificationError('storage_unusable', 'The URL of the file names none: write file:///path/app.db.', {
      cause,
    })
  }
}
