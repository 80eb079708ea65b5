import type Database from 'better-sqlite3'

/** Runs a statement that has to change a row. */
export function changeRow(database: Database.Database, text: string, values: readonly unknown[] = []): void {
  const { changes } = database.prepare(text).run([...values])
  if (changes === 0) throw new Error(`No row was changed: ${text}`)
}
