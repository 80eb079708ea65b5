import { parseGame } from '../game/compile.ts'
import { givenBoostsOf } from '../game/given-boosts.ts'
import { type WantedMessages, wantedMessagesOf, withoutMessages } from '../game/wanted-messages.ts'
import { gameOf } from '../rules/fold.ts'
import type { Game, GameFrom, Games } from '../rules/game.ts'
import { noticeRules } from '../rules/notice-times.ts'
import type { UserState } from '../rules/state.ts'
import type { StoredGame } from '../storage.ts'
import type { CurrentGame } from './types.ts'

/** Compiled games by their text, so that after a boost was given the games before it are not compiled again. */
export type CompiledGames = Map<string, Game>

function compileOnce(stored: string, compiled: CompiledGames): Game {
  const definition = withoutMessages(stored)
  const game = compiled.get(definition) ?? parseGame(definition).rules
  compiled.set(definition, game)
  return game
}

/** The games as they were stored, of which `epoch` is in force. */
export function compileAll(
  stored: readonly StoredGame[],
  epoch: number,
  compiled: CompiledGames = new Map(),
): CurrentGame {
  const games = new Map(stored.map(({ epoch: at, definition }) => [at, compileOnce(definition, compiled)]))
  const game = games.get(epoch)
  if (game === undefined) throw new RangeError(`There is no game of epoch ${epoch}`)
  const since = stored.findLast(({ policy }) => policy === 'recompute')?.epoch ?? 0
  const replacing = stored.filter(({ policy }) => policy === 'recompute').map(({ epoch: at }) => at)
  const definition = stored.find(({ epoch: at }) => at === epoch)?.definition ?? ''
  const boosts = givenBoostsOf(definition)
  const messages = toWanted(wantedMessagesOf(definition))
  const gamesFrom = gamesFromOf(stored, games)
  const noticesFrom = gamesFrom.filter((each, place) => {
    const before = gamesFrom[place - 1]
    return before !== undefined && noticeRules(before.game) !== noticeRules(each.game)
  })
  return { game, games, epoch, since, replacing, boosts, messages, gamesFrom, noticesFrom }
}

function toWanted(messages: WantedMessages | null): CurrentGame['messages'] {
  return messages === null ? null : { types: new Set(messages.types), since: messages.since }
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
 * Whether a user's state is of a game that has been replaced since: the log is to be folded again before anything else.
 */
export function isReplaced(state: UserState | null, { since }: Pick<CurrentGame, 'since'>): boolean {
  return state !== null && state.epoch < since
}
