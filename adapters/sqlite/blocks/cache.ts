import type { BlockStart, LevelNumber } from '../../sql/blocks/index.ts'
import { comparePositionColumns, isSamePosition, type PositionColumns } from '../../sql/leaderboard-positions.ts'
import type { LeaderboardColumns } from '../../sql/leaderboard-rows.ts'

/** The blocks of a group as they are, in a transaction with what it has written itself. */
export interface CountedBlocks {
  readonly inner: CountedLevel
  /** Each begins where one of `inner` begins. */
  readonly outer: CountedLevel
}

/** Blocks in order. What is searched and added up stands apart, each in one stretch of memory. */
export interface CountedLevel {
  readonly starts: readonly PositionColumns[]
  /** `minus_value` of the starts. */
  readonly values: readonly number[]
  readonly counts: readonly number[]
}

/** Reads all blocks of a level, in order. */
export type ReadBlocks = (level: LevelNumber) => readonly BlockStart[]

/** A write to a block: `by` more entries in it; null: it is gone. */
export interface BlockChange {
  readonly group: LeaderboardColumns
  readonly level: LevelNumber
  readonly start: PositionColumns
  readonly by: number | null
}

/**
 * The blocks of the groups that are asked for most, so that they need not be read to add up a rank, or to find the one that
 * an entry lies in. Asked in a transaction, it first compares SQLite's `data_version`, which says whether another connection
 * has written; what this one writes it is told, and follows at once.
 */
export interface BlockCache {
  /** A transaction begins. Groups of which one that did not commit has changed blocks are forgotten. */
  begin(): void
  /** Undefined where they are not kept. */
  of(group: LeaderboardColumns, read: ReadBlocks): CountedBlocks | undefined
  note(change: BlockChange): void
  /** The transaction was committed. */
  commit(): void
}

/** Reading them takes as long as asking about as often without. */
const ASKED_PER_OUTER = 4
const MOST_GROUPS = 1_000
const MOST_BLOCKS = 200_000

/** `left`: how often a group is still to be asked about before it is kept. */
interface Asked {
  left: number
}

interface Kept {
  readonly inner: KeptLevel
  readonly outer: KeptLevel
}

interface KeptLevel extends CountedLevel {
  readonly starts: PositionColumns[]
  readonly values: number[]
  readonly counts: number[]
}

/** For connections on which others write without a sign. */
export const NO_BLOCK_CACHE: BlockCache = {
  begin: () => undefined,
  of: () => undefined,
  note: () => undefined,
  commit: () => undefined,
}

export function createBlockCache(dataVersion: () => number): BlockCache {
  const groups = new Map<string, Kept>()
  const asked = new Map<string, Asked>()
  /** Groups of which this transaction has changed blocks. */
  const changed = new Set<string>()
  let known: number | null = null
  /** Within this transaction `known` was compared. */
  let isCompared = false
  /** Blocks kept since all were counted. */
  let grown = 0

  const compare = (): void => {
    if (isCompared) return
    isCompared = true
    const current = dataVersion()
    if (current === known) return
    known = current
    groups.clear()
    asked.clear()
  }
  const isAskedOften = (id: string, read: ReadBlocks): boolean => {
    if (asked.size > MOST_GROUPS) asked.clear()
    const times = asked.get(id) ?? { left: ASKED_PER_OUTER * read(2).length }
    asked.set(id, times)
    times.left -= 1
    return times.left < 0
  }
  /** Drops those that were not asked for longest. */
  const evict = (): void => {
    let size = sizeOf(groups.values())
    grown = 0
    // The map's order is that of the last use.
    for (const [oldest, kept] of groups) {
      if (groups.size <= MOST_GROUPS && size <= MOST_BLOCKS) return
      groups.delete(oldest)
      size -= sizeOf([kept])
    }
  }

  return {
    begin: () => {
      for (const id of changed) groups.delete(id)
      changed.clear()
      isCompared = false
    },
    of: (group, read) => {
      compare()
      const id = idOf(group)
      let kept = groups.get(id)
      if (kept === undefined) {
        if (!isAskedOften(id, read)) return undefined
        kept = { inner: toLevel(read(1)), outer: toLevel(read(2)) }
        grown += sizeOf([kept])
        asked.delete(id)
      } else groups.delete(id)
      groups.set(id, kept)
      if (groups.size > MOST_GROUPS || grown > MOST_BLOCKS / 10) evict()
      return kept
    },
    note: ({ group, level, start, by }) => {
      const id = idOf(group)
      changed.add(id)
      const kept = groups.get(id)
      if (kept !== undefined) apply(level === 1 ? kept.inner : kept.outer, start, by)
    },
    commit: () => changed.clear(),
  }
}

function toLevel(blocks: readonly BlockStart[]): KeptLevel {
  return {
    starts: blocks.map(({ minus_value, reached_at, user_id }) => ({ minus_value, reached_at, user_id })),
    values: blocks.map(({ minus_value }) => minus_value),
    counts: blocks.map(({ count }) => count),
  }
}

function sizeOf(groups: Iterable<Kept>): number {
  let size = 0
  for (const { inner, outer } of groups) size += inner.starts.length + outer.starts.length
  return size
}

function apply(level: KeptLevel, start: PositionColumns, by: number | null): void {
  const { starts, values, counts } = level
  const index = indexAt(level, start)
  const found = starts[index]
  const isThere = found !== undefined && isSamePosition(found, start)
  if (by === null) {
    if (isThere) for (const list of [starts, values, counts]) list.splice(index, 1)
  } else if (isThere) {
    counts[index] = (counts[index] ?? 0) + by
  } else {
    const { minus_value, reached_at, user_id } = start
    starts.splice(index + 1, 0, { minus_value, reached_at, user_id })
    values.splice(index + 1, 0, minus_value)
    counts.splice(index + 1, 0, by)
  }
}

/** Which of the blocks a position lies in; -1 before all. */
export function indexAt({ starts, values }: CountedLevel, position: PositionColumns): number {
  const sought = position.minus_value
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const value = values[middle] ?? 0
    const start = starts[middle] ?? position
    if (value < sought || (value === sought && comparePositionColumns(start, position) <= 0)) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The block at an index, as it is stored. */
export function blockAt({ starts, counts }: CountedLevel, index: number): BlockStart | undefined {
  const start = starts[index]
  return start && { ...start, count: counts[index] ?? 0 }
}

function idOf({ tenant_id, leaderboard, run, group_key }: LeaderboardColumns): string {
  return JSON.stringify([tenant_id, leaderboard, run, group_key])
}
