import { liveInstant, requireUser } from '../../record/accept/accept-command.ts'
import type { Instant } from '../../rules/calendar.ts'
import type { Change } from '../../rules/change.ts'
import type { Entry } from '../../rules/entry.ts'
import { evolveAll } from '../../rules/evolve.ts'
import { type AppliedEntry, underGame } from '../../rules/fold.ts'
import { settle } from '../../rules/settle.ts'
import type { UserState } from '../../rules/state.ts'
import type { Context, CurrentGame } from '../../runtime/context.ts'
import { isReplaced } from '../../runtime/game-registry.ts'
import { AGAIN, onNewestGame } from '../../runtime/newest-game.ts'
import { findEntries, loadLog } from '../../sql/log.ts'
import type { UserKey } from '../../storage/rows.ts'
import type { Storage } from '../../storage/storage.ts'
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
  /** The id of the entry that is all that `end` has to know, or `null` if it has to see the whole history. */
  only?(present: Present): string | null
  see(appliedEntry: AppliedEntry): void
  /** `found`: the entry that `only` named, or `null` after a replay. */
  end(present: Present, found: Entry | null): T
}

/**
 * Replays the log from its beginning, unless one entry is enough. For a merged user it reads the log of the remaining
 * user. Throws `unknown_user`.
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
    const at = liveInstant(known, context.now())
    const adopted = underGame(current.games, known, current.epoch, at)
    const changes = [...adopted.changes, ...settle(current.game, adopted.state, at)]
    const present = { before: known, changes, state: evolveAll(known, changes), at }
    const id = reader.only?.(present) ?? null
    const found = id === null ? null : await findEntry(context.storage, key, id)
    if (found !== null) return reader.end(present, found)
    // A user whose log has not been replayed yet is read as the earlier games left the user.
    const baselineEpoch = isReplaced(known, current) ? 0 : current.baselineEpoch
    const read = { games: current.games, baselineEpoch, state: known }
    let count = 0
    await replayEntries(context.storage, key, read, { start: null, last: null }, (appliedEntry) => {
      reader.see(appliedEntry)
      count += 1
    })
    // The log was rewritten between the chunks.
    return count === known.seq ? reader.end(present, null) : AGAIN
  })
}

/** Returns `null` if the user has no entry with this id. */
async function findEntry(storage: Storage, key: UserKey, id: string): Promise<Entry | null> {
  const [place] = await findEntries(storage, key.tenant, [id])
  if (place?.user !== key.user) return null
  const [entry] = await loadLog(storage, key, { after: { at: place.at, seq: place.seq - 1 }, limit: 1 })
  return entry?.id === id ? entry : null
}
