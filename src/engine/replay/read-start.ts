import type { Instant } from '../../rules/calendar.ts'
import type { UserState } from '../../rules/state.ts'
import type { Snapshot } from '../../storage-rows.ts'
import { chain } from '../accept/chain.ts'
import { type FoldedSnapshot, openSnapshot } from '../accept/snapshot.ts'
import { snapshotLines } from '../accept/snapshot-lines.ts'
import type { CurrentGame, Eventually } from '../types.ts'

/** A user whose log is read: as it was when it was read. */
export interface UserAsRead extends Pick<CurrentGame, 'games' | 'since'> {
  readonly state: UserState
}

/** Whether a log is so short that no snapshot of it was kept. */
export function hasNoSnapshot({ seq }: UserState): boolean {
  return seq < snapshotLines.every
}

/**
 * The newest snapshot whose last line is not after an instant: its state has what the log says up to there, so that
 * only the lines behind it are to be read. `readSnapshot` reads it from the storage. null: the log is to be read from
 * its beginning.
 */
export function readStart(
  readSnapshot: (until: Instant) => Eventually<Snapshot | null>,
  { games, since, state: known }: UserAsRead,
  until: Instant,
): Eventually<FoldedSnapshot | null> {
  if (hasNoSnapshot(known)) return null
  return chain(readSnapshot(until), (stored) => {
    const start = openSnapshot(stored, since)
    if (start === null) return null
    // A snapshot that was kept since the user was read may have lines, and games, that are not known here.
    return start.state.seq <= known.seq && games.has(start.state.epoch) ? start : null
  })
}
