import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { GamificationError } from '../../src/errors.ts'
import { gameQueries, toGames } from '../sql/games.ts'
import { type Contents, type Findings, type InspectionQueries, inspectionQueries } from '../sql/inspection.ts'
import { type Connection, toConnection } from './connection.ts'
import { loadDriver } from './drivers/load.ts'
import { openDatabaseFile } from './drivers/to-database.ts'
import { toStorageError } from './errors.ts'
import { readMigrations } from './migrate.ts'
import { toFile } from './opener.ts'
import { sqliteTraits } from './traits.ts'
import { retryWhileHeld } from './writer-turns.ts'

export type { Contents, Examination, Findings } from '../sql/inspection.ts'

export interface Inspection extends Findings {
  /** The whole path. */
  readonly file: string
}

const DEADLINE_MS = 10_000

const queries: InspectionQueries = inspectionQueries(sqliteTraits)

/**
 * What a database file holds. Makes no file and changes none, not even its journal mode. Throws `storage_unusable` where
 * `sqlite()` could not be used either.
 */
export async function inspect(path: string): Promise<Inspection> {
  const file = toFile(path)
  const exists = existsSync(file)
  if (!exists && !existsSync(dirname(file))) {
    throw new GamificationError('storage_unusable', `${file}: its directory does not exist.`)
  }
  const Driver = await loadDriver()
  const end = performance.now() + DEADLINE_MS
  try {
    return await retryWhileHeld(end, () => {
      const database = openDatabaseFile(Driver, exists ? file : ':memory:', { isThere: exists })
      try {
        database.exec('pragma query_only = ON')
        return { file, exists, ...read(toConnection(database)) }
      } finally {
        database.close()
      }
    })
  } catch (error) {
    throw toStorageError(file, error)
  }
}

function read(connection: Connection): Omit<Inspection, 'file' | 'exists'> {
  return connection.read(() => {
    const { applied, pending } = readMigrations(connection)
    return { applied, pending, contents: applied.length === 0 ? null : readContents(connection) }
  })
}

function readContents(connection: Connection): Contents {
  return {
    games: toGames(connection.all(gameQueries(sqliteTraits).all, {})),
    users: connection.get(queries.users, {})?.count ?? 0,
    logEntries: connection.get(queries.logEntries, {})?.count ?? 0,
    counters: connection.all(queries.counters, {}),
    applicationKeys: connection.get(queries.applicationKeys, {})?.count ?? 0,
  }
}
