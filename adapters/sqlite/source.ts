import type { SqliteDatabase, SqliteDriver } from './driver.ts'

/** A path or URL of a file, `:memory:`, or the host's own database of any of the drivers. */
export type SqliteSource = string | { readonly href: string } | SqliteDatabase

export interface SqliteOptions {
  /**
   * `FULL` (default): what was answered survives a power cut. `NORMAL` is faster and may lose the last moments before a
   * power cut or a crash of the system, never of the process alone; the file stays sound either way.
   */
  readonly synchronous?: 'NORMAL' | 'FULL'
  /**
   * For how many milliseconds a call tries to get a database that others hold, before it rejects with `unavailable`.
   * Default: 10,000.
   */
  readonly busyDeadlineMs?: number
  /** Loads the class that files are opened with, where a bundler or a test has to do it in its own way. */
  readonly driver?: () => Promise<SqliteDriver>
}
