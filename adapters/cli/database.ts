import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { GamificationError } from '../../src/errors.ts'
import { parseGame } from '../../src/game/compile.ts'
import { type DefinedGame, defineGame } from '../../src/game/define-game.ts'
import type { GameDefinition } from '../../src/game/definition.ts'
import { markStored, withSource } from '../../src/game/stored-game.ts'
import { createGamification, type Gamification, type GamificationApi, type WebhooksOptions } from '../../src/index.ts'
import type { Storage, StoredGame } from '../../src/storage/storage.ts'
import { postgres } from '../postgres/index.ts'
import { examinePostgres, inspectPostgres } from '../postgres/inspect.ts'
import { postgresScript } from '../postgres/migrate.ts'
import type { SqliteOptions } from '../sqlite/driver.ts'
import { sqlite } from '../sqlite/index.ts'
import { type Examination, examineSqlite, type Findings, inspectSqlite } from '../sqlite/inspect.ts'
import { sqliteScript } from '../sqlite/migrate.ts'
import { clockOf, type Environment, type Screen, wrongCall } from './terminal.ts'

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

export interface DatabaseValues {
  readonly db?: string | undefined
  readonly schema?: string | undefined
  readonly partitions?: number | undefined
}

/** The database of `--db`, or else of DATABASE_URL. Throws `invalid_request` if both are missing or an option does not fit. */
export function readDatabase(
  { db: given, schema, partitions }: DatabaseValues,
  environment: Pick<Environment, 'variable'>,
  options: SqliteOptions = {},
): ChosenDatabase {
  const { db, from } = readPlace(given, environment)
  if (/^postgres(ql)?:/i.test(db)) {
    if (options.synchronous !== undefined) throw wrongCall('--synchronous is for SQLite: leave it out')
    return postgresDatabase(db, from, schema ?? 'laurels', partitions)
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
  if (partitions !== undefined) throw wrongCall('--partitions is for Postgres: leave it out')
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

function postgresDatabase(url: string, from: string, schema: string, partitions?: number): ChosenDatabase {
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
      sql: postgresScript(schema, exists, applied, partitions),
      call: 'psql -v ON_ERROR_STOP=1 -f <file> <url>',
    }),
    open: () => postgres(url, { schema, ...(partitions !== undefined && { partitions }) }),
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

/** The variable with the key that encrypts the secrets of webhooks. */
export const WEBHOOK_KEY = 'LAURELS_WEBHOOK_KEY'

export const WEBHOOK_KEY_HELP: string = `Secrets are stored encrypted. The variable ${WEBHOOK_KEY} has the key that your backend gives createGamification as webhooks.secretKey.`

/** For commands that use the key. Others do not read it, so that an invalid key does not stop them. */
export function webhookOptions({ variable }: Environment): WebhooksOptions {
  const secretKey = variable(WEBHOOK_KEY)
  return secretKey ? { secretKey } : {}
}

type Exports = Readonly<Record<string, unknown>>

const EXTENSIONS: ReadonlySet<string> = new Set(['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json'])

/** Loads a game from a module or from JSON. Throws `invalid_request` or `invalid_game`. */
export async function loadGame(path: string): Promise<DefinedGame> {
  const file = resolve(path)
  if (!existsSync(file)) throw wrongCall(`there is no game at ${file}`)
  if (!EXTENSIONS.has(extname(file))) throw wrongCall(`--game must be a .ts, .js, .mjs or .json file, not ${file}`)
  const content = await read(file)
  return toGame(file, extname(file) === '.json' ? content : findGame(file, content))
}

async function read(file: string): Promise<unknown> {
  try {
    return extname(file) === '.json' ? JSON.parse(await readFile(file, 'utf8')) : await importModule(file)
  } catch (cause) {
    // The module may have thrown anything, such as the mistakes of its game.
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new GamificationError('invalid_game', `${file} could not be loaded: ${reason}`, { cause })
  }
}

async function importModule(file: string): Promise<unknown> {
  const { createJiti } = await import('jiti')
  const jiti = createJiti(file, { fsCache: false, moduleCache: false, interopDefault: false })
  const extension = extname(file)
  // Node would import these once for the whole process, so they are read here, and compiled like .mts and .cts.
  if (extension !== '.mjs' && extension !== '.cjs') return jiti.import(file)
  const options = { filename: file, ext: extension.replace('js', 'ts'), async: true, forceTranspile: true }
  const exports: unknown = await jiti.evalModule(await readFile(file, 'utf8'), options)
  return extension === '.cjs' ? { default: exports } : exports
}

function findGame(file: string, module: unknown): unknown {
  const exports: Exports = isObject(module) ? module : {}
  // A CommonJS module is the default export.
  const inner: Exports = isObject(exports.default) ? exports.default : {}
  const found = [exports.game, inner.game, inner.default, exports.default].find(isObject)
  if (found !== undefined) return found
  throw wrongCall(`${file} exports no game: export it as default, or as 'game'`)
}

/** The project's own copy of laurels may have made it, so it is read again. The fingerprint shows a difference. */
function toGame(file: string, found: unknown): DefinedGame {
  if (!isDefined(found)) return defineFrom(file, found)
  const game = defineFrom(file, found.definition)
  if (game.fingerprint === found.fingerprint) return game
  throw wrongCall(
    `${file} was defined by another version of laurels, to which it is another game. Run the project's own: npx laurels`,
  )
}

export function defineFrom(file: string, definition: unknown): DefinedGame {
  return withSource(file, () => defineGame(definition as GameDefinition))
}

function isDefined(found: unknown): found is Pick<DefinedGame, 'definition' | 'fingerprint'> {
  return isObject(found) && isObject(found.definition) && typeof found.fingerprint === 'string' && isObject(found.rules)
}

function isObject(value: unknown): value is Exports {
  return typeof value === 'object' && value !== null
}

/** The newest stored game, and the number of users. */
export interface InForce {
  readonly game: DefinedGame
  readonly epoch: number
  readonly users: number
}

export interface Opened extends InForce {
  /** The game of `--game`, or else the one in force. */
  readonly given: DefinedGame
  readonly gamification: Gamification<DefinedGame>
  /** The calls of the tenant of `--tenant`. */
  readonly api: GamificationApi<DefinedGame>
  readonly storage: Storage
}

/** Runs `work` on the game in force, so that the command puts no other one in force. */
export async function withGame<T>(
  inForce: InForce & Pick<Opened, 'given'>,
  storage: Storage,
  { environment, screen, tenant }: { environment: Environment; screen: Screen; tenant: string | null },
  webhooks: WebhooksOptions,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const gamification = createGamification({
    game: inForce.game,
    storage,
    ...clockOf(environment),
    webhooks,
    // Warnings are about the game, which this process did not define.
    logger: {
      warn: () => undefined,
      error: ({ err }, message) => screen.line(err instanceof Error ? `${message} ${err.message}` : message),
    },
  })
  try {
    return await work({ ...inForce, gamification, api: ofTenant(gamification, tenant), storage })
  } finally {
    screen.clear()
    await gamification.close()
  }
}

export function readNewestGame(
  database: ChosenDatabase,
  { name, contents }: Pick<DatabaseFindings, 'name' | 'contents'>,
): InForce {
  const newest = contents?.games.at(-1)
  if (newest !== undefined) return { epoch: newest.epoch, game: readStored(newest), users: contents?.users ?? 0 }
  throw new GamificationError(
    'storage_unusable',
    `${name} has no game yet. Store one: ${migrateCall(database)} --game <file>`,
  )
}

/** Keeps the stored fingerprint: a new one would put another game in force. */
function readStored({ epoch, definition, fingerprint }: StoredGame): DefinedGame {
  const place = `This laurels cannot read the game in force (epoch ${epoch})`
  return markStored({ ...withSource(place, () => parseGame(definition)), fingerprint })
}

export function checkTenant({ rules }: DefinedGame, tenant: string | null, isNeeded = true): void {
  if (rules.multiTenant && tenant === null && isNeeded)
    throw wrongCall('the game has tenants: say which one with --tenant')
  if (!rules.multiTenant && tenant !== null)
    throw wrongCall('the game has no tenants (multiTenant): leave --tenant out')
}

export function ofTenant(gamification: Gamification<DefinedGame>, tenant: string | null): GamificationApi<DefinedGame> {
  return tenant === null ? gamification : gamification.tenant(tenant)
}
