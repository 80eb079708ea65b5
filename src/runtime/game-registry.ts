import { setImmediate as nextTurn } from 'node:timers/promises'
import { GamificationError } from '../errors.ts'
import { parseGame } from '../game/compile.ts'
import { isOfTime, readStoredGame, type StoredParts, storedGameText, wantTypes } from '../game/stored-game.ts'
import { membershipIds } from '../rules/criteria.ts'
import { gameOf } from '../rules/fold.ts'
import { type Game, type GameFrom, type Games, withAggregations } from '../rules/game.ts'
import { noticeRules } from '../rules/notice.ts'
import type { UserState } from '../rules/state.ts'
import type { UserKey } from '../storage/rows.ts'
import type { ReadUserOptions, Storage, StoredGame, UserView } from '../storage/storage.ts'
import type { Eventually } from '../storage/sync-or-async.ts'
import type { Context, CurrentGame, GameRegistry, Logger, OwnGame, Wanted } from './context.ts'

/** The newest of the stored games in force. `compiled` keeps games by their text, so that each is compiled once. */
export function compileAll(stored: readonly StoredGame[], compiled: Map<string, Game> = new Map()): CurrentGame {
  const compile = (text: string): Game => {
    const game = compiled.get(text) ?? parseGame(text).rules
    compiled.set(text, game)
    return game
  }
  const games = withAggregations(new Map(stored.map(({ epoch, definition }) => [epoch, compile(definition)])))
  const [last] = stored.slice(-1)
  if (last === undefined) throw new RangeError('There is no stored game')
  const baselines = stored.filter(({ policy }) => policy === 'recompute').map(({ epoch: at }) => at)
  const { boosts, messages } = partsOf(last)
  const gamesFrom = gamesFromOf(stored, games)
  const noticesFrom = gamesFrom.filter((each, place) => {
    const before = gamesFrom[place - 1]
    return before !== undefined && noticeRules(before.game) !== noticeRules(each.game)
  })
  const known = { gamesFrom, noticesFrom, messages: wantedBy(gamesFrom, messages) }
  const { epoch } = last
  return { game: gameOf(games, epoch), games, epoch, baselineEpoch: baselines.at(-1) ?? 0, baselines, boosts, ...known }
}

function wantedBy(gamesFrom: readonly GameFrom[], messages: StoredParts['messages']): Wanted | null {
  const before = gamesFrom.findLastIndex(({ game }) => membershipIds(game).length === 0)
  const first = gamesFrom[before + 1]
  const types = new Set(messages?.types)
  const withTime = messages?.types.some(isOfTime) === true
  if (first === undefined) return messages && { types, since: messages.since, withTime }
  return { types, since: withTime ? messages.since : first.from, withTime: true }
}

/** By the clocks of those who stored them. A clock that went back does not change the order. */
function gamesFromOf(stored: readonly StoredGame[], games: Games): readonly GameFrom[] {
  let from = Number.NEGATIVE_INFINITY
  return stored.map(({ epoch, createdAt }) => {
    from = Math.max(from, createdAt)
    return { epoch, from, game: gameOf(games, epoch) }
  })
}

/** True if a newer game replaced the user's. The log must then be replayed before anything else. */
export function isReplaced(state: UserState | null, { baselineEpoch }: Pick<CurrentGame, 'baselineEpoch'>): boolean {
  return state !== null && state.epoch < baselineEpoch
}

/**
 * Every process decides under the newest stored game. A process whose own game is new adds it as the next epoch. A
 * process whose own game is a known older one changes nothing, so that a rolling deploy does not flap. The next game keeps
 * the given boosts and the wanted types of messages.
 */
export function createGameRegistry(storage: Storage, own: OwnGame, now: () => number, logger: Logger): GameRegistry {
  let reading: Promise<CurrentGame> | null = null
  let newest: CurrentGame | null = null
  const compiled = new Map<string, Game>()

  async function read(bound: Storage): Promise<CurrentGame> {
    for (;;) {
      const stored = await bound.games()
      const last = stored.at(-1)
      if (last !== undefined && stored.some(({ fingerprint }) => fingerprint === own.fingerprint)) {
        const { epoch, fingerprint } = last
        const older = 'The game of this process is an older one: it decides under the newest stored game.'
        if (fingerprint !== own.fingerprint && epoch !== newest?.epoch) logger.warn({ epoch }, older)
        newest = compileAll(stored, compiled)
        return newest
      }
      const other = 'The game differs from the stored one: the new rules count from now on.'
      if (last !== undefined) logger.warn({ epoch: last.epoch + 1 }, other)
      await bound.addGame(nextGame(last, own, 'forward'))
    }
  }

  /** Adds the game that follows the stored ones, again if another process was faster. null: none does. */
  async function add(follow: (stored: readonly StoredGame[]) => Eventually<StoredGame | null>): Promise<CurrentGame> {
    for (;;) {
      const next = await follow(await storage.games())
      if (next === null || (await storage.addGame(next))) break
    }
    reading = null
    return current()
  }

  /** The game after the last one, with the boosts and wanted messages that stood beside that one. */
  function nextGame(last: StoredGame | undefined, game: OwnGame, policy: StoredGame['policy']): StoredGame {
    const { fingerprint } = game
    const own = JSON.parse(game.definition)
    const definition = last === undefined ? game.definition : storedGameText({ ...partsOf(last), definition: own })
    return { epoch: (last?.epoch ?? 0) + 1, fingerprint, definition, policy, createdAt: now() }
  }

  /** Stores the last game again with other boosts or messages, unless they are the same. */
  async function storeBeside(
    change: (parts: StoredParts, known: CurrentGame) => Eventually<Partial<StoredParts>>,
  ): Promise<CurrentGame> {
    await current()
    return add(async (stored) => {
      const last = stored.at(-1)
      if (last === undefined) return null
      const { epoch, fingerprint } = last
      const parts = partsOf(last)
      const definition = storedGameText({ ...parts, ...(await change(parts, compileAll(stored, compiled))) })
      if (definition === storedGameText(parts)) return null
      return { epoch: epoch + 1, fingerprint, definition, policy: 'forward', createdAt: now() }
    })
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
      return add((stored) => {
        const last = stored.at(-1)
        const isSame = last?.fingerprint === game.fingerprint && (policy === 'forward' || last.policy === policy)
        return isSame ? null : nextGame(last, game, policy)
      })
    },
    changeBoosts: (change) => storeBeside(({ boosts }, known) => ({ boosts: change(boosts, known) })),
    changeMessages: (typesOf) =>
      storeBeside(async ({ messages }) => ({ messages: wantTypes(messages, await typesOf(), now()) })),
  }
}

function partsOf({ definition }: Pick<StoredGame, 'definition'>): StoredParts {
  return readStoredGame(JSON.parse(definition))
}

/** The answer of work that has to be done once more: the user or the game has changed meanwhile. */
export const AGAIN: unique symbol = Symbol('again')

export type Again = typeof AGAIN

const MOST_TRIES = 100

/** Does `work` under the newest game until it is done. Throws `unavailable` after 100 tries; `what` was tried. */
export async function untilDone<T>(
  { storage, games }: Pick<Context, 'storage' | 'games'>,
  key: UserKey,
  what: string,
  work: (current: CurrentGame, tries: number) => Promise<T | Again>,
): Promise<T> {
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    if (tries > 1) await nextTurn()
    const done = await work(await games.current(storage), tries)
    if (done !== AGAIN) return done
    await games.refresh(storage)
  }
  const who = `The user ${JSON.stringify(key.user)} or the game changed ${MOST_TRIES} times while ${what}`
  throw new GamificationError('unavailable', `${who}: try again.`)
}

/** As `untilDone`, with the user as it is read under that game. */
export async function onNewestGame<T>(
  context: Pick<Context, 'storage' | 'games'>,
  key: UserKey,
  options: ReadUserOptions,
  what: string,
  work: (view: UserView, current: CurrentGame, tries: number) => T | Again | Promise<T | Again>,
): Promise<T> {
  return untilDone(context, key, what, async (current, tries) => {
    const view = await context.storage.readUser(key, options)
    return view.epoch === current.epoch ? work(view, current, tries) : AGAIN
  })
}
