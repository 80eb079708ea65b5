import type { Instant } from '../../rules/calendar.ts'
import type { UserState } from '../../rules/state.ts'
import type { Storage } from '../../storage.ts'
import type { UserKey } from '../../storage-rows.ts'
import { type FoldedSnapshot, openSnapshot } from '../accept/snapshot.ts'
import { snapshotLines } from '../accept/snapshot-lines.ts'
import type { CurrentGame } from '../types.ts'

/** A user whose log is read: as it was when it was read. */
export interface KnownUser extends Pick<CurrentGame, 'games' | 'since'> {
  readonly state: UserState
}

/**
 * The newest snapshot whose last line is not after an instant: what the log says up to there is in its state, so that only the
 * lines behind are to be read. null: the log is to be read from its beginning.
 */
export async function readStart(
  storage: Storage,
  key: UserKey,
  { games, since, state: known }: KnownUser,
  until: Instant,
): Promise<FoldedSnapshot | null> {
  if (known.seq < snapshotLines.every) return null
  const start = openSnapshot(await storage.readSnapshot(key, until), since)
  if (start === null) return null
  // One that was kept since the user was read may have lines, and games, that are not known here.
  return start.state.seq <= known.seq && games.has(start.state.epoch) ? start : null
}
