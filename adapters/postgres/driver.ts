import { GamificationError } from '../../src/errors.ts'
import { checkMilliseconds, checkOptions, describeGiven, hasMethods, invalidOption, textOf } from '../../src/options.ts'
import { isError } from './errors.ts'

/** The parts of pg, kysely and PGlite that laurels uses. They keep the types of these packages out of ours. */
export interface PostgresPool {
  readonly options?: { readonly max?: number | undefined }
  readonly totalCount?: number
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

/** The form in which kysely takes a compiled query. */
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

/** Loads pg and opens a pool. Rejects with `storage_unusable` if pg is not installed. */
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

const URL_FORM = 'postgres://user:password@host:5432/database'
const WANTED = `give it a connection string, as ${URL_FORM}, a Pool of pg, an instance of kysely, or a PGlite`

/**
 * Throws `storage_unusable` for a source that no connection can come from. No message repeats a text that may have a
 * password in it.
 */
export function checkPostgresSource(source: unknown): void {
  const text = textOf(source)
  if (text !== null) checkConnectionString(text)
  else if (isClient(source) || !SHAPES.some((methods) => hasMethods(source, methods))) {
    const question = source === undefined ? ' Is the variable set that it comes from, as DATABASE_URL?' : ''
    throw unusable(`postgres() was given ${describeGiven(source)}: ${remedyFor(source)}.${question}`)
  }
}

/** Methods of a pool of pg, of kysely and of PGlite. */
const SHAPES = [['connect', 'on', 'off', 'end'], ['connection'], ['query', 'transaction', 'execProtocol']]

function isClient(source: unknown): boolean {
  return typeof source === 'object' && source !== null && ('connectionParameters' in source || 'release' in source)
}

function remedyFor(source: unknown): string {
  if (isClient(source))
    return 'a single client can serve one call at a time, so give it the Pool: postgres(new pg.Pool({ … }))'
  const isConfig = typeof source === 'object' && source !== null && CONFIG.some((name) => name in source)
  return isConfig ? 'make a pool of it, as postgres(new pg.Pool({ … }))' : WANTED
}

const CONFIG = ['connectionString', 'host', 'user', 'database', 'port', 'password', 'max']

/** Checks that pg can parse it: a URL, or the folder of a socket. */
function checkConnectionString(text: string): void {
  if (text === '') throw unusable(`postgres() was given an empty text: ${WANTED}.`)
  if (text.startsWith('/') || /^socket:/i.test(text)) return
  if (!/^postgres(ql)?:/i.test(text)) {
    // A path has no password in it.
    const shown = /^[\w./\\-]{1,60}$/.test(text) ? ` '${text}'` : ''
    throw unusable(`postgres() was given a text${shown} that is no connection string: write ${URL_FORM}.`)
  }
  // pg takes a URL with a user but without a host if the parameters contain the host.
  if (URL.canParse(text) || URL.canParse(text.replace('@/', '@localhost/'))) return
  throw unusable(
    `The connection string cannot be read: write ${URL_FORM}, with special characters in the password percent-encoded.`,
  )
}

function unusable(message: string): GamificationError {
  return new GamificationError('storage_unusable', message)
}

/**
 * The least and the most: `migrate()` locks all partitions with their indexes, for which Postgres has room by default.
 */
export const PARTITIONS: readonly [least: number, most: number] = [2, 64]

export function checkPostgresOptions(options: unknown): void {
  checkOptions('options of postgres()', options, ['schema', 'partitions', 'deadlineMs', 'driver'])
  const { schema, partitions, deadlineMs, driver } = options as { readonly [name: string]: unknown }
  if (schema !== undefined && typeof schema !== 'string') throw invalidOption('schema', 'a text', schema)
  const [least, most] = PARTITIONS
  if (
    partitions !== undefined &&
    !(Number.isInteger(partitions) && least <= Number(partitions) && Number(partitions) <= most)
  ) {
    throw invalidOption('partitions', `a whole number from ${least} to ${most}`, partitions)
  }
  checkMilliseconds('deadlineMs', deadlineMs)
  if (driver !== undefined && typeof driver !== 'function') {
    throw invalidOption('driver', 'a function that opens a pool', driver)
  }
}

/**
 * The address of a source, such as `db.example.com:5432`: never a user or a password. Returns `null` if the source does
 * not say it.
 */
export function addressOf(source: unknown): string | null {
  const text = textOf(source)
  if (text !== null) return addressOfText(text)
  // The member `options` of a pool of pg, which it was made with.
  const options: unknown = typeof source === 'object' && source !== null && 'options' in source ? source.options : null
  if (typeof options !== 'object' || options === null) return null
  const { connectionString, host, port } = options as { readonly [name: string]: unknown }
  return typeof connectionString === 'string' ? addressOfText(connectionString) : toAddress(host, port)
}

function addressOfText(text: string): string | null {
  const readable = [text, text.replace('@/', '@localhost/')].find((each) => URL.canParse(each))
  if (readable === undefined) return null
  const { protocol, hostname, port, searchParams } = new URL(readable)
  if (!/^postgres(ql)?:$/i.test(protocol)) return null
  return toAddress(searchParams.get('host') ?? (readable === text ? hostname : ''), port || searchParams.get('port'))
}

/** A host or a port that is not given comes from the environment, as in pg. */
function toAddress(host: unknown, port: unknown): string {
  const named = typeof host === 'string' && host !== '' ? host : (process.env.PGHOST ?? 'localhost')
  return `${named}:${port || process.env.PGPORT || 5432}`
}
