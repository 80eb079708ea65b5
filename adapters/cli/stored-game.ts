import { GamificationError, isGamificationError } from '../../src/errors.ts'
import { parseGame } from '../../src/game/compile.ts'
import type { DefinedGame } from '../../src/game/define-game.ts'
import { createGamification, type Gamification, type Storage, type WebhooksOptions } from '../../src/index.ts'
import type { StoredGame } from '../../src/storage.ts'
import { type ChosenDatabase, type Inspection, migrateCall, requireMigrated } from './database.ts'
import type { Environment } from './environment.ts'
import { loadGame } from './game-file.ts'
import type { Screen } from './screen.ts'
import { wrongCall } from './text.ts'

/** A database with the game that is in force there. */
export interface Opened {
  readonly gamification: Gamification<DefinedGame>
  readonly storage: Storage
  readonly game: DefinedGame
  /** The epoch of the game. */
  readonly epoch: number
  /** How many users there are. */
  readonly users: number
}

/**
 * Runs `work` on an engine of the newest stored game, so that nothing is put in force by looking. Throws
 * `storage_unusable` where the database lacks tables or a game.
 */
export async function withStoredGame<T>(
  database: ChosenDatabase,
  { now }: Environment,
  screen: Screen,
  work: (opened: Opened) => Promise<T>,
  webhooks: WebhooksOptions = {},
): Promise<T> {
  const inspection = await requireMigrated(database)
  const { epoch, game } = readNewestGame(database, inspection)
  const storage = database.open()
  const gamification = createGamification({
    game,
    storage,
    clock: () => new Date(now()),
    webhooks,
    // Warnings are of the game of this process, which is nobody's.
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

/** The game in force. Throws `storage_unusable` where there is none. */
export function readNewestGame(
  database: ChosenDatabase,
  { name, contents }: Pick<Inspection, 'name' | 'contents'>,
): { epoch: number; game: DefinedGame } {
  const newest = contents?.games.at(-1)
  if (newest !== undefined) return { epoch: newest.epoch, game: toGame(newest) }
  throw new GamificationError(
    'storage_unusable',
    `${name} has no game yet. Store one: ${migrateCall(database)} --game <file>`,
  )
}

/** With the fingerprint under which it was stored: to the engine it is a known game, whatever this version makes of it. */
function toGame({ epoch, definition, fingerprint }: StoredGame): DefinedGame {
  try {
    return { ...parseGame(definition), fingerprint }
  } catch (cause) {
    if (!isGamificationError(cause)) throw cause
    const message = `This laurels cannot read the game in force (epoch ${epoch}): ${cause.message}`
    throw new GamificationError(cause.code, message, { issues: cause.issues, cause })
  }
}

/** For `--game` of a command that needs none: it is to be the game in force. */
export async function checkGame(file: string | null, { game, epoch }: Opened): Promise<void> {
  if (file === null || (await loadGame(file)).fingerprint === game.fingerprint) return
  throw wrongCall(
    `${file} is not the game in force (epoch ${epoch}): leave --game out, or put it in force with laurels apply`,
  )
}
