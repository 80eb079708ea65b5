import { GamificationError } from '../../src/errors.ts'

/** What is used of better-sqlite3, so that no type of the driver shows in ours. */
export interface SqliteDatabase {
  /** The file, as it was given to the driver. */
  readonly name: string
  /** No file: in memory, or temporary. */
  readonly memory: boolean
  readonly open: boolean
  readonly inTransaction: boolean
  prepare(text: string): SqliteStatement
  exec(text: string): unknown
  pragma(text: string, options?: { simple?: boolean }): unknown
  close(): unknown
}

export interface SqliteStatement {
  run(values: unknown[]): { readonly changes: number | bigint }
  get(values: unknown[]): unknown
  all(values: unknown[]): unknown[]
  iterate(values: unknown[]): Iterable<unknown>
  safeIntegers(on: boolean): unknown
}

export type SqliteDriver = new (file: string, options: { timeout: number; fileMustExist?: boolean }) => SqliteDatabase

/** Loads better-sqlite3, or says how to get it. */
export async function loadDriver(
  load: () => Promise<SqliteDriver> = async () => (await import('better-sqlite3')).default,
): Promise<SqliteDriver> {
  try {
    return await load()
  } catch (cause) {
    if (codeOf(cause) === 'ERR_MODULE_NOT_FOUND' || codeOf(cause) === 'MODULE_NOT_FOUND') {
      throw new GamificationError(
        'storage_unusable',
        'laurels/sqlite needs the package better-sqlite3. Install it: npm install better-sqlite3',
        { cause },
      )
    }
    throw unbuilt(cause)
  }
}

/**
 * Whether the driver's native part is missing or was built for another Node. The package `bindings`, which looks for
 * it, sets no code but the list of files it tried.
 */
export function isUnbuilt(error: unknown): boolean {
  return codeOf(error) === 'ERR_DLOPEN_FAILED' || (error instanceof Error && 'tries' in error)
}

export function unbuilt(cause: unknown): GamificationError {
  return new GamificationError(
    'storage_unusable',
    'better-sqlite3 could not be loaded: it was not built for this Node. Build it: npm rebuild better-sqlite3',
    { cause },
  )
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
