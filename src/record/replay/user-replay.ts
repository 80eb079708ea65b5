import { newValueOf } from '../../rules/distinct-values.ts'
import { type Entry, isHeld } from '../../rules/entry.ts'
import { spendOf } from '../../rules/spends.ts'
import type { CurrentGame } from '../../runtime/context.ts'
import { unknownEpoch, withLine } from '../../runtime/damaged-users.ts'
import { createPause } from '../../runtime/pages.ts'
import type { UserFacts } from '../../sql/audit.ts'
import { loadLog } from '../../sql/log.ts'
import type { Snapshot, UserKey } from '../../storage/rows.ts'
import { runSteps } from '../../storage/steps.ts'
import type { Storage } from '../../storage/storage.ts'
import { toSnapshot, toStoredRows } from '../accept/derived-rows.ts'
import { forEachEntry, type ReadChunk } from './read-log.ts'
import { startReplay } from './replay.ts'

export interface UserReplay {
  readonly lines: number
  /** The line that could not be replayed, and the reason, or `null` if every line was replayed. */
  readonly stop: string | null
  /**
   * Continues until `wanted` lines are replayed, or until a short chunk if it is null. Returns false if a line cannot
   * be replayed, or changed.
   */
  advance(wanted: number | null): Promise<boolean>
  facts(): UserFacts | null
}

export function replayUser(
  storage: Storage,
  { games, baselineEpoch }: Pick<CurrentGame, 'games' | 'baselineEpoch'>,
  key: UserKey,
): UserReplay {
  const pause = createPause()
  const open = startReplay({ games, baselineEpoch }, { user: key.user })
  const voided = new Set<string>()
  const held = new Set<string>()
  let last: Entry | null = null
  let lines = 0
  let stop: string | null = null
  const kept: Snapshot[] = []

  function applyLine(stored: Entry): boolean {
    const stopAt = (why: string): false => {
      stop = `The row with seq ${stored.seq} of the user's log ${why}.`
      return false
    }
    if (!games.has(stored.epoch)) {
      stop = unknownEpoch(stored)
      return false
    }
    if (isHeld(stored)) held.add(stored.id)
    else if (stored.kind === 'eventRecorded' && stored.voidedBy !== undefined) voided.add(stored.id)
    if (stored.kind === 'eventVoided' && !voided.has(stored.event)) return stopAt('voids an event that is not voided')
    if (stored.kind === 'eventApproved' && held.has(stored.event)) return stopAt('approves an event that is held')
    const entry = withLine(stored, () => open.apply(stored))
    // Lines of a replaced game may wait for their user's next call.
    if (stored.epoch >= baselineEpoch && newValueOf(entry) !== newValueOf(stored)) {
      return stopAt('is wrong about whether its value is new')
    }
    if (stored.epoch >= baselineEpoch && spendOf(entry) !== spendOf(stored)) {
      return stopAt('is wrong about the spend that it refunds')
    }
    for (const snapshot of open.snapshots.slice(kept.length)) kept.push(toSnapshot(snapshot))
    last = stored
    lines += 1
    return true
  }

  /** Stops at a short chunk: the log of a busy user would never end otherwise. */
  function readUntil(wanted: number | null): ReadChunk {
    let isOver = false
    const read: ReadChunk = async (options) => {
      if (isOver || (wanted !== null && lines >= wanted)) return []
      await pause()
      const chunk = await loadLog(storage, key, options)
      isOver = wanted === null && chunk.length < options.limit
      return chunk
    }
    return Object.assign(read, { pause })
  }

  return {
    get lines() {
      return lines
    },
    get stop() {
      return stop
    },
    advance: async (wanted) => runSteps(forEachEntry(readUntil(wanted), applyLine, last)),
    facts: () => {
      const { state } = open
      if (state === null) return null
      return { state, ...toStoredRows(open.rows), snapshots: kept }
    },
  }
}
