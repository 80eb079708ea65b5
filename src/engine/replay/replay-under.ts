import type { Game } from '../../rules/game.ts'
import type { CurrentGame, Eventually } from '../types.ts'
import type { ReadChunk } from './read-log.ts'
import { type Replay, replay } from './replay.ts'

/**
 * A user's log folded as if a game had always been there: without what earlier games granted or kept. null: an entry is
 * of a game that is not known yet. Lines that come while the log is read may be among those that `readLog` answers.
 */
export function replayUnder(readLog: ReadChunk, current: CurrentGame, game: Game): Eventually<Replay | null> {
  const since = current.epoch + 1
  const games = new Map([...current.games, [since, game]])
  return replay(readLog, { games, since }, [])
}
