import type { SqliteDatabase } from '../driver.ts'

/** The whole path of the file that a connection has open, as SQLite tells it; null where it has none. */
export function fileOf(all: (text: string) => readonly unknown[]): string | null {
  const rows = all('pragma database_list') as readonly { readonly name: string; readonly file: string | null }[]
  return rows.find(({ name }) => name === 'main')?.file || null
}

/** Whether a connection is open, where no property tells. */
export function canPrepare(database: SqliteDatabase): boolean {
  return succeeds(() => database.prepare('select 1'))
}

export function succeeds(attempt: () => unknown): boolean {
  try {
    attempt()
    return true
  } catch {
    return false
  }
}
