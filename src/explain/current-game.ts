import type { CurrentGameResponse } from '../engine/answers/wire/games.ts'
import { toGameSummary } from '../engine/calls/read/list-games.ts'
import type { Context } from '../engine/types.ts'
import { GamificationError } from '../errors.ts'
import { parseGame } from '../game/compile.ts'
import { toGameSentences } from './game-sentences.ts'

/**
 * The newest stored game, with a sentence for each of its rules; that of this process is stored first where it is new.
 */
export async function readCurrentGame({ games, storage }: Context): Promise<CurrentGameResponse> {
  await games.current()
  const newest = (await storage.games()).at(-1)
  if (newest === undefined) {
    throw new GamificationError('storage_unusable', 'The storage has no game yet. Call migrate() first.')
  }
  const { rules } = parseGame(newest.definition)
  const isNewest = newest.fingerprint === games.fingerprint
  return { ...toGameSummary(newest), isNewest, sentences: toGameSentences(rules) }
}
