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

const FIND_MIGRATIONS = statement<None, unknown>(
  `select 1 from sqlite_schema where type = 'table' and name = 'laurels_migrations'`,
)

const FIND_NAMES = statement<None, { readonly name: string }>(
  `select name from sqlite_schema union all
    select s.name || '.' || c.name from sqlite_schema s, pragma_table_info(s.name) c
      where s.type = 'table' and s.name like 'laurels!_%' escape '!'`,
)

/** One transaction around all of it: of eight processes that start at once, one migrates and seven find it done. */
export function migrateFile(connection: Connection): MigrationReport {
  const found = connection.read(() => readApplied(connection))
  if (pendingMigrations(sqliteTraits, found).length === 0) return { applied: [] }
  const report = connection.write(() => {
    const applied = readApplied(connection)
    connection.checks.references(connection)
    connection.exec(migrationStatements(sqliteTraits, applied).join(';\n'))
    return { applied: pendingMigrations(sqliteTraits, applied).map(({ name }) => name) }
  })
  writeBack(connection)
  return report
}

/** Makes the tables of a new database in memory. */
export function createTables(connection: Connection): void {
  connection.checks.sqlite(connection)
  connection.write(() => connection.exec(ALL_STATEMENTS))
}

const ALL_STATEMENTS = migrationStatements(sqliteTraits, []).join(';\n')

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
  connection.checks.sqlite(connection)
  // SQLite has one code for a missing table and for any mistake in a statement.
  return connection.get(FIND_MIGRATIONS, {}) === undefined ? [] : connection.all(APPLIED, {})
}

/** The SQL that `migrate()` would run on a file after the migrations `applied`, as one transaction to run by hand. */
export function sqliteScript(applied: readonly Applied[]): string {
  const statements = ['begin immediate', ...migrationStatements(sqliteTraits, applied), 'commit']
  return statements.map((text) => `${text};\n`).join('\n')
}
