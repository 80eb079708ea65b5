import { parseGame } from '../game/compile.ts'
import type { Game, Games } from '../rules/game.ts'
import type { Storage, StoredGame } from '../storage.ts'
import type { Logger } from './context.ts'

/** The game of this process, as its host defined it. */
export interface OwnGame {
  readonly fingerprint: string
  /** JSON text. */
  readonly definition: string
}

export interface CurrentGame {
  readonly game: Game
  readonly games: Games
  readonly epoch: number
}

/** Knows every stored game, and which of them is in force. */
export interface GameBook {
  /** The newest game; stores this process's own first where it is new. */
  current(): Promise<CurrentGame>
  /** Reads the stored games again, because one of a newer epoch was met. */
  refresh(): Promise<void>
}

/**
 * Every process decides under the newest stored game. One whose own game is new adds it as the next epoch; one whose own
 * is a known older one changes nothing, so that a rolling deploy does not flap.
 */
export function createGameBook(storage: Storage, own: OwnGame, now: () => number, logger: Logger): GameBook {
  let reading: Promise<CurrentGame> | null = null

  async function read(): Promise<CurrentGame> {
    for (;;) {
      const stored = await storage.games()
      const newest = stored.at(-1)
      if (newest !== undefined && stored.some(({ fingerprint }) => fingerprint === own.fingerprint)) {
        if (newest.fingerprint !== own.fingerprint) warnOfOlder(newest.epoch)
        return compileAll(stored, newest.epoch)
      }
      const epoch = (newest?.epoch ?? 0) + 1
      if (newest !== undefined) warnOfChange(epoch)
      await storage.addGame({ epoch, ...own, policy: 'forward', createdAt: now() })
    }
  }

  function warnOfOlder(epoch: number): void {
    logger.warn('The game of this process is an older one: it decides under the newest stored game.', { epoch })
  }

  function warnOfChange(epoch: number): void {
    logger.warn('The game differs from the stored one: the new rules count from now on.', { epoch })
  }

  function current(): Promise<CurrentGame> {
    reading ??= read().catch((error: unknown) => {
      reading = null
      throw error
    })
    return reading
  }

  return {
    current,
    refresh: async () => {
      reading = null
      await current()
    },
  }
}

function compileAll(stored: readonly StoredGame[], epoch: number): CurrentGame {
  const games = new Map(stored.map(({ epoch: at, definition }) => [at, parseGame(definition).rules]))
  const game = games.get(epoch)
  if (game === undefined) throw new RangeError(`There is no game of epoch ${epoch}`)
  return { game, games, epoch }
}
