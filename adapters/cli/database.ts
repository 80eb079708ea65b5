import { GamificationError } from '../../src/errors.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { postgres } from '../postgres/index.ts'
import { examine as examinePostgres, inspect as inspectPostgres } from '../postgres/inspect.ts'
import { migrationScript as postgresScript } from '../postgres/migrate.ts'
import type { SqliteOptions } from '../sqlite/driver.ts'
import { sqlite } from '../sqlite/index.ts'
import {
  type Examination,
  type Findings,
  inspect as inspectSqlite,
  migrationScript as sqliteScript,
} from '../sqlite/migrate.ts'
import { examine as examineSqlite } from '../sqlite/opener.ts'
import { wrongCall } from './text.ts'

export interface Inspection extends Findings {
  /** The path of the file, or the place in Postgres without a password. */
  readonly name: string
}

/** What `--db` names. Nothing is opened or made before it is asked for. */
export interface ChosenDatabase {
  /** What stands for it where the call of another command is shown. */
  readonly placeholder: '<file>' | '<url>'
  /** What names it in the call of another command, after a blank: without a password, and empty where none is needed. */
  readonly option: string
  /** What a person would give otherwise to name another. */
  readonly place: string
  /** Changes nothing. */
  inspect(): Promise<Inspection>
  /** What it is reached by, and what it says of itself; `now` is the clock of this process. */
  examine(now: () => number): Promise<Examination>
  /** The SQL of what is pending where that was found, and how a person runs it. */
  script(found: Findings): Script
  /** `options` are for SQLite alone. */
  open(options?: SqliteOptions): Storage
}

export interface Script {
  readonly sql: string
  /** The call of the database's own command line, `<file>` being where the SQL was saved. */
  readonly call: string
}

/**
 * What `--db` names, or the variable DATABASE_URL where it is left out. Throws `invalid_request` where both are missing, or
 * the database is not what the other options are for.
 */
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
  // A URL of another kind would be taken for a path.
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
    script: ({ applied }) => ({
      sql: sqliteScript(applied),
      call: 'sqlite3 -bail <database> < <file>',
    }),
    open: (more = {}) => sqlite(db, { ...options, ...more }),
  }
}

function readPlace(given: string | undefined, { variable }: Pick<Environment, 'variable'>) {
  // Given empty, as by a variable of a script that is not set, it is no reason to take another.
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

/** Without the password, which may stand among the parameters too. */
function toPublicUrl(url: string, from: string): string {
  if (!URL.canParse(url)) throw wrongCall(`${from} is no URL: write postgres://user:password@host/database`)
  const { protocol, username, host, pathname } = new URL(url)
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`
}

/** For a command that makes no database. Throws `storage_unusable` where there is none. */
export async function inspectExisting(database: ChosenDatabase): Promise<Inspection> {
  const inspection = await database.inspect()
  if (inspection.exists) return inspection
  throw new GamificationError(
    'storage_unusable',
    `There is no database at ${inspection.name}. Give another ${database.place}, or make it: ${migrateCall(database)}`,
  )
}

/** Throws `storage_unusable` where the tables are not those of this version. */
export async function requireMigrated(database: ChosenDatabase): Promise<Inspection> {
  const inspection = await inspectExisting(database)
  if (inspection.pending.length === 0) return inspection
  throw new GamificationError(
    'storage_unusable',
    `${inspection.name} lacks tables of laurels. Give another ${database.place}, or make them: ${migrateCall(database)}`,
  )
}

/** How a person makes the tables. */
export function migrateCall({ placeholder }: ChosenDatabase): string {
  return `laurels migrate --db ${placeholder}`
}

/** Where a command writes. Standard error is for people: progress, refusals, mistakes; standard output for results. */
export interface Output {
  out(text: string): void
  err(text: string): void
  /** Standard error is a terminal, so the output can draw over a line. */
  readonly isTerminal: boolean
  /** The terminal's width. */
  readonly columns: number
}

/** Everything of the process that a command may use. */
export interface Environment {
  readonly output: Output
  /** The value of a variable of the process's environment. */
  readonly variable: (name: string) => string | undefined
  /** Standard input. */
  readonly input: () => AsyncIterable<Uint8Array>
  /** A user at a terminal can answer questions. */
  readonly canAsk: boolean
  /** The answer to a question. Null if the terminal closed. */
  readonly ask: (question: string) => Promise<string | null>
  /** The version of Node, as `24.21.0`. */
  readonly node: string
  /** This Node runs TypeScript without a flag. */
  readonly runsTypeScript: boolean
  /** Aborts when the user interrupts. After the first call an interruption no longer ends the process. */
  readonly interruption: () => AbortSignal
  /** The instant, in milliseconds since 1970. */
  readonly now: () => number
  /** Milliseconds since an arbitrary start, for durations. */
  readonly elapsed: () => number
}

export const EXIT = {
  ok: 0,
  /** Some lines of an import were refused, rows differ from the logs, or the doctor found a problem. */
  found: 1,
  /** The call is wrong, or the storage failed. */
  failed: 2,
  /** As shells count a process that SIGINT ended. */
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
