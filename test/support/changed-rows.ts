import type Database from 'better-sqlite3'

/**
 * Runs a statement that has to change a row, be it one that a view shows: of such rows SQLite itself counts those that
 * a trigger has changed, and none for the statement.
 */
export function changeRow(database: Database.Database, text: string, values: readonly unknown[] = []): void {
  const count = database.prepare<[], number>('select total_changes()').pluck()
  const before = count.get() ?? 0
  database.prepare(text).run([...values])
  if (count.get() === before) throw new Error(`No row was changed: ${text}`)
}
