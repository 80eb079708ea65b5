import type { Change } from '../../../rules/change.ts'
import type { Entry } from '../../../rules/entry.ts'
import { startFold } from '../../../rules/fold.ts'
import type { UserState } from '../../../rules/state.ts'
import type { LinePlace, Storage } from '../../../storage.ts'
import type { UserKey } from '../../../storage-rows.ts'
import type { FoldedSnapshot } from '../../accept/snapshot.ts'
import { comparePlaces, createPause, forEachEntryInTurns, type Pause, readInTurns } from '../../replay/read-log.ts'
import type { UserAsRead } from '../../replay/read-start.ts'

/** The part of a log that is asked for. */
export interface Steps {
  /** null: from the first line on. */
  readonly start: FoldedSnapshot | null
  /** The place that ends the part; null: it goes to the end of the log. */
  readonly last: LinePlace | null
}

export const ALL_STEPS: Steps = { start: null, last: null }

/**
 * Folds the log of a user as it was when the user was read, and shows each entry with what followed from it. Answers
 * the state after the last entry; null: there is none.
 */
export async function readSteps(
  storage: Storage,
  key: UserKey,
  { games, since, state: known }: UserAsRead,
  { start, last }: Steps,
  see: (before: UserState, changes: readonly Change[], entry: Entry) => void,
  pause: Pause = createPause(),
): Promise<UserState | null> {
  const fold = startFold(games, since, start?.state)
  const step = (line: Entry): boolean => {
    const away = last === null ? -1 : comparePlaces(line, last)
    // What came since the user was read may have been decided under a game that is not among these.
    if (away <= 0 && line.seq <= known.seq) {
      const { entry, before, step } = fold.next(line)
      see(before, step.changes, entry)
    }
    // After the last line no further chunk need be read.
    return away < 0
  }
  const after = start === null ? undefined : { at: start.at, seq: start.seq }
  await forEachEntryInTurns(readInTurns(storage, key, known.seq, start, pause), step, after, pause)
  return fold.state
}
