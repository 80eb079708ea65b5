import { liveInstant, requireUser } from '../../record/accept/accept-command.ts'
import { forEachEntryInTurns, readInTurns } from '../../record/replay/read-log.ts'
import type { Instant } from '../../rules/calendar.ts'
import type { Change } from '../../rules/change.ts'
import { type Entry, type EventRecorded, isHeld } from '../../rules/entry.ts'
import { evolve } from '../../rules/evolve.ts'
import { type Folded, startFold, underGame } from '../../rules/fold.ts'
import { settle } from '../../rules/settle.ts'
import type { UserState } from '../../rules/state.ts'
import type { Context, CurrentGame } from '../../runtime/context.ts'
import { AGAIN, isReplaced, onNewestGame } from '../../runtime/game-registry.ts'
import type { UserKey } from '../../storage/rows.ts'
import { followMerges } from '../users/read-user.ts'

/** The user as it reads now: under the newest game, settled. */
export interface Present {
  /** After the newest entry. */
  readonly before: UserState
  /** What time, and a newer game, did since then. */
  readonly changes: readonly Change[]
  readonly state: UserState
  readonly at: Instant
}

/** Looks for something in a history. */
export interface HistoryReader<T> {
  see(folded: Folded): void
  end(present: Present): T
}

/**
 * Folds the user's log from its beginning and has it read, of a merged user that of the one that goes on. Nothing is
 * written. Throws `unknown_user`.
 */
export async function readHistory<T>(
  context: Context,
  named: UserKey,
  begin: (current: CurrentGame) => HistoryReader<T>,
): Promise<T> {
  const { key } = await followMerges(context.storage, named)
  return onNewestGame<T>(context, key, {}, 'its log was read', async (view, current) => {
    const known = requireUser(view.state, key.user)
    if (known.mergedInto !== null) return AGAIN
    const reader = begin(current)
    // A user whose log has not been folded again yet is read as the earlier games left the user.
    const baselineEpoch = isReplaced(known, current) ? 0 : current.baselineEpoch
    const state = await foldOnce(context, key, { ...current, baselineEpoch }, known.seq, reader)
    return state === null ? AGAIN : reader.end(presentOf(context, current, state))
  })
}

/** null: the log changed between the chunks, or an entry was decided under a game that is not known yet. */
async function foldOnce<T>(
  { storage }: Context,
  key: UserKey,
  { games, baselineEpoch }: CurrentGame,
  lines: number,
  reader: HistoryReader<T>,
): Promise<UserState | null> {
  const fold = startFold(games, baselineEpoch)
  let count = 0
  let voids = 0
  let isStale = false
  const held = new Set<string>()
  const isKnown = await forEachEntryInTurns(readInTurns(storage, key, lines), (line) => {
    if (!games.has(line.epoch)) return false
    const folded = fold.next(line)
    const { entry } = folded
    reader.see(folded)
    count += 1
    // Each void is an entry, and the voided event names it; an approved event is not held any more. Where the lines
    // read do not agree in this, the log has changed between two chunks.
    if (isHeld(line)) held.add(line.id)
    else if (line.kind === 'eventVoided') voids += 1
    else if (entry.kind === 'eventRecorded' && entry.voidedBy !== undefined) voids -= 1
    if (entry.kind === 'eventApproved' && held.has(entry.event)) isStale = true
    return !isStale
  })
  const { state } = fold
  return isKnown && voids === 0 && state?.seq === count ? state : null
}

function presentOf({ now }: Context, { game, games, epoch }: CurrentGame, before: UserState): Present {
  const at = liveInstant(before, now())
  const adopted = underGame(games, before, epoch, at)
  const changes = [...adopted.changes, ...settle(game, adopted.state, at)]
  return { before, changes, state: changes.reduce(evolve, before), at }
}

/** A replayed event. */
export interface FoldedEvent extends Folded {
  readonly entry: Entry & EventRecorded
}
