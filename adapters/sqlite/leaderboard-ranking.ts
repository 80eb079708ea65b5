import {
  FIRST_POSITION,
  LAST_POSITION,
  type PositionColumns,
} from '../sql/leaderboard-positions.ts'
import type { LeaderboardColumns } from '../sql/leaderboard-rows.ts'
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
  const { minus_value, reached_at, user_id } = position
  return connection.get(blocks.rank, { ...group, minus_value, reached_at, user_id })?.count
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
  const outer = findIn(connection, group, 2, start, LAST_POSITION)
  if (outer === null) return start
  const end = connection.get(blocks.next, { ...group, ...outer, level: 2 })
  return findIn(connection, group, 1, outer, end ?? LAST_POSITION) ?? outer
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
): readonly PositionColumns[] {
  return connection.all(ranking.positions, { ...group, ...findStart(connection, group, offset), at, limit })
}
