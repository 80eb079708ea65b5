import { GamificationError } from '../../src/errors.ts'
import type { WebhooksOptions } from '../../src/index.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { postgres } from '../postgres/index.ts'
import { examinePostgres, inspectPostgres } from '../postgres/inspect.ts'
import { postgresScript } from '../postgres/migrate.ts'
import type { SqliteOptions } from '../sqlite/driver.ts'
import { sqlite } from '../sqlite/index.ts'
import { type Examination, type Findings, inspectSqlite, sqliteScript } from '../sqlite/migrate.ts'
import { examineSqlite } from '../sqlite/opener.ts'
import { wrongCall } from './text.ts'

export interface DatabaseFindings extends Findings {
  /** The path of the file, or the URL and the schema in Postgres, without a password. */
  readonly name: string
}

/** The database of `--db`. It is not opened or created until a method needs it. */
export interface ChosenDatabase {
  readonly placeholder: '<file>' | '<url>'
  /** Its options in the call of another command, after a blank. Never has a password. Empty if none are needed. */
  readonly option: string
  readonly place: string
  inspect(): Promise<DatabaseFindings>
  /** The driver, the server, its clock and the role. `now` is the clock of this process. */
  examine(now: () => number): Promise<Examination>
  script(found: Findings): Script
  open(options?: SqliteOptions): Storage
}

export interface Script {
  readonly sql: string
  /** A call of `sqlite3` or `psql`. `<file>` is the file with the SQL. */
  readonly call: string
}

/** The database of `--db`, or else of DATABASE_URL. Throws `invalid_request` if both are missing or an option does not fit. */
export function readDatabase(
  { db: given, schema }: { readonly db?: string | undefined; readonly schema?: string | undefined },
  environment: Pick<Environment, 'variable'>,
  options: SqliteOptions = {},
): ChosenDatabase {
  const { db, from } = readPlace(given, environment)
  if (/^postgres(ql)?:/i.test(db)) {
    if (options.synchronous !== undefined) throw wrongCall('--synchronous is for SQLite: leave it out')
    return postgresDatabase(db, from, schema ?? 'laurels')
  }
  // Other URLs would be read as paths.
  const [, protocol = ''] = /^([a-z][a-z0-9+.-]+):\/\//i.exec(db) ?? []
  if (!['', 'file'].includes(protocol.toLowerCase())) {
    throw wrongCall(
      `${from} begins with '${protocol}://', for which there is no storage: give a path or a file: URL for SQLite, or ` +
        'postgres://user:password@host/database',
    )
  }
  if (schema !== undefined) throw wrongCall('--schema is for Postgres: leave it out')
  return {
    placeholder: '<file>',
    option: from === '--db' ? ` --db ${/^[\w./:\\-]+$/.test(db) ? db : '<file>'}` : '',
    place: 'path',
    inspect: async () => {
      const { file, ...findings } = await inspectSqlite(db)
      return { name: file, ...findings }
    },
    examine: examineSqlite,
    script: ({ applied }) => ({ sql: sqliteScript(applied), call: 'sqlite3 -bail <database> < <file>' }),
    open: (more = {}) => sqlite(db, { ...options, ...more }),
  }
}

function readPlace(given: string | undefined, { variable }: Pick<Environment, 'variable'>) {
  // An empty `--db`, such as from an unset variable of a script, must not select DATABASE_URL.
  const db = given ?? variable('DATABASE_URL') ?? ''
  if (db !== '') return { db, from: given === undefined ? 'DATABASE_URL' : '--db' }
  throw wrongCall(
    '--db is missing: give the path of the SQLite database, or the URL of a Postgres database, or set DATABASE_URL',
  )
}

function postgresDatabase(url: string, from: string, schema: string): ChosenDatabase {
  if (schema === '' || Buffer.byteLength(schema) > 63) throw wrongCall('--schema must have 1 to 63 bytes')
  if (schema === 'information_schema' || schema.startsWith('pg_')) {
    throw wrongCall(`--schema ${schema} is that of Postgres itself: name another`)
  }
  const name = `${toPublicUrl(url, from)}, schema ${schema}`
  return {
    placeholder: '<url>',
    option: `${from === '--db' ? ' --db <url>' : ''}${schema === 'laurels' ? '' : ` --schema ${schema}`}`,
    place: 'URL or --schema',
    inspect: async () => ({ name, ...(await inspectPostgres(url, schema)) }),
    examine: (now) => examinePostgres(url, schema, now),
    script: ({ exists, applied }) => ({
      sql: postgresScript(schema, exists, applied),
      call: 'psql -v ON_ERROR_STOP=1 -f <file> <url>',
    }),
    open: () => postgres(url, { schema }),
  }
}

/** Omits the password and the parameters, which may contain it too. */
function toPublicUrl(url: string, from: string): string {
  if (!URL.canParse(url)) throw wrongCall(`${from} is no URL: write postgres://user:password@host/database`)
  const { protocol, username, host, pathname } = new URL(url)
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`
}

export async function inspectExisting(database: ChosenDatabase): Promise<DatabaseFindings> {
  const inspection = await database.inspect()
  if (inspection.exists) return inspection
  throw unusable(database, `There is no database at ${inspection.name}.`, 'make it')
}

export async function inspectMigrated(database: ChosenDatabase): Promise<DatabaseFindings> {
  const inspection = await inspectExisting(database)
  if (inspection.pending.length === 0) return inspection
  throw unusable(database, `${inspection.name} lacks tables of laurels.`, 'make them')
}

function unusable(database: ChosenDatabase, problem: string, make: string): GamificationError {
  const message = `${problem} Give another ${database.place}, or ${make}: ${migrateCall(database)}`
  return new GamificationError('storage_unusable', message)
}

export function migrateCall({ placeholder }: ChosenDatabase): string {
  return `laurels migrate --db ${placeholder}`
}

/** Standard output is for results. Standard error is for people: progress, refused lines, errors. */
export interface Output {
  out(text: string): void
  err(text: string): void
  readonly isTerminal: boolean
  readonly columns: number
}

export interface Environment {
  readonly output: Output
  readonly variable: (name: string) => string | undefined
  readonly input: () => AsyncIterable<Uint8Array>
  readonly canAsk: boolean
  /** The answer to a question. Null if the terminal closed. */
  readonly ask: (question: string) => Promise<string | null>
  readonly node: string
  readonly runsTypeScript: boolean
  /** Aborts when the user interrupts. After the first call an interruption no longer ends the process. */
  readonly interruption: () => AbortSignal
  readonly now: () => number
  readonly elapsed: () => number
}

export const EXIT = { ok: 0, found: 1, failed: 2, interrupted: 130 } as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** The variable with the key that encrypts the secrets of webhooks. */
export const WEBHOOK_KEY = 'LAURELS_WEBHOOK_KEY'

export const WEBHOOK_KEY_HELP: string = `Secrets are stored encrypted. The variable ${WEBHOOK_KEY} has the key that your backend gives createGamification as webhooks.secretKey.`

/** Without the key, calls that need it fail and name the variable. */
export function webhookOptions({ variable }: Environment): WebhooksOptions {
  const secretKey = variable(WEBHOOK_KEY)
  return secretKey ? { secretKey } : {}
}
