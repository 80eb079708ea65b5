import Database from 'better-sqlite3'
import type { SqliteDriver } from '../../adapters/sqlite/index.ts'

/** A disk whose size the tests decide: SQLite counts pages for each connection. */
interface SmallDisk {
  readonly driver: () => Promise<SqliteDriver>
  /** Room for so many pages more than there are. */
  leave(pages: number): void
  /** As much room as anybody could want. */
  clear(): void
}

const MOST_PAGES = 1_073_741_823

/** `pages`: how many there may be in all from the beginning. */
export function createSmallDisk(pages: number = MOST_PAGES): SmallDisk {
  const opened: Database.Database[] = []

  class Limited extends Database {
    constructor(file: string, options: Database.Options) {
      super(file, options)
      this.pragma(`max_page_count = ${pages}`)
      opened.push(this)
    }
  }

  const limit = (toMost: (used: number) => number): void => {
    for (const database of opened.filter(({ open }) => open)) {
      database.pragma(`max_page_count = ${toMost(Number(database.pragma('page_count', { simple: true })))}`)
    }
  }
  return {
    driver: async () => Limited,
    leave: (more) => limit((used) => used + more),
    clear: () => limit(() => MOST_PAGES),
  }
}
