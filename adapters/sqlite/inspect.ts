import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { GamificationError } from '../../src/errors.ts'
import { type Examination, type Findings, pendingMigrations, readContents } from '../../src/sql/migrations.ts'
import { type Eventually, runSteps, type Steps } from '../../src/storage/steps.ts'
import { type Connection, readParts, toConnection } from './connection.ts'
import { describeDriver, loadDriver } from './drivers/load.ts'
import { IN_MEMORY, openDatabaseFile } from './drivers/to-database.ts'
import { retryWhileBusy, toSqliteError } from './errors.ts'
import { toFile } from './file-connections.ts'
import { readApplied } from './migrate.ts'
import { sqliteTraits } from './traits.ts'

export type { Contents, Examination, Findings } from '../../src/sql/migrations.ts'

export interface Inspection extends Findings {
  /** The whole path. */
  readonly file: string
}

const DEADLINE_MS = 10_000

/**
 * Reports the content of a database file. Makes no file and changes none, not even its journal mode. Throws
 * `storage_unusable` in the cases in which `sqlite()` would be unusable.
 */
export async function inspectSqlite(path: string): Promise<Inspection> {
  const file = toFile(path)
  const exists = existsSync(file)
  if (!exists && !existsSync(dirname(file))) {
    throw new GamificationError('storage_unusable', `${file}: its directory does not exist.`)
  }
  const Driver = await loadDriver()
  const end = performance.now() + DEADLINE_MS
  try {
    const found = await retryWhileBusy(end, () => {
      const database = openDatabaseFile(Driver, exists ? file : IN_MEMORY, { isThere: exists })
      try {
        database.exec('pragma query_only = ON')
        return findingsOf(toConnection(database))
      } finally {
        database.close()
      }
    })
    return { file, exists, ...found }
  } catch (error) {
    throw toSqliteError(file, error)
  }
}

function findingsOf(connection: Connection): Eventually<Omit<Inspection, 'file' | 'exists'>> {
  function* read(): Steps<Omit<Inspection, 'file' | 'exists'>> {
    const applied = readApplied(connection)
    const pending = pendingMigrations(sqliteTraits, applied).map(({ name }) => name)
    if (applied.length === 0) return { applied, pending, contents: null }
    const contents = yield* readContents({ read: (parts) => readParts(connection, parts) })
    return { applied, pending, contents }
  }
  return connection.read(() => runSteps(read()))
}

/**
 * The driver that files are opened with, and its version of SQLite. Opens no file; throws `storage_unusable` if there
 * is no driver.
 */
export async function examineSqlite(): Promise<Examination> {
  const Driver = await loadDriver()
  const database = openDatabaseFile(Driver, IN_MEMORY, { isThere: false })
  try {
    const row = database.prepare('select sqlite_version() as version').get([])
    const { version } = row as { readonly version: string }
    return { driver: await describeDriver(), server: `SQLite ${version}`, clock: null, role: null }
  } finally {
    database.close()
  }
}
