import type { Standing, StandingRequest } from '../../src/storage.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import type { PlaceColumns } from '../sql/leaderboard-places.ts'
import { type LeaderboardColumns, minus, toLeaderboardColumns } from '../sql/leaderboard-rows.ts'
import type { Connection } from './connection.ts'
import { countBefore } from './ranking.ts'
import { indexOf } from './top.ts'
import { createTopCache, type TopCache } from './top-cache.ts'

/** Where places stand now: within a write transaction before it writes, or with a cache of its own. */
export function countStandings(
  connection: Connection,
  { tenant, user }: UserKey,
  requests: readonly StandingRequest[],
  tops: TopCache = createTopCache(),
): readonly Standing[] {
  return requests.map((request) => {
    const group = toLeaderboardColumns(tenant, request)
    const places = request.places.map(({ value, reachedAt }) => {
      return { minus_value: minus(value), reached_at: reachedAt, user_id: user }
    })
    const { limit, at } = request
    if (limit !== null) return standAmongFirst(connection, tops, group, { ...request, limit }, places)
    return { before: places.map((place) => countBefore(connection, group, place, at, null)), last: [], first: 0 }
  })
}

function standAmongFirst(
  connection: Connection,
  tops: TopCache,
  group: LeaderboardColumns,
  { limit, slack, at }: StandingRequest & { readonly limit: number },
  places: readonly PlaceColumns[],
): Standing {
  const first = Math.max(0, limit - 1 - slack)
  const end = limit + slack
  const read = tops.read(connection, group, { at, first, end })
  const before = places.map((place) => {
    const index = indexOf(read.places, place)
    // Before all that was read: how many of the others come before it was not read.
    if (index === 0 && read.first > 0) return countBefore(connection, group, place, at, end)
    return Math.min(read.first + index, end)
  })
  const last = read.places.slice(first - read.first, end - read.first).map(({ minus_value, reached_at, user_id }) => {
    return { value: minus(minus_value), reachedAt: reached_at, user: user_id }
  })
  return { before, last, first }
}
