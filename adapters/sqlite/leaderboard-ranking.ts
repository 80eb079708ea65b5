import {
  FIRST_POSITION,
  LAST_POSITION,
  type PositionColumns,
  type RankedColumns,
} from '../sql/leaderboard-positions.ts'
import type { LeaderboardColumns } from '../sql/leaderboard-rows.ts'
import { type CountedBlocks, indexAt, keptBlocks } from './blocks/index.ts'
import type { Connection } from './connection.ts'
import { queries } from './queries.ts'

const { ranking, blocks } = queries

/** More entries than any group has. */
const ALL = Number.MAX_SAFE_INTEGER
/** To pass over this many entries is faster than to look for blocks. */
const SHORT_WALK = 500

/** How many entries that count at `at` come before a position; with a limit, no more than that are counted. */
export function countBefore(
  connection: Connection,
  group: LeaderboardColumns,
  position: PositionColumns,
  at: number,
  limit: number | null,
): number {
  const isShort = limit !== null && limit <= SHORT_WALK
  const counted = isShort ? undefined : countInBlocks(connection, group, position)
  if (counted !== undefined) return Math.min(counted, limit ?? ALL)
  const { minus_value, reached_at, user_id } = position
  const asked = { ...group, minus_value, reached_at, user_id, at, limit: limit ?? ALL }
  return connection.get(ranking.count, asked)?.count ?? 0
}

/** How many entries that always count come before a position; undefined where a group has no blocks. */
function countInBlocks(
  connection: Connection,
  group: LeaderboardColumns,
  position: PositionColumns,
): number | undefined {
  const kept = keptBlocks(connection, group)
  if (kept !== undefined) return countIn(connection, group, kept, position)
  const { minus_value, reached_at, user_id } = position
  return connection.get(blocks.rank, { ...group, minus_value, reached_at, user_id })?.count
}

/** Adds up what comes before the position: whole blocks of level 2, then whole blocks of level 1, then entries. */
function countIn(
  connection: Connection,
  group: LeaderboardColumns,
  { inner, outer }: CountedBlocks,
  position: PositionColumns,
): number | undefined {
  const [holder, block] = [indexAt(outer, position), indexAt(inner, position)]
  const [held, start] = [outer.starts[holder], inner.starts[block]]
  if (held === undefined || start === undefined) return undefined
  const { tenant_id, leaderboard, run, group_key } = group
  const entries = connection.get(ranking.countBetween, {
    tenant_id,
    leaderboard,
    run,
    group_key,
    minus_value: start.minus_value,
    reached_at: start.reached_at,
    user_id: start.user_id,
    end_minus_value: position.minus_value,
    end_reached_at: position.reached_at,
    end_user_id: position.user_id,
  })
  const before = sum(outer.counts, 0, holder) + sum(inner.counts, indexAt(inner, held), block)
  return before + (entries?.count ?? 0)
}

function sum(counts: readonly number[], from: number, to: number): number {
  let total = 0
  for (let index = from; index < to; index += 1) total += counts[index] ?? 0
  return total
}

/** A position from which entries are read. */
export interface Start extends PositionColumns {
  /** How many entries from there on are passed over. */
  readonly offset: number
}

/** The nearest start before the entry that has `offset` others before it. */
export function findStart(connection: Connection, group: LeaderboardColumns, offset: number): Start {
  const start = { ...FIRST_POSITION, offset }
  if (offset <= SHORT_WALK) return start
  const kept = keptBlocks(connection, group)
  if (kept !== undefined) return kept.outer.starts.length === 0 ? start : startIn(kept, offset)
  const outer = findIn(connection, group, 2, start, LAST_POSITION)
  if (outer === null) return start
  const end = connection.get(blocks.next, { ...group, ...outer, level: 2 })
  return findIn(connection, group, 1, outer, end ?? LAST_POSITION) ?? outer
}

function startIn({ inner, outer }: CountedBlocks, offset: number): Start {
  const holder = skip(outer.counts, 0, offset)
  const held = outer.starts[holder.index]
  const block = held === undefined ? holder : skip(inner.counts, indexAt(inner, held), holder.left)
  const { minus_value, reached_at, user_id } = inner.starts[block.index] ?? FIRST_POSITION
  return { minus_value, reached_at, user_id, offset: block.left }
}

/** Passes over blocks from one on while they hold no more than `left` entries, but never over the last. */
function skip(counts: readonly number[], from: number, left: number): { index: number; left: number } {
  let index = from
  for (;;) {
    const count = counts[index]
    if (count === undefined || count > left || index + 1 === counts.length) return { index, left }
    left -= count
    index += 1
  }
}

function findIn(
  connection: Connection,
  group: LeaderboardColumns,
  level: 1 | 2,
  { offset, ...start }: Start,
  end: PositionColumns,
): Start | null {
  const found = connection.get(blocks.withBefore, {
    ...group,
    ...start,
    level,
    end_minus_value: end.minus_value,
    end_reached_at: end.reached_at,
    end_user_id: end.user_id,
    most: offset,
  })
  if (found === undefined) return null
  const { before, ...position } = found
  return { ...position, offset: offset - before }
}

/** Entries that count at `at`, best first. */
export function readPositions(
  connection: Connection,
  group: LeaderboardColumns,
  at: number,
  offset: number,
  limit: number,
): readonly (PositionColumns & Pick<RankedColumns, 'until'>)[] {
  return connection.all(ranking.positions, { ...group, ...findStart(connection, group, offset), at, limit })
}
