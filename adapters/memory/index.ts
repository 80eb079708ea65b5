import type { Storage } from '../../src/storage/storage.ts'
import { sqlite } from '../sqlite/index.ts'

/**
 * Keeps everything in this process, for tests and for trying out: a SQLite database in memory, which is gone after
 * `close()`. Engines that are given the same `memory()` share it. It needs no `migrate()`.
 *
 * It uses better-sqlite3 if it is installed, else the SQLite of Node, Bun or Deno. Its calls reject with `storage_unusable`
 * if there is none.
 */
export function memory(): Storage {
  return sqlite(':memory:')
}
