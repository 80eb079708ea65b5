import { FIRST_PLACE, LAST_PLACE, type PlaceColumns, type RankedColumns } from '../sql/leaderboard-places.ts'
import type { LeaderboardColumns } from '../sql/leaderboard-rows.ts'
import type { Connection } from './connection.ts'
import { queries } from './queries.ts'

const { ranking, blocks } = queries

/** More than any group has. */
const ALL = Number.MAX_SAFE_INTEGER
/** So many entries are passed over sooner than blocks are looked for. */
const SHORT_WALK = 500

/** How many entries that count at `at` come before a place; with a limit, no more than that are counted. */
export function countBefore(
  connection: Connection,
  group: LeaderboardColumns,
  place: PlaceColumns,
  at: number,
  limit: number | null,
): number {
  const { minus_value, reached_at, user_id } = place
  const asked = { ...group, minus_value, reached_at, user_id, at, limit: limit ?? ALL }
  if (limit !== null && limit <= SHORT_WALK) return connection.get(ranking.count, asked)?.count ?? 0
  const counted = connection.get(blocks.rank, asked)
  if (counted !== undefined) return Math.min(counted.count, asked.limit)
  return connection.get(ranking.count, asked)?.count ?? 0
}

/** Where to begin to read the entries from some place on. */
export interface Start extends PlaceColumns {
  /** How many more are to be passed over. */
  readonly offset: number
}

/** The start nearest to the entry that has `offset` others before it. */
export function findStart(connection: Connection, group: LeaderboardColumns, offset: number): Start {
  const start = { ...FIRST_PLACE, offset }
  if (offset <= SHORT_WALK) return start
  const outer = findIn(connection, group, 2, start, LAST_PLACE)
  if (outer === null) return start
  const end = connection.get(blocks.next, { ...group, ...outer, level: 2 })
  return findIn(connection, group, 1, outer, end ?? LAST_PLACE) ?? outer
}

function findIn(
  connection: Connection,
  group: LeaderboardColumns,
  level: 1 | 2,
  { offset, ...start }: Start,
  end: PlaceColumns,
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
  const { before, ...place } = found
  return { ...place, offset: offset - before }
}

/** Entries that count at `at`, best first. */
export function readPlaces(
  connection: Connection,
  group: LeaderboardColumns,
  at: number,
  offset: number,
  limit: number,
): readonly (PlaceColumns & Pick<RankedColumns, 'until'>)[] {
  return connection.all(ranking.places, { ...group, ...findStart(connection, group, offset), at, limit })
}
