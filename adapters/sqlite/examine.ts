import type { Examination } from '../sql/inspection.ts'
import { describeDriver, loadDriver } from './drivers/load.ts'
import { openDatabaseFile } from './drivers/to-database.ts'

/**
 * The driver that files are opened with, and its version of SQLite. Opens no file; throws `storage_unusable` where
 * there is no driver.
 */
export async function examine(): Promise<Examination> {
  const Driver = await loadDriver()
  const database = openDatabaseFile(Driver, ':memory:', { isThere: false })
  try {
    const row = database.prepare('select sqlite_version() as version').get([])
    const { version } = row as { readonly version: string }
    return { driver: await describeDriver(), server: `SQLite ${version}`, clock: null, role: null }
  } finally {
    database.close()
  }
}
