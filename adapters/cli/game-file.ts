import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { GamificationError, isGamificationError } from '../../src/errors.ts'
import { type DefinedGame, defineGame } from '../../src/game/define-game.ts'
import type { GameDefinition } from '../../src/game/definition.ts'
import { wrongCall } from './text.ts'

type Exports = Readonly<Record<string, unknown>>

const EXTENSIONS: ReadonlySet<string> = new Set(['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json'])

/**
 * Loads a game from a module, TypeScript included, that exports it as default or as `game`, or a definition from JSON.
 * Throws `invalid_request` when there is none, `invalid_game` when it has mistakes.
 */
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
    // Whatever the module threw: the mistakes of its game, too.
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new GamificationError('invalid_game', `${file} could not be loaded: ${reason}`, { cause })
  }
}

async function importModule(file: string): Promise<unknown> {
  const { createJiti } = await import('jiti')
  return createJiti(file, { fsCache: false, interopDefault: false }).import(file)
}

function findGame(file: string, module: unknown): unknown {
  const exports: Exports = isObject(module) ? module : {}
  // CommonJS inside: what it exports is the default, and may itself be the game or have it.
  const inner: Exports = isObject(exports.default) ? exports.default : {}
  const found = [exports.game, inner.game, inner.default, exports.default].find(isObject)
  if (found !== undefined) return found
  throw wrongCall(`${file} exports no game: export it as default, or as 'game'`)
}

/**
 * The project's own copy of laurels may have made the game, so it is recognised by its shape and read anew. The same
 * version reads it as the same game.
 */
function toGame(file: string, found: unknown): DefinedGame {
  if (!isDefined(found)) return defineFrom(file, found)
  const game = defineFrom(file, found.definition)
  if (game.fingerprint === found.fingerprint) return game
  throw wrongCall(
    `${file} was defined by another version of laurels, to which it is another game. Run the project's own: npx laurels`,
  )
}

function defineFrom(file: string, definition: unknown): DefinedGame {
  try {
    // Checked by defineGame, whatever it is.
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
