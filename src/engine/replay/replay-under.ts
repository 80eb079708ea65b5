import type { Game } from '../../rules/game.ts'
import type { Storage } from '../../storage.ts'
import type { UserKey } from '../../storage-rows.ts'
import type { CurrentGame } from '../types.ts'
import { readInTurns } from './read-log.ts'
import { type Replay, replay } from './replay.ts'

/**
 * A user's log folded as if a game had always been there: without what earlier games granted or kept. null: an entry is
 * of a game that is not known yet. `lines`: how many lines the log has; lines that come meanwhile may be among them or
 * not.
 */
export async function replayUnder(
  storage: Storage,
  current: CurrentGame,
  game: Game,
  key: UserKey,
  lines: number,
): Promise<Replay | null> {
  const since = current.epoch + 1
  const games = new Map([...current.games, [since, game]])
  return replay(readInTurns(storage, key, lines), { games, since }, [])
}
