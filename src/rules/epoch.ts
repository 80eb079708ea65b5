import type { Instant } from './calendar.ts'
import type { Game, GameFrom } from './game.ts'

/**
 * The epoch of the game that was in force at an instant; before the first game, that of the first. Epochs only go up
 * along a log, so it is at least that of the entry before (`least`) and at most that of the entry after (`most`).
 */
export function epochAt(games: readonly GameFrom[], at: Instant, least: number, most: number): number {
  const inForce = games.findLast(({ epoch, from }) => epoch <= most && from <= at) ?? games[0]
  return Math.max(least, inForce?.epoch ?? most)
}

/**
 * The game that an event of an earlier time is judged by: the one in force then, and it also knows the names that have
 * been added since, so that the history of a new metric can be imported.
 */
export function withNamesOf(newest: Game, game: Game): Game {
  if (newest === game) return game
  return {
    ...game,
    metrics: new Map([...newest.metrics, ...game.metrics]),
    eventAttributes: new Set([...game.eventAttributes, ...newest.eventAttributes]),
    userAttributes: new Set([...game.userAttributes, ...newest.userAttributes]),
  }
}
