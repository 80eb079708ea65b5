import type { Change } from '../../../rules/change.ts'
import type { Entry } from '../../../rules/entry.ts'
import { startFold } from '../../../rules/fold.ts'
import type { UserState } from '../../../rules/state.ts'
import type { Storage } from '../../../storage.ts'
import type { UserKey } from '../../../storage-rows.ts'
import { forEachEntry, readInTurns } from '../../replay/read-log.ts'
import type { ReadUser } from './read-user.ts'

/** Folds the log of a user who was read, up to then, and shows each entry with what followed from it. */
export async function readSteps(
  storage: Storage,
  key: UserKey,
  { games, since, state: known }: Pick<ReadUser, 'games' | 'since' | 'state'>,
  see: (before: UserState, changes: readonly Change[], entry: Entry) => void,
): Promise<void> {
  const fold = startFold(games, since)
  await forEachEntry(readInTurns(storage, key, known.seq), (line) => {
    // What came since the user was read may have been decided under a game that is not among these.
    if (line.seq > known.seq) return true
    const { entry, before, step } = fold.next(line)
    see(before, step.changes, entry)
    return true
  })
}
