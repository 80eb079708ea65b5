import type { Instant } from '../../rules/calendar.ts'
import { type Entry, isHeld } from '../../rules/entry.ts'
import type { Storage } from '../../storage.ts'
import type { UserFacts } from '../../storage-audit.ts'
import type { Snapshot, UserKey } from '../../storage-rows.ts'
import { toAwardRows } from '../accept/award-rows.ts'
import { toSnapshot } from '../accept/snapshot.ts'
import { withLine } from '../damage.ts'
import type { CurrentGame } from '../types.ts'
import { createPause, forEachEntry, type ReadChunk } from './read-log.ts'
import { startReplay } from './replay.ts'

/** A user's log, folded as far as it has been read. */
export interface UserReplay {
  /** Lines of the log that were folded. */
  readonly lines: number
  /** The line that could not be folded, and why; `null`: every line was. */
  readonly stop: string | null
  /**
   * Reads and folds on until `wanted` lines are folded, or (null) until a chunk has fewer lines than it may have; false
   * where a line cannot be folded, or was read before it was voided or approved.
   */
  advance(wanted: number | null): Promise<boolean>
  /** What the log says is stored; null: it is empty. */
  facts(): UserFacts | null
}

export function replayUser(
  storage: Storage,
  { games, since }: Pick<CurrentGame, 'games' | 'since'>,
  key: UserKey,
): UserReplay {
  const open = startReplay({ games, since })
  const voided = new Set<string>()
  const held = new Set<string>()
  let last: { readonly at: Instant; readonly seq: number } | undefined
  let lines = 0
  let stop: string | null = null
  const kept: Snapshot[] = []

  function step(stored: Entry): boolean {
    const stopAt = (why: string): false => {
      stop = `The row with seq ${stored.seq} of the user's log ${why}.`
      return false
    }
    if (!games.has(stored.epoch)) return stopAt(`names the epoch ${stored.epoch}, of which no game is stored`)
    if (isHeld(stored)) held.add(stored.id)
    else if (stored.kind === 'eventRecorded' && stored.voidedBy !== undefined) voided.add(stored.id)
    if (stored.kind === 'eventVoided' && !voided.has(stored.event)) return stopAt('voids an event that is not voided')
    if (stored.kind === 'eventApproved' && held.has(stored.event)) return stopAt('approves an event that is held')
    withLine(stored, () => open.step(stored))
    for (const snapshot of open.snapshots.slice(kept.length)) kept.push(toSnapshot(snapshot))
    last = { at: stored.at, seq: stored.seq }
    lines += 1
    return true
  }

  /**
   * With null, stops at the first chunk that has fewer lines than it may: the log of a busy user would never end
   * otherwise.
   */
  function readUntil(wanted: number | null): ReadChunk {
    const pause = createPause()
    let isOver = false
    return async (options) => {
      if (isOver || (wanted !== null && lines >= wanted)) return []
      await pause()
      const chunk = await storage.readLog(key, options)
      isOver = wanted === null && chunk.length < options.limit
      return chunk
    }
  }

  return {
    get lines() {
      return lines
    },
    get stop() {
      return stop
    },
    advance: async (wanted) => forEachEntry(readUntil(wanted), step, last),
    facts: () => {
      const { state } = open
      if (state === null) return null
      const { awards, periods, leaderboards } = open.rows
      return {
        state,
        awards: toAwardRows(awards.values()),
        periods: [...periods.values()],
        leaderboards: [...leaderboards.values()],
        snapshots: kept,
      }
    },
  }
}
