import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { GamificationError, isGamificationError } from '../../src/errors.ts'
import { parseGame } from '../../src/game/compile.ts'
import { type DefinedGame, defineGame } from '../../src/game/define-game.ts'
import type { GameDefinition } from '../../src/game/definition.ts'
import {
  createGamification,
  type Gamification,
  type GamificationApi,
  type Storage,
  type WebhooksOptions,
} from '../../src/index.ts'
import type { StoredGame } from '../../src/storage/storage.ts'
import {
  type ChosenDatabase,
  type DatabaseFindings,
  type Environment,
  inspectMigrated,
  migrateCall,
  webhookOptions,
} from './database.ts'
import type { Screen } from './progress.ts'
import { wrongCall } from './text.ts'

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
  return createJiti(file, { fsCache: false, moduleCache: false, interopDefault: false }).import(file)
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
  try {
    return defineGame(definition as GameDefinition)
  } catch (cause) {
    if (!isGamificationError(cause)) throw cause
    throw new GamificationError(cause.code, `${file}: ${cause.message}`, { issues: cause.issues, cause })
  }
}

function isDefined(found: unknown): found is Pick<DefinedGame, 'definition' | 'fingerprint'> {
  return isObject(found) && isObject(found.definition) && typeof found.fingerprint === 'string' && isObject(found.rules)
}

function isObject(value: unknown): value is Exports {
  return typeof value === 'object' && value !== null
}

export interface Opened {
  readonly gamification: Gamification<DefinedGame>
  readonly storage: Storage
  readonly game: DefinedGame
  readonly epoch: number
  readonly users: number
}

/** Runs `work` on the newest stored game, so that the command puts no other one in force. */
export async function withStoredGame<T>(
  database: ChosenDatabase,
  environment: Environment,
  screen: Screen,
  work: (opened: Opened) => Promise<T>,
  webhooks: WebhooksOptions = {},
): Promise<T> {
  const inspection = await inspectMigrated(database)
  const { epoch, game } = readNewestGame(database, inspection)
  const storage = database.open()
  const gamification = createGamification({
    game,
    storage,
    clock: () => new Date(environment.now()),
    webhooks: { ...webhookOptions(environment), ...webhooks },
    // Warnings are about the game, which this process did not define.
    logger: {
      warn: () => undefined,
      error: ({ err }, message) => screen.line(err instanceof Error ? `${message} ${err.message}` : message),
    },
  })
  try {
    return await work({ gamification, storage, game, epoch, users: inspection.contents?.users ?? 0 })
  } finally {
    screen.clear()
    await gamification.close()
  }
}

export function readNewestGame(
  database: ChosenDatabase,
  { name, contents }: Pick<DatabaseFindings, 'name' | 'contents'>,
): { epoch: number; game: DefinedGame } {
  const newest = contents?.games.at(-1)
  if (newest !== undefined) return { epoch: newest.epoch, game: readStored(newest) }
  throw new GamificationError(
    'storage_unusable',
    `${name} has no game yet. Store one: ${migrateCall(database)} --game <file>`,
  )
}

/** Keeps the stored fingerprint: a new one would put another game in force. */
function readStored({ epoch, definition, fingerprint }: StoredGame): DefinedGame {
  try {
    return { ...parseGame(definition), fingerprint }
  } catch (cause) {
    if (!isGamificationError(cause)) throw cause
    const message = `This laurels cannot read the game in force (epoch ${epoch}): ${cause.message}`
    throw new GamificationError(cause.code, message, { issues: cause.issues, cause })
  }
}

/** Throws `invalid_request` if `--game` is given and is not the game in force. */
export async function checkGame(file: string | null, { game, epoch }: Opened): Promise<void> {
  if (file === null || (await loadGame(file)).fingerprint === game.fingerprint) return
  throw wrongCall(
    `${file} is not the game in force (epoch ${epoch}): leave --game out, or put it in force with laurels apply`,
  )
}

export function checkTenant({ rules }: Pick<DefinedGame, 'rules'>, tenant: string | null): void {
  if (rules.multiTenant && tenant === null) throw wrongCall('the game has tenants: say which one with --tenant')
  if (!rules.multiTenant && tenant !== null)
    throw wrongCall('the game has no tenants (multiTenant): leave --tenant out')
}

export function ofTenant(gamification: Gamification<DefinedGame>, tenant: string | null): GamificationApi<DefinedGame> {
  return tenant === null ? gamification : gamification.tenant(tenant)
}
