import type { Change } from '../../../rules/change.ts'
import type { Entry } from '../../../rules/entry.ts'
import { place, stepOver, underReplacement } from '../../../rules/fold.ts'
import { emptyState, type UserState } from '../../../rules/state.ts'
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
  let state: UserState | null = null
  await forEachEntry(readInTurns(storage, key, known.seq), (stored) => {
    const entry = underReplacement(since, stored)
    // What came since the user was read may have been decided under a game that is not among these.
    if (entry.seq > known.seq) return true
    const before: UserState = state ?? emptyState(entry.at, entry.epoch)
    const placed = place(before, entry)
    const step = stepOver(games, before, placed)
    see(before, step.changes, placed)
    state = step.state
    return true
  })
}
