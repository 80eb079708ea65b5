import { FIRST_POSITION, type PositionColumns } from '../sql/leaderboard-positions.ts'
import type { LeaderboardColumns } from '../sql/leaderboard-rows.ts'
import type { Connection } from './connection.ts'
import { countInBlocks } from './leaderboard-blocks.ts'
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

/** A position from which entries are read. */
export interface Start extends PositionColumns {
  /** How many entries from there on are passed over. */
  readonly offset: number
}

/** The nearest start before the entry that has `offset` others before it. */
export function findStart(connection: Connection, group: LeaderboardColumns, offset: number): Start {
  const start = { ...FIRST_POSITION, offset }
  if (offset <= SHORT_WALK) return start
  const found = connection.get(blocks.withBefore, { ...group, most: offset })
  if (found === undefined) return start
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
