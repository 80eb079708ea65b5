import type { RankAnswer, RankRequest } from '../../src/storage.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import type { PositionColumns } from '../sql/leaderboard-positions.ts'
import { type LeaderboardColumns, minus, toLeaderboardColumns } from '../sql/leaderboard-rows.ts'
import type { Connection } from './connection.ts'
import { countBefore } from './leaderboard-ranking.ts'
import { indexOf } from './leaderboard-top.ts'
import { createTopCache, type TopCache } from './leaderboard-top-cache.ts'

/**
 * How many entries come before positions now: within a write transaction before it writes or, with a cache of its own,
 * anywhere.
 */
export function countRanks(
  connection: Connection,
  { tenant, user }: UserKey,
  requests: readonly RankRequest[],
  tops: TopCache = createTopCache(),
): readonly RankAnswer[] {
  return requests.map((request) => {
    const group = toLeaderboardColumns(tenant, request)
    const positions = request.positions.map(({ value, reachedAt }) => {
      return { minus_value: minus(value), reached_at: reachedAt, user_id: user }
    })
    const { limit, at } = request
    if (limit !== null) return standAmongFirst(connection, tops, group, { ...request, limit }, positions)
    return {
      before: positions.map((position) => countBefore(connection, group, position, at, null)),
      last: [],
      first: 0,
    }
  })
}

function standAmongFirst(
  connection: Connection,
  tops: TopCache,
  group: LeaderboardColumns,
  { limit, slack, at }: RankRequest & { readonly limit: number },
  positions: readonly PositionColumns[],
): RankAnswer {
  const first = Math.max(0, limit - 1 - slack)
  const end = limit + slack
  const read = tops.read(connection, group, { at, first, end })
  const before = positions.map((position) => {
    const index = indexOf(read.positions, position)
    // The position comes before all that was read, so the entries before it are still to be counted.
    if (index === 0 && read.first > 0) return countBefore(connection, group, position, at, end)
    return Math.min(read.first + index, end)
  })
  const last = read.positions
    .slice(first - read.first, end - read.first)
    .map(({ minus_value, reached_at, user_id }) => {
      return { value: minus(minus_value), reachedAt: reached_at, user: user_id }
    })
  return { before, last, first }
}
