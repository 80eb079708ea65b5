import { parseGame } from '../game/compile.ts'
import type { UserState } from '../rules/state.ts'
import type { Storage, StoredGame } from '../storage.ts'
import { deadlineFrom, toArgument } from './deadline.ts'
import type { CurrentGame, GameBook, Logger, OwnGame } from './types.ts'

/**
 * Every process decides under the newest stored game. One whose own game is new adds it as the next epoch; one whose own
 * is a known older one changes nothing, so that a rolling deploy does not flap.
 */
export function createGameBook(storage: Storage, own: OwnGame, now: () => number, logger: Logger): GameBook {
  let reading: Promise<CurrentGame> | null = null
  let newest: CurrentGame | null = null

  async function read(given?: number): Promise<CurrentGame> {
    const deadline = given ?? toArgument(deadlineFrom(storage, performance.now()))
    for (;;) {
      const stored = await storage.games(deadline)
      const last = stored.at(-1)
      if (last !== undefined && stored.some(({ fingerprint }) => fingerprint === own.fingerprint)) {
        if (last.fingerprint !== own.fingerprint) warnOfOlder(last.epoch)
        return remember(compileAll(stored, last.epoch))
      }
      const epoch = (last?.epoch ?? 0) + 1
      if (last !== undefined) warnOfChange(epoch)
      await storage.addGame({ epoch, ...own, policy: 'forward', createdAt: now() }, deadline)
    }
  }

  async function store(game: OwnGame, policy: StoredGame['policy']): Promise<void> {
    for (;;) {
      const last = (await storage.games()).at(-1)
      const isSame = last?.fingerprint === game.fingerprint
      if (isSame && (policy === 'forward' || last.policy === policy)) return
      const { fingerprint, definition } = game
      const epoch = (last?.epoch ?? 0) + 1
      if (await storage.addGame({ epoch, fingerprint, definition, policy, createdAt: now() })) return
    }
  }

  function remember(current: CurrentGame): CurrentGame {
    newest = current
    return current
  }

  function warnOfOlder(epoch: number): void {
    logger.warn({ epoch }, 'The game of this process is an older one: it decides under the newest stored game.')
  }

  function warnOfChange(epoch: number): void {
    logger.warn({ epoch }, 'The game differs from the stored one: the new rules count from now on.')
  }

  function current(deadline?: number): Promise<CurrentGame> {
    reading ??= read(deadline).catch((error: unknown) => {
      reading = null
      throw error
    })
    return reading
  }

  return {
    current,
    known: () => newest,
    refresh: async (deadline) => {
      reading = null
      await current(deadline)
    },
    apply: async (game, policy) => {
      // Else the process would put its own in force after it.
      if (game.fingerprint !== own.fingerprint) await current()
      await store(game, policy)
      reading = null
      return current()
    },
  }
}

/** The games as they were stored, of which `epoch` is in force. */
export function compileAll(stored: readonly StoredGame[], epoch: number): CurrentGame {
  const games = new Map(stored.map(({ epoch: at, definition }) => [at, parseGame(definition).rules]))
  const game = games.get(epoch)
  if (game === undefined) throw new RangeError(`There is no game of epoch ${epoch}`)
  const since = stored.findLast(({ policy }) => policy === 'recompute')?.epoch ?? 0
  return { game, games, epoch, since }
}

/** Whether a user's state is of a game that has been replaced since: the log is to be folded again before anything else. */
export function isReplaced(state: UserState | null, { since }: Pick<CurrentGame, 'since'>): boolean {
  return state !== null && state.epoch < since
}
