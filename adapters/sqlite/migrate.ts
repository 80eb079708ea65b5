import { GamificationError } from '../../src/errors.ts'
import { type None, statement } from '../../src/sql/database.ts'
import {
  APPLIED,
  type Applied,
  migrationStatements,
  pendingMigrations,
  requireMigrated as requireApplied,
  requireNames,
} from '../../src/sql/migrations.ts'
import type { MigrationReport } from '../../src/storage/storage.ts'
import type { Connection } from './connection.ts'
import { createdNames } from './schema.ts'
import { sqliteTraits } from './traits.ts'

// `tables` is asked before the table is read: SQLite has one code for a missing table and for any mistake in a statement.
const EXAMINE = statement<None, { readonly version: string; readonly encoding: string; readonly tables: number }>(
  `select sqlite_version() as version, encoding,
    (select count(*) from sqlite_schema where type = 'table' and name = 'laurels_migrations') as tables
  from pragma_encoding`,
)
const FIND_REFERENCES = statement<None, { readonly name: string; readonly to: string }>(
  `select s.name, f."table" as "to" from sqlite_schema s, pragma_foreign_key_list(s.name) f
    where s.type = 'table' and lower(f."table") like 'laurels!_%' escape '!'`,
)

const FIND_NAMES = statement<None, { readonly name: string }>(
  `select name from sqlite_schema union all
    select s.name || '.' || c.name from sqlite_schema s, pragma_table_info(s.name) c where s.type = 'table'`,
)

/** From 2023-02, the first version with `unhex`. */
const OLDEST = [3, 41]

/** Throws `storage_unusable` if the driver's SQLite lacks a feature that the statements need. */
function requireVersion(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return
  const message = `The driver has SQLite ${version}, which is too old: give sqlite() a driver that has ${OLDEST.join('.')} or newer.`
  throw new GamificationError('storage_unusable', message)
}

/** Throws `storage_unusable` if text is UTF-16: packed ids and the order of ids need UTF-8. */
function requireUtf8(encoding: string): void {
  if (encoding === 'UTF-8') return
  const message = `The database keeps text as ${encoding}, and laurels needs UTF-8: copy what is in it to a new file, whose encoding is UTF-8.`
  throw new GamificationError('storage_unusable', message)
}

/**
 * Throws `storage_unusable` if a table of the host refers to one of ours: replacing our table would remove the rows
 * that refer to it.
 */
function checkReferences(connection: Connection): void {
  const [found] = connection.all(FIND_REFERENCES, {})
  if (found === undefined) return
  const message = `The table ${found.name} has a foreign key to ${found.to}, which migrations may replace: take it away, keep the ids alone, and call migrate() again.`
  throw new GamificationError('storage_unusable', message)
}

/** One transaction around all of it: of eight processes that start at once, one migrates and seven find it done. */
export function migrateFile(connection: Connection): MigrationReport {
  const found = connection.read(() => readApplied(connection))
  if (pendingMigrations(sqliteTraits, found).length === 0) return { applied: [] }
  const report = connection.write(() => {
    const applied = readApplied(connection)
    checkReferences(connection)
    connection.exec(migrationStatements(sqliteTraits, applied).join(';\n'))
    return { applied: pendingMigrations(sqliteTraits, applied).map(({ name }) => name) }
  })
  writeBack(connection)
  return report
}

/**
 * Writes the WAL back, so that the tables are in the file itself, where damage is detected. Otherwise they might be
 * only in the WAL for a long time.
 */
function writeBack(connection: Connection): void {
  try {
    connection.exec('pragma wal_checkpoint(passive)')
  } catch {
    // SQLite itself writes the WAL back later.
  }
}

export function requireMigrated(connection: Connection, file: string): void {
  const applied = connection.read(() => readApplied(connection))
  requireApplied(sqliteTraits, applied, file)
}

/** Throws `storage_unusable` if a table, a column or a view is missing. */
export function requireCreated(connection: Connection, file: string): void {
  const found = new Set(connection.read(() => connection.all(FIND_NAMES, {})).map(({ name }) => name))
  const missing = createdNames().filter((name) => !found.has(name))
  requireNames(missing.sort(), file)
}

/** Returns the migrations that were applied. Throws `storage_unusable` if laurels cannot use this SQLite or this file. */
export function readApplied(connection: Connection): readonly Applied[] {
  const { version = '', encoding = '', tables = 0 } = connection.get(EXAMINE, {}) ?? {}
  requireVersion(version)
  requireUtf8(encoding)
  return tables === 1 ? connection.all(APPLIED, {}) : []
}

/** The SQL that `migrate()` would run on a file after the migrations `applied`, as one transaction to run by hand. */
export function sqliteScript(applied: readonly Applied[]): string {
  const statements = ['begin immediate', ...migrationStatements(sqliteTraits, applied), 'commit']
  return statements.map((text) => `${text};\n`).join('\n')
}
