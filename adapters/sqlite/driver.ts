/**
 * A database of better-sqlite3, libsql, `node:sqlite` or `bun:sqlite`. Only what all of them have is named, so that our
 * types need none of theirs.
 */
export interface SqliteDatabase {
  prepare(text: string): unknown
  exec(text: string): unknown
  close(): unknown
}

/** The class of a driver's databases. A driver ignores the options that it does not know. */
export type SqliteDriver = new (file: string, options: SqliteDriverOptions) => SqliteDatabase

export interface SqliteDriverOptions {
  readonly timeout: number
  readonly create: boolean
  readonly readwrite: true
  readonly fileMustExist: boolean
}

/** A connection to a database, the same for every driver. */
export interface Database {
  /** The whole path of its file, or `null` in memory, or temporary. */
  file(): string | null
  isOpen(): boolean
  isInTransaction(): boolean
  prepare(text: string): PreparedStatement
  exec(text: string): void
  /** Runs any statement, and returns its rows, if it has any. */
  ask(text: string, values: readonly unknown[]): unknown[]
  close(): void
}

/** Whole numbers come as numbers, whatever the host has asked its connection for. */
export interface PreparedStatement {
  run(values: readonly unknown[]): number
  get(values: readonly unknown[]): unknown
  all(values: readonly unknown[]): unknown[]
  iterate(values: readonly unknown[]): Iterable<unknown>
}

/** A path or URL of a file, `:memory:`, or the host's own database of any of the drivers. */
export type SqliteSource = string | { readonly href: string } | SqliteDatabase

export interface SqliteOptions {
  /**
   * `FULL` (default): saved calls survive a power cut. `NORMAL` is faster, and may lose the last moments before a power
   * cut or a crash of the system, but not of the process. The file stays intact in both modes.
   */
  readonly synchronous?: 'NORMAL' | 'FULL'
  /**
   * The most milliseconds that a call waits for a file that another process has locked. Then it rejects with
   * `unavailable`, and nothing is saved. Default: 10,000.
   */
  readonly busyDeadlineMs?: number
  /** Loads the class that files are opened with, if a bundler or a test has to do it in its own way. */
  readonly driver?: () => Promise<SqliteDriver>
}
