import type { Block } from '../sql/leaderboard-blocks.ts'
import { comparePositionColumns, isSamePosition, type PositionColumns } from '../sql/leaderboard-positions.ts'
import type { LeaderboardColumns } from '../sql/leaderboard-rows.ts'

/** The blocks of a group, in order. */
export interface KeptBlocks {
  readonly starts: readonly PositionColumns[]
  readonly counts: number[]
}

/**
 * Keeps the blocks of groups between write transactions: without it, events on leaderboards without a limit take 1.7 times
 * the processor. They are used within write transactions only: `begin` compares SQLite's `data_version`, which changes when another connection
 * has written.
 */
export interface BlockCache {
  /** A write transaction begins. */
  begin(): void
  /** The transaction has ended; what a transaction has changed that did not commit is forgotten. */
  end(isCommitted: boolean): void
  /** Undefined if the group's blocks are not kept, and outside of write transactions. */
  of(group: LeaderboardColumns, read: () => readonly Block[]): KeptBlocks | undefined
  /** Blocks of the group are made again. */
  forget(group: LeaderboardColumns): void
}

/** Reading all blocks of a group takes longer than to ask about a few of them. */
const ASKED_BEFORE = 8
const MOST_GROUPS = 1_000
const MOST_BLOCKS = 200_000

/** For a host's connection, on which the host may write unnoticed. */
export const NO_BLOCK_CACHE: BlockCache = {
  begin: () => undefined,
  end: () => undefined,
  of: () => undefined,
  forget: () => undefined,
}

export function createBlockCache(dataVersion: () => number): BlockCache {
  const groups = new Map<string, KeptBlocks>()
  const asked = new Map<string, number>()
  let known: number | null = null
  let isOpen = false
  let size = 0

  const clear = (): void => {
    groups.clear()
    asked.clear()
    size = 0
  }
  return {
    begin: () => {
      const version = dataVersion()
      if (isOpen || version !== known) clear()
      isOpen = true
      known = version
    },
    end: (isCommitted) => {
      if (isOpen && !isCommitted) clear()
      isOpen = false
    },
    of: (group, read) => {
      if (!isOpen) return undefined
      const id = idOf(group)
      const found = groups.get(id)
      if (found !== undefined) return found
      const times = (asked.get(id) ?? 0) + 1
      asked.set(id, times)
      if (asked.size > 10 * MOST_GROUPS) asked.clear()
      if (times <= ASKED_BEFORE) return undefined
      const blocks = read()
      if (groups.size >= MOST_GROUPS || size + blocks.length > MOST_BLOCKS) clear()
      const kept = { starts: blocks, counts: blocks.map(({ count }) => count) }
      groups.set(id, kept)
      size += blocks.length
      return kept
    },
    forget: (group) => {
      const id = idOf(group)
      size -= groups.get(id)?.starts.length ?? 0
      groups.delete(id)
    },
  }
}

/** The index of the block that a position lies in; -1 if there are no blocks. */
export function indexAt({ starts }: KeptBlocks, position: PositionColumns): number {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const start = starts[middle]
    if (start !== undefined && comparePositionColumns(start, position) <= 0) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Adds to the count of the block that begins at a position. */
export function addTo(kept: KeptBlocks, start: PositionColumns, by: number): void {
  const index = indexAt(kept, start)
  const found = kept.starts[index]
  if (found !== undefined && isSamePosition(found, start)) kept.counts[index] = (kept.counts[index] ?? 0) + by
}

function idOf({ tenant_id, leaderboard, run, group_key }: LeaderboardColumns): string {
  return JSON.stringify([tenant_id, leaderboard, run, group_key])
}
