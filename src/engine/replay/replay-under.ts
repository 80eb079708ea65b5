import type { Game } from '../../rules/game.ts'
import type { CurrentGame } from '../types.ts'
import { createPause, forEachEntryInTurns, type ReadChunk } from './read-log.ts'
import { type Replay, replay } from './replay.ts'

/**
 * A user's log folded as if a game had always been there: without what earlier games granted or kept. null: an entry is
 * of a game that is not known yet, or there are more or fewer lines than `lines`. Lines that come while the log is read
 * may be among those that `readLog` answers.
 */
export async function replayUnder(
  readLog: ReadChunk,
  current: CurrentGame,
  game: Game,
  { lines, signal }: { readonly lines?: number | undefined; readonly signal?: AbortSignal | undefined },
): Promise<Replay | null> {
  return replay(readLog, allUnder(current, game), [], { lines }, (read, step) =>
    forEachEntryInTurns(read, step, undefined, createPause(signal)),
  )
}

/** The games of a fold in which `game` stands in place of all others. */
export function allUnder(current: CurrentGame, game: Game): Pick<CurrentGame, 'games' | 'since'> {
  const since = current.epoch + 1
  return { games: new Map([...current.games, [since, game]]), since }
}
