import type { BlockStart, LevelNumber } from '../../sql/blocks/index.ts'
import { comparePositionColumns, isSamePosition, type PositionColumns } from '../../sql/leaderboard-positions.ts'
import type { LeaderboardColumns } from '../../sql/leaderboard-rows.ts'

/** The blocks of a group, with what the open transaction has written itself. */
export interface CountedBlocks {
  readonly inner: CountedLevel
  /** Each begins where one of `inner` begins. */
  readonly outer: CountedLevel
}

/**
 * The blocks of a level, in order. Values and counts have arrays of their own, which are fast to search and to add up.
 */
export interface CountedLevel {
  readonly starts: readonly PositionColumns[]
  /** `minus_value` of the starts. */
  readonly values: readonly number[]
  readonly counts: readonly number[]
}

/** Reads all blocks of a level, in order. */
export type ReadBlocks = (level: LevelNumber) => readonly BlockStart[]

/** A write to a block: it has `by` more entries; null: it was removed. */
export interface BlockChange {
  readonly group: LeaderboardColumns
  readonly level: LevelNumber
  readonly start: PositionColumns
  readonly by: number | null
}

/**
 * Keeps the blocks of the groups that are asked for most, so that they need not be read to add up a rank, or to find
 * the block of an entry. The first call of `of` in a transaction compares SQLite's `data_version`, which says whether
 * another connection has written. Writes of this connection are passed to `note`.
 */
export interface BlockCache {
  /** A transaction begins. Forgets the groups whose blocks were changed by a transaction that did not commit. */
  begin(): void
  /** Undefined where the group's blocks are not kept. */
  of(group: LeaderboardColumns, read: ReadBlocks): CountedBlocks | undefined
  note(change: BlockChange): void
  /** The transaction was committed. */
  commit(): void
}

/**
 * A group is kept once it was asked for this often for each of its blocks of level 2: so many lookups take as long as
 * reading all of its blocks.
 */
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

/** For a host's connection, on which the host may write unnoticed. */
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
  /** Whether `known` was compared in this transaction. */
  let isCompared = false
  /** How many blocks were added since `evict` last counted all of them. */
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
  /** Drops the groups that were not asked for longest. */
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

/** The index of the block that a position lies in; -1 where the position comes before all blocks. */
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
