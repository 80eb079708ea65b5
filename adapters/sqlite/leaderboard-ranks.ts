import type { RankAnswer, RankRequest } from '../../src/storage.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import { comparePositionColumns, type PositionColumns } from '../sql/leaderboard-positions.ts'
import { type LeaderboardColumns, minus, toLeaderboardColumns } from '../sql/leaderboard-rows.ts'
import type { Connection } from './connection.ts'
import { countBefore, readPositions } from './leaderboard-ranking.ts'

export type CountRanks = (key: UserKey, requests: readonly RankRequest[]) => readonly RankAnswer[]

/**
 * Counts how many entries come before positions, within a transaction that has not written to leaderboards yet. The
 * entries around a limit are read once for all users.
 */
export function rankCounter(connection: Connection): CountRanks {
  const read = new Map<string, readonly PositionColumns[]>()
  const around = (group: LeaderboardColumns, at: number, first: number, end: number): readonly PositionColumns[] => {
    const id = JSON.stringify([group, at, first, end])
    const positions = read.get(id) ?? readPositions(connection, group, at, first, end - first)
    read.set(id, positions)
    return positions
  }
  return ({ tenant, user }, requests) =>
    requests.map((request) => {
      const { limit, slack, at } = request
      const group = toLeaderboardColumns(tenant, request)
      const positions = request.positions.map(({ value, reachedAt }) => {
        return { minus_value: minus(value), reached_at: reachedAt, user_id: user }
      })
      if (limit === null) {
        const before = positions.map((position) => countBefore(connection, group, position, at, null))
        return { before, last: [], first: 0 }
      }
      const [first, end] = [Math.max(0, limit - 1 - slack), limit + slack]
      const last = around(group, at, first, end)
      const before = positions.map((position) => {
        const index = indexOf(last, position)
        // The position comes before all that were read, so the entries before it are still to be counted.
        if (index === 0 && first > 0) return countBefore(connection, group, position, at, end)
        return first + index
      })
      return { before, last: last.map(toPosition), first }
    })
}

function toPosition({ minus_value, reached_at, user_id }: PositionColumns): RankAnswer['last'][number] {
  return { value: minus(minus_value), reachedAt: reached_at, user: user_id }
}

/** How many of the positions come before one. */
function indexOf(positions: readonly PositionColumns[], position: PositionColumns): number {
  let [low, high] = [0, positions.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = positions[middle]
    if (other !== undefined && comparePositionColumns(other, position) < 0) low = middle + 1
    else high = middle
  }
  return low
}
