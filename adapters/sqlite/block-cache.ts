import type { BlockStart, Level } from '../sql/leaderboard-blocks.ts'
import { comparePlaces, isSamePlace, type PlaceColumns } from '../sql/leaderboard-places.ts'
import type { LeaderboardColumns } from '../sql/leaderboard-rows.ts'

/** The blocks of a group as they were committed, in order. */
export interface CountedBlocks {
  readonly inner: readonly BlockStart[]
  /** Each begins where one of `inner` begins. */
  readonly outer: readonly BlockStart[]
}

/** Reads all blocks of a level, in order. */
export type ReadBlocks = (level: Level) => readonly BlockStart[]

/** A write to a block: `by` more entries in it; null: it is gone. */
export interface BlockChange {
  readonly group: LeaderboardColumns
  readonly level: Level
  readonly start: PlaceColumns
  readonly by: number | null
}

/**
 * The blocks of the groups that are asked for most, so that a rank is added up without reading them. It is true of what
 * was committed: asked in a transaction, it first compares SQLite's `data_version`, which says whether another
 * connection has written; what this one writes it is told.
 */
export interface BlockCache {
  /** A transaction begins. What was noted in one that did not commit is forgotten. */
  begin(): void
  /** Undefined where they are not kept, or where this transaction has changed blocks. */
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
  readonly inner: BlockStart[]
  readonly outer: BlockStart[]
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
  const changes: BlockChange[] = []
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
      changes.length = 0
      isCompared = false
    },
    of: (group, read) => {
      if (changes.length > 0) return undefined
      compare()
      const id = idOf(group)
      let kept = groups.get(id)
      if (kept === undefined) {
        if (!isAskedOften(id, read)) return undefined
        kept = { inner: [...read(1)], outer: [...read(2)] }
        grown += sizeOf([kept])
        asked.delete(id)
      } else groups.delete(id)
      groups.set(id, kept)
      if (groups.size > MOST_GROUPS || grown > MOST_BLOCKS / 10) evict()
      return kept.outer.length === 0 ? undefined : kept
    },
    note: (change) => void changes.push(change),
    commit: () => {
      for (const { group, level, start, by } of changes) {
        const kept = groups.get(idOf(group))
        if (kept !== undefined) apply(level === 1 ? kept.inner : kept.outer, start, by)
      }
      changes.length = 0
    },
  }
}

function sizeOf(groups: Iterable<Kept>): number {
  let size = 0
  for (const { inner, outer } of groups) size += inner.length + outer.length
  return size
}

function apply(blocks: BlockStart[], start: PlaceColumns, by: number | null): void {
  const index = indexAt(blocks, start)
  const block = blocks[index]
  const isThere = block !== undefined && isSamePlace(block, start)
  if (by === null) {
    if (isThere) blocks.splice(index, 1)
  } else if (isThere) {
    blocks[index] = { ...block, count: block.count + by }
  } else {
    const { minus_value, reached_at, user_id } = start
    blocks.splice(index + 1, 0, { minus_value, reached_at, user_id, count: by })
  }
}

/** Which of the blocks a place lies in; -1 before all. */
export function indexAt(blocks: readonly BlockStart[], place: PlaceColumns): number {
  let [low, high] = [0, blocks.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const block = blocks[middle]
    if (block !== undefined && comparePlaces(block, place) <= 0) low = middle + 1
    else high = middle
  }
  return low - 1
}

function idOf({ tenant_id, leaderboard, run, group_key }: LeaderboardColumns): string {
  return JSON.stringify([tenant_id, leaderboard, run, group_key])
}
