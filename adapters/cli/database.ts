import { GamificationError } from '../../src/errors.ts'
import { type Inspection, inspect } from '../sqlite/inspect.ts'
import { wrongCall } from './text.ts'

/** The path given with `--db`. */
export function readDatabasePath(value: string | undefined): string {
  if (value === undefined || value === '') throw wrongCall('--db is missing: give the path of the SQLite database')
  if (/^postgres(ql)?:/i.test(value)) throw wrongCall('--db takes the path of a SQLite database, not of Postgres')
  return value
}

/** For a command that makes no database. Throws `storage_unusable` where there is none. */
export async function inspectExisting(path: string): Promise<Inspection> {
  const inspection = await inspect(path)
  if (inspection.exists) return inspection
  throw new GamificationError(
    'storage_unusable',
    `There is no database at ${inspection.file}. Give another path, or make it: laurels migrate --db <file>`,
  )
}

/** Throws `storage_unusable` where the tables are not those of this version. */
export async function requireMigrated(path: string): Promise<void> {
  const { file, pending } = await inspectExisting(path)
  if (pending.length === 0) return
  throw new GamificationError(
    'storage_unusable',
    `${file} lacks tables of laurels. Give another path, or make them: laurels migrate --db <file>`,
  )
}
