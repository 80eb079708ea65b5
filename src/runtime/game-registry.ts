import { setImmediate as nextTurn } from 'node:timers/promises'
import { GamificationError } from '../errors.ts'
import { parseGame } from '../game/compile.ts'
import {
  isOfTime,
  parseStored,
  readStoredGame,
  type StoredParts,
  storedGameText,
  wantTypes,
  withEpoch,
} from '../game/stored-game.ts'
import type { Instant } from '../rules/calendar.ts'
import { withChallengeGames } from '../rules/challenge.ts'
import { membershipIds } from '../rules/criteria.ts'
import { gameOf } from '../rules/fold.ts'
import { type Game, type GameFrom, type Games, withAggregations } from '../rules/game.ts'
import { noticeRules } from '../rules/notice.ts'
import type { UserState } from '../rules/state.ts'
import { addGame, loadGameSilence, loadGames, SEEN_EVERY_MS, type SharedTime, seeGame } from '../sql/games.ts'
import type { Eventually } from '../storage/steps.ts'
import type { Storage, StoredGame } from '../storage/storage.ts'
import type { CurrentGame, GameRegistry, Logger, OwnGame, Wanted } from './context.ts'
import { type GameStanding, judgeGame, otherGameText, toChangeText } from './game-in-force.ts'
import { MOST_TRIES } from './newest-game.ts'

/** The rules of a stored game, which `compiled` keeps by their text. Throws `invalid_game`, with the epoch. */
function compileStored({ epoch, definition }: StoredGame, compiled: Map<string, Game>): Game {
  const rules = compiled.get(definition) ?? withEpoch(epoch, () => parseGame(definition).rules)
  compiled.set(definition, rules)
  return rules
}

/** The newest of the stored games in force. `compiled` keeps games by their text, so that each is compiled once. */
export function compileAll(stored: readonly StoredGame[], compiled: Map<string, Game> = new Map()): CurrentGame {
  const [last] = stored.slice(-1)
  if (last === undefined) throw new RangeError('There is no stored game')
  const baselines = stored.filter(({ policy }) => policy === 'recompute').map(({ epoch: at }) => at)
  const games = withEarlierChallenges(
    withAggregations(new Map(stored.map((each) => [each.epoch, compileStored(each, compiled)]))),
    stored,
    baselines,
  )
  const { boosts, messages } = partsOf(last)
  const gamesFrom = gamesFromOf(stored, games)
  const noticesFrom = gamesFrom.filter((each, index) => {
    const before = gamesFrom[index - 1]
    return before !== undefined && noticeRules(before.game) !== noticeRules(each.game)
  })
  const known = { gamesFrom, noticesFrom, messages: wantedBy(gamesFrom, messages) }
  const { epoch } = last
  return { game: gameOf(games, epoch), games, epoch, baselineEpoch: baselines.at(-1) ?? 0, baselines, boosts, ...known }
}

/** Each game knows the games before it whose windows of challenges may still run. */
function withEarlierChallenges(games: Games, stored: readonly StoredGame[], baselines: readonly number[]): Games {
  const from = gamesFromOf(stored, games).map((each) => ({ ...each, challenges: each.game.challenges }))
  const known = withChallengeGames(from, baselines)
  if (known.size === 0) return games
  return new Map([...games].map(([epoch, game]) => [epoch, { ...game, challengeGames: known.get(epoch) ?? [] }]))
}

function wantedBy(gamesFrom: readonly GameFrom[], messages: StoredParts['messages']): Wanted | null {
  const before = gamesFrom.findLastIndex(({ game }) => membershipIds(game).length === 0)
  const first = gamesFrom[before + 1]
  const types = new Set(messages?.types)
  const withTime = messages?.types.some(isOfTime) === true
  if (first === undefined) return messages && { types, since: messages.since, withTime }
  return { types, since: withTime ? messages.since : first.from, withTime: true }
}

/** Ordered by the clocks of the processes that stored them. A clock that went back does not change the order. */
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

/** The registry's facts about its process. */
export interface OwnProcess {
  readonly game: OwnGame
  /** The rules of `game`, so that it is not compiled again. */
  readonly rules: Game
  /** True if the game was read from the storage. The process then uses the game in force, and does not keep one in force. */
  readonly isFollower: boolean
  readonly now: () => Instant
  /** True if the host gave the clock. */
  readonly isHostClock: boolean
  readonly logger: Logger
}

/**
 * Every process decides under the newest stored game. A process whose own game is new adds it as the next epoch, and
 * `judgeGame` says when an earlier game returns. The next game keeps the given boosts and the wanted types of messages.
 */
export function createGameRegistry(storage: Storage, process: OwnProcess): GameRegistry {
  const { game: own, rules, isFollower, now, isHostClock, logger } = process
  let reading: Promise<CurrentGame> | null = null
  let newest: CurrentGame | null = null
  let replaced: CurrentGame | null = null
  let firstEpoch: number | null = null
  let standing: GameStanding = { type: 'new' }
  /** When the process last noted that it is at work, or looked if the game in force is silent. */
  let lookedAt: Instant | null = null
  const compiled = new Map([[own.definition, rules]])
  const underWay = new Set<Promise<unknown>>()

  const sharedTime = (): SharedTime => ({ now: now(), isHostClock })

  async function read(bound: Storage): Promise<CurrentGame> {
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      const stored = await loadGames(bound)
      const last = stored.at(-1)
      firstEpoch ??= last?.epoch ?? 0
      lookedAt = now()
      standing = await judge(bound, stored, firstEpoch)
      const isReturning = standing.type === 'returning'
      if (last === undefined || standing.type === 'new' || isReturning) {
        if (last !== undefined) logger.warn({ epoch: last.epoch + 1 }, toChangeText(last.epoch, isReturning))
        const next = nextGame(last, own, { cause: isReturning ? 'return' : 'start', policy: 'forward' })
        if ((await store(next, bound)) && last !== undefined) replaced = compileAll(stored, compiled)
        continue
      }
      const message = otherGameText(standing, last.epoch)
      if (message !== null && last.epoch !== newest?.epoch) logger.warn({ epoch: last.epoch }, message)
      newest = compileAll(stored, compiled)
      if (standing.type === 'inForce') see()
      return newest
    }
    throw changedOften()
  }

  async function judge(bound: Storage, stored: readonly StoredGame[], since: number): Promise<GameStanding> {
    if (isFollower && stored.length > 0) return { type: 'inForce' }
    const { fingerprint } = own
    const judged = judgeGame(stored, { fingerprint, firstEpoch: since }, 0)
    if (judged.type !== 'waiting') return judged
    return judgeGame(stored, { fingerprint, firstEpoch: since }, await loadGameSilence(bound, sharedTime()))
  }

  /** Runs beside the calls: they neither wait for it nor fail with it. */
  function inBackground(work: () => Promise<unknown>): void {
    // Start after the call that caused it has continued.
    const run = nextTurn()
      .then(work)
      .catch(() => undefined)
      .finally(() => underWay.delete(run))
    underWay.add(run)
  }

  function see(): void {
    const time = sharedTime()
    if (!isFollower) inBackground(() => seeGame(storage, own.fingerprint, time))
  }

  /** A game that is put in force was seen at that moment, by the clock that all processes share. */
  async function store(game: StoredGame, bound: Storage = storage): Promise<boolean> {
    const isStored = await addGame(bound, game)
    if (isStored) await seeGame(bound, game.fingerprint, sharedTime())
    return isStored
  }

  /** Notes that the process is at work, or reads the games again if its own might return. */
  function look(): void {
    if (newest === null || lookedAt === null || isFollower || standing.type === 'outdated') return
    const pauseMs = standing.type === 'waiting' ? standing.forMs : SEEN_EVERY_MS
    const sinceMs = now() - lookedAt
    if (sinceMs >= 0 && sinceMs < pauseMs) return
    lookedAt = now()
    if (standing.type === 'inForce') see()
    else reading = null
  }

  /**
   * Adds the game that follows the stored ones, again if another process was faster. Returns `null` if no game follows.
   */
  async function add(follow: (stored: readonly StoredGame[]) => Eventually<StoredGame | null>): Promise<CurrentGame> {
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      const next = await follow(await loadGames(storage))
      if (next !== null && !(await store(next))) continue
      reading = null
      return current()
    }
    throw changedOften()
  }

  /** The game after the last one, with the last one's boosts and wanted messages. */
  function nextGame(
    last: StoredGame | undefined,
    game: OwnGame,
    how: Pick<StoredGame, 'cause' | 'policy'>,
  ): StoredGame {
    const { fingerprint } = game
    const own = JSON.parse(game.definition)
    const definition = last === undefined ? game.definition : storedGameText({ ...partsOf(last), definition: own })
    return { epoch: (last?.epoch ?? 0) + 1, fingerprint, definition, ...how, createdAt: now() }
  }

  /** Stores the last game again with other boosts or messages, unless they are the same. */
  async function storeAgain(
    cause: StoredGame['cause'],
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
      return { epoch: epoch + 1, fingerprint, definition, policy: 'forward', cause, createdAt: now() }
    })
  }

  function current(bound: Storage = storage): Promise<CurrentGame> {
    look()
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
    otherGame: () => (newest === null ? null : otherGameText(standing, newest.epoch)),
    otherGameIn: (stored) => {
      const last = stored.at(-1)
      if (isFollower || last === undefined) return null
      const { fingerprint } = own
      return otherGameText(judgeGame(stored, { fingerprint, firstEpoch: firstEpoch ?? last.epoch }, 0), last.epoch)
    },
    check: (stored) => {
      for (const each of stored) compileStored(each, compiled)
    },
    replaced: () => replaced,
    lookInBackground: () => {
      look()
      if (newest !== null && reading === null) inBackground(() => current())
    },
    drained: async () => {
      await Promise.all(underWay)
    },
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
        return isSame ? null : nextGame(last, game, { cause: 'apply', policy })
      })
    },
    changeBoosts: (change) => storeAgain('boosts', ({ boosts }, known) => ({ boosts: change(boosts, known) })),
    changeMessages: (typesOf) =>
      storeAgain('messages', async ({ messages }) => ({ messages: wantTypes(messages, await typesOf(), now()) })),
  }
}

function changedOften(): GamificationError {
  const message = `Other processes stored a game ${MOST_TRIES} times meanwhile. Nothing was saved; try again.`
  return new GamificationError('unavailable', message)
}

function partsOf({ definition }: Pick<StoredGame, 'definition'>): StoredParts {
  return readStoredGame(parseStored(definition))
}

/** An error that the game in force caused, which says so if that is not the game of this process. */
export function aboutOtherGame(games: Pick<GameRegistry, 'otherGame'>, error: GamificationError): GamificationError {
  const other = games.otherGame()
  if (other === null || error.message.includes(other)) return error
  const { code, message, issues, cause } = error
  return new GamificationError(code, `${message} ${other}`, { issues, cause })
}
