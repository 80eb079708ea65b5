import { wrongCall } from './text.ts'

/** The path given with `--db`. */
export function readDatabasePath(value: string | undefined): string {
  if (value === undefined || value === '') throw wrongCall('--db is missing: give the path of the SQLite database')
  if (/^postgres(ql)?:/i.test(value)) throw wrongCall('--db takes the path of a SQLite database, not of Postgres')
  return value
}
