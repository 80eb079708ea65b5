import { GamificationError } from '../../src/errors.ts'
import { isError } from './errors.ts'

/** What is used of pg, kysely and PGlite, so that no type of any of them shows in ours. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>
  on(event: 'error', listener: (error: Error) => void): PostgresPool
  on(event: 'connect', listener: (client: PostgresClient) => void): PostgresPool
  off(event: 'error', listener: (error: Error) => void): PostgresPool
  off(event: 'connect', listener: (client: PostgresClient) => void): PostgresPool
  end(): Promise<void>
}

export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: unknown[]; readonly command?: string }>
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
  /** With an error, or true, the connection is closed instead of going back to its pool. */
  release(error?: Error | boolean): void
}

/** The host's own kysely instance, on Postgres. */
export interface PostgresKysely {
  connection(): { execute<T>(work: (connection: KyselyConnection) => Promise<T>): Promise<T> }
}

export interface KyselyConnection {
  withoutPlugins(): KyselyConnection
  executeQuery(query: CompiledText): Promise<{ readonly rows: readonly unknown[] }>
}

/** The host's own PGlite. */
export interface PostgresPGlite {
  readonly waitReady: Promise<void>
  readonly closed: boolean
  query(text: string, values?: unknown[]): Promise<{ readonly rows: unknown[] }>
  transaction<T>(work: (transaction: PGliteTransaction) => Promise<T>): Promise<T>
}

export interface PGliteTransaction {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: unknown[] }>
  rollback(): Promise<void>
}

/** What kysely takes as a query that was compiled already. */
export interface CompiledText {
  readonly sql: string
  readonly parameters: readonly unknown[]
  readonly query: {
    readonly kind: 'RawNode'
    readonly sqlFragments: readonly string[]
    readonly parameters: readonly never[]
  }
  readonly queryId: { readonly queryId: string }
}

/** Opens a pool that gives up connecting after `timeoutMs`. */
export type PostgresDriver = (url: string, timeoutMs: number) => Promise<PostgresPool>

/** Loads pg and opens a pool; rejects with `storage_unusable` where pg is not installed. */
export const openPool: PostgresDriver = async (url, timeoutMs) => {
  try {
    const { default: pg } = await import('pg')
    return new pg.Pool({ connectionString: url, connectionTimeoutMillis: timeoutMs }) as unknown as PostgresPool
  } catch (cause) {
    if (!(isError(cause) && 'code' in cause && String(cause.code).endsWith('MODULE_NOT_FOUND'))) throw cause
    throw new GamificationError(
      'storage_unusable',
      'laurels/postgres needs the package pg. Install it: npm install pg',
      { cause },
    )
  }
}
