import { type GivenBoosts, givenBoostsOf, givenBoostsText, withGivenBoosts } from '../game/given-boosts.ts'
import { type WantedMessages, wantedMessagesOf, wantTypes, withMessages } from '../game/wanted-messages.ts'
import type { Storage, StoredGame } from '../storage.ts'
import { type CompiledGames, compileAll } from './games.ts'
import type { CurrentGame, Eventually, GameBook, Logger, OwnGame } from './types.ts'

/**
 * Every process decides under the newest stored game. One whose own game is new adds it as the next epoch; one whose
 * own is a known older one changes nothing, so that a rolling deploy does not flap. Boosts that were given to all users
 * and the types of messages that are wanted stand beside the definition, under its fingerprint, and go on with the next
 * one.
 */
export function createGameBook(storage: Storage, own: OwnGame, now: () => number, logger: Logger): GameBook {
  let reading: Promise<CurrentGame> | null = null
  let newest: CurrentGame | null = null
  const compiled: CompiledGames = new Map()

  async function read(bound: Storage): Promise<CurrentGame> {
    for (;;) {
      const stored = await bound.games()
      const last = stored.at(-1)
      if (last !== undefined && stored.some(({ fingerprint }) => fingerprint === own.fingerprint)) {
        if (last.fingerprint !== own.fingerprint) warnOfOlder(last.epoch)
        return remember(compileAll(stored, last.epoch, compiled))
      }
      if (last !== undefined) warnOfChange(last.epoch + 1)
      await bound.addGame(nextGame(last, own, 'forward'))
    }
  }

  async function store(game: OwnGame, policy: StoredGame['policy']): Promise<void> {
    for (;;) {
      const last = (await storage.games()).at(-1)
      const isSame = last?.fingerprint === game.fingerprint
      if (isSame && (policy === 'forward' || last.policy === policy)) return
      if (await storage.addGame(nextGame(last, game, policy))) return
    }
  }

  /** The game after the last one, with the boosts and wanted messages that stood beside that one. */
  function nextGame(last: StoredGame | undefined, game: OwnGame, policy: StoredGame['policy']): StoredGame {
    const { fingerprint } = game
    const definition = last === undefined ? game.definition : withBesideOf(last, game.definition)
    return { epoch: (last?.epoch ?? 0) + 1, fingerprint, definition, policy, createdAt: now() }
  }

  async function storeBoosts(change: (boosts: GivenBoosts, current: CurrentGame) => GivenBoosts): Promise<void> {
    await storeBeside(({ definition }, known) => {
      const changed = withGivenBoosts(definition, change(givenBoostsOf(definition), known))
      return givenBoostsText(changed) === givenBoostsText(definition) ? null : changed
    })
  }

  async function storeMessages(typesOf: () => Promise<Iterable<string>>): Promise<void> {
    await storeBeside(async ({ definition }) => {
      const before = wantedMessagesOf(definition)
      const after = wantTypes(before, await typesOf(), now())
      return isSameWanted(before, after) ? null : withMessages(definition, after)
    })
  }

  /** The last game again, with other boosts or messages beside it; null: they are as they should be. */
  async function storeBeside(
    change: (last: StoredGame, known: CurrentGame) => Eventually<string | null>,
  ): Promise<void> {
    for (;;) {
      const stored = await storage.games()
      const last = stored.at(-1)
      if (last === undefined) {
        await current()
        continue
      }
      const { epoch, fingerprint } = last
      const known = newest?.epoch === epoch ? newest : compileAll(stored, epoch, compiled)
      const definition = await change(last, known)
      if (definition === null) return
      const next = { epoch: epoch + 1, fingerprint, definition, policy: 'forward', createdAt: now() } as const
      if (await storage.addGame(next)) return
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

  function current(bound: Storage = storage): Promise<CurrentGame> {
    reading ??= read(bound).catch((error: unknown) => {
      reading = null
      throw error
    })
    return reading
  }

  return {
    fingerprint: own.fingerprint,
    current,
    known: () => newest,
    refresh: async (bound) => {
      reading = null
      await current(bound)
    },
    apply: async (game, policy) => {
      // Else the process would put its own game in force after that one.
      if (game.fingerprint !== own.fingerprint) await current()
      await store(game, policy)
      reading = null
      return current()
    },
    changeBoosts: async (change) => {
      await current()
      await storeBoosts(change)
      reading = null
      return current()
    },
    changeMessages: async (typesOf) => {
      await current()
      await storeMessages(typesOf)
      reading = null
      return current()
    },
  }
}

/** A definition with the boosts and wanted messages that stand beside the one of the last game. */
export function withBesideOf(last: Pick<StoredGame, 'definition'>, definition: string): string {
  return withMessages(withGivenBoosts(definition, givenBoostsOf(last.definition)), wantedMessagesOf(last.definition))
}

function isSameWanted(left: WantedMessages | null, right: WantedMessages | null): boolean {
  return JSON.stringify(left?.types) === JSON.stringify(right?.types)
}
