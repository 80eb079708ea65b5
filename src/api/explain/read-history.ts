import { liveInstant, requireUser } from '../../record/accept/accept-command.ts'
import type { Instant } from '../../rules/calendar.ts'
import type { Change } from '../../rules/change.ts'
import { evolveAll } from '../../rules/evolve.ts'
import { type AppliedEntry, underGame } from '../../rules/fold.ts'
import { settle } from '../../rules/settle.ts'
import type { UserState } from '../../rules/state.ts'
import type { Context, CurrentGame } from '../../runtime/context.ts'
import { isReplaced } from '../../runtime/game-registry.ts'
import { AGAIN, onNewestGame } from '../../runtime/newest-game.ts'
import type { UserKey } from '../../storage/rows.ts'
import { replayEntries } from '../events/read-events.ts'
import { followMerges } from '../users/read-user.ts'

/** The user as it reads now: under the newest game, settled. */
export interface Present {
  /** After the newest entry. */
  readonly before: UserState
  /** Changes since then that time or a newer game caused. */
  readonly changes: readonly Change[]
  readonly state: UserState
  readonly at: Instant
}

/** Looks for something in a history. */
export interface HistoryReader<T> {
  see(appliedEntry: AppliedEntry): void
  end(present: Present): T
}

/**
 * Replays the log from its beginning. For a merged user it replays the log of the remaining user. Throws
 * `unknown_user`.
 */
export async function readHistory<T>(
  context: Context,
  named: UserKey,
  begin: (current: CurrentGame) => HistoryReader<T>,
): Promise<T> {
  const { key } = await followMerges(context, named)
  return onNewestGame<T>(context, key, {}, 'its log was read', async (storedUser, current) => {
    const known = requireUser(storedUser.state, key.user)
    if (known.mergedInto !== null) return AGAIN
    const reader = begin(current)
    // A user whose log has not been replayed yet is read as the earlier games left the user.
    const baselineEpoch = isReplaced(known, current) ? 0 : current.baselineEpoch
    const read = { games: current.games, baselineEpoch, state: known }
    let count = 0
    await replayEntries(context.storage, key, read, { start: null, last: null }, (appliedEntry) => {
      reader.see(appliedEntry)
      count += 1
    })
    // The log was rewritten between the chunks.
    if (count !== known.seq) return AGAIN
    const at = liveInstant(known, context.now())
    const adopted = underGame(current.games, known, current.epoch, at)
    const changes = [...adopted.changes, ...settle(current.game, adopted.state, at)]
    return reader.end({ before: known, changes, state: evolveAll(known, changes), at })
  })
}
