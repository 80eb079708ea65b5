import type { Storage } from '../../src/storage/storage.ts'
import { openDatabase } from './database.ts'
import type { SqliteOptions, SqliteSource } from './driver.ts'
import { checkSqliteOptions, checkSqliteSource } from './file-connections.ts'
import { storageOn } from './storage.ts'
import { joinSqlite } from './transaction.ts'

export type { SqliteDatabase, SqliteDriver, SqliteDriverOptions, SqliteOptions, SqliteSource } from './driver.ts'

/**
 * Keeps everything in a SQLite file: given the file's path or URL, `:memory:`, or the host's own database, of
 * better-sqlite3, libsql, `node:sqlite` or `bun:sqlite`. On Node a path is opened with better-sqlite3 if it is
 * installed, else with `node:sqlite`; on Bun with `bun:sqlite`. Beside the host's database a second connection to the
 * same file is opened, by the same driver. A database in memory has only one connection, which is then used between the
 * host's transactions.
 *
 * Nothing is opened before the first call. Throws `storage_unusable` for a source that no driver can open, and
 * `invalid_request` for a wrong option.
 */
export function sqlite(source: SqliteSource, options: SqliteOptions = {}): Storage {
  checkSqliteSource(source)
  checkSqliteOptions(options)
  return storageOn(openDatabase(source, options), ({ file, watch, admits }, host) =>
    joinSqlite({ file, source, watch, admits }, host),
  )
}
