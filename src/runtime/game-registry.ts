import { setImmediate as nextTurn } from 'node:timers/promises'
import { GamificationError } from '../errors.ts'
import { parseGame } from '../game/compile.ts'
import {
  isOfTime,
  MEMBERSHIPS,
  readStoredGame,
  type StoredParts,
  storedGameText,
  wantTypes,
  withoutMessages,
} from '../game/stored-game.ts'
import { membershipIds } from '../rules/criteria.ts'
import { gameOf } from '../rules/fold.ts'
import { type Game, type GameFrom, type Games, withAggregations } from '../rules/game.ts'
import { noticeRules } from '../rules/notice.ts'
import type { UserState } from '../rules/state.ts'
import type { UserKey } from '../storage/rows.ts'
import type { ReadUserOptions, Storage, StoredGame, UserView } from '../storage/storage.ts'
import type { Eventually } from '../storage/sync-or-async.ts'
import type { Context, CurrentGame, GameRegistry, Logger, OwnGame, Wanted } from './context.ts'

/** Compiled games by their text, so that after a boost was given the games before it are not compiled again. */
export type CompiledGames = Map<string, Game>

function compileOnce(stored: string, compiled: CompiledGames): Game {
  const definition = withoutMessages(stored)
  const game = compiled.get(definition) ?? parseGame(definition).rules
  compiled.set(definition, game)
  return game
}

export function compileAll(
  stored: readonly StoredGame[],
  epoch: number,
  compiled: CompiledGames = new Map(),
): CurrentGame {
  const games = withAggregations(
    new Map(stored.map(({ epoch: at, definition }) => [at, compileOnce(definition, compiled)])),
  )
  const game = games.get(epoch)
  if (game === undefined) throw new RangeError(`There is no game of epoch ${epoch}`)
  const baselineEpoch = stored.findLast(({ policy }) => policy === 'recompute')?.epoch ?? 0
  const baselines = stored.filter(({ policy }) => policy === 'recompute').map(({ epoch: at }) => at)
  const definition = stored.find(({ epoch: at }) => at === epoch)?.definition ?? ''
  const { boosts, messages } = readStoredGame(JSON.parse(definition))
  const gamesFrom = gamesFromOf(stored, games)
  const noticesFrom = gamesFrom.filter((each, place) => {
    const before = gamesFrom[place - 1]
    return before !== undefined && noticeRules(before.game) !== noticeRules(each.game)
  })
  const known = { gamesFrom, noticesFrom, messages: wantedBy(gamesFrom, messages) }
  return { game, games, epoch, baselineEpoch, baselines, boosts, ...known }
}

/** Under games with memberships the worker goes through the users, also without a subscription. */
function wantedBy(gamesFrom: readonly GameFrom[], messages: StoredParts['messages']): Wanted | null {
  const before = gamesFrom.findLastIndex(({ game }) => membershipIds(game).length === 0)
  const first = gamesFrom[before + 1]
  if (first === undefined) return messages && { types: new Set(messages.types), since: messages.since }
  const types = new Set([...(messages?.types ?? []), MEMBERSHIPS])
  return { types, since: messages?.types.some(isOfTime) ? messages.since : first.from }
}

/**
 * When games came in force, by the clocks of those who stored them; a clock that went back does not change their order.
 */
function gamesFromOf(stored: readonly StoredGame[], games: Games): readonly GameFrom[] {
  let from = Number.NEGATIVE_INFINITY
  return stored.map(({ epoch, createdAt }) => {
    from = Math.max(from, createdAt)
    return { epoch, from, game: gameOf(games, epoch) }
  })
}

/**
 * True if a newer game replaced the game of a user's state. The log must then be replayed before anything else.
 */
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
  const compiled: CompiledGames = new Map()

  async function read(bound: Storage): Promise<CurrentGame> {
    for (;;) {
      const stored = await bound.games()
      const last = stored.at(-1)
      if (last !== undefined && stored.some(({ fingerprint }) => fingerprint === own.fingerprint)) {
        const { epoch } = last
        const older = 'The game of this process is an older one: it decides under the newest stored game.'
        if (last.fingerprint !== own.fingerprint) logger.warn({ epoch }, older)
        newest = compileAll(stored, epoch, compiled)
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
      const known = newest?.epoch === epoch ? newest : compileAll(stored, epoch, compiled)
      const parts = partsOf(last)
      const definition = storedGameText({ ...parts, ...(await change(parts, known)) })
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

/** The answer of work that has to be done once more: the user has changed meanwhile, … */
export const CHANGED: unique symbol = Symbol('changed')
/** … or a game was stored that this process has not read yet. */
export const OUTDATED: unique symbol = Symbol('outdated')

export type Again = typeof CHANGED | typeof OUTDATED

const MOST_TRIES = 100

/**
 * Does `work` under the newest game, once more while it answers that the user or the game has changed; other work of the
 * process goes on in between. Throws `unavailable` after a hundred tries: `what` says what was tried.
 */
export async function untilDone<T>(
  { storage, games }: Pick<Context, 'storage' | 'games'>,
  key: UserKey,
  what: string,
  work: (current: CurrentGame, tries: number) => Promise<T | Again>,
): Promise<T> {
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    if (tries > 1) await nextTurn()
    const done = await work(await games.current(storage), tries)
    if (done === OUTDATED) await games.refresh(storage)
    else if (done !== CHANGED) return done
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
    return view.epoch === current.epoch ? work(view, current, tries) : OUTDATED
  })
}
