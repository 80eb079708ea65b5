import type { LeaderboardKey, LeaderboardLine, LeaderboardPage } from '../../src/storage.ts'
import { type LeaderboardColumns, minus, toEntryKeyColumns, toLeaderboardColumns } from '../sql/leaderboard-rows.ts'
import type { Connection } from './connection.ts'
import { countBefore, findStart } from './leaderboard-ranking.ts'
import { queries } from './queries.ts'

export function loadPage(
  connection: Connection,
  tenant: string,
  key: LeaderboardKey,
  page: LeaderboardPage,
): readonly LeaderboardLine[] {
  const { limit, at, offset, count, around } = page
  const group = toLeaderboardColumns(tenant, key)
  const position = around === undefined ? 0 : findPlace(connection, tenant, key, group, around, page)
  if (position === null) return []
  const first = Math.max(0, position + offset)
  const end = Math.min(position + offset + count, limit ?? Number.POSITIVE_INFINITY)
  if (end <= first) return []
  const asked = { ...group, ...findStart(connection, group, first), at, limit: end - first }
  return connection.all(queries.ranking.lines, asked).map(({ minus_value, reached_at, user_id, name }, index) => {
    return { rank: first + index + 1, user: user_id, name, value: minus(minus_value), reachedAt: reached_at }
  })
}

/** How many entries come before the user's; null where the user does not rank. */
function findPlace(
  connection: Connection,
  tenant: string,
  key: LeaderboardKey,
  group: LeaderboardColumns,
  user: string,
  { limit, at }: LeaderboardPage,
): number | null {
  const entry = connection.get(queries.entries.find, toEntryKeyColumns({ tenant, user }, key))
  if (entry === undefined || entry.group_key !== group.group_key) return null
  if (entry.until !== null && entry.until <= at) return null
  const position = countBefore(connection, group, { ...entry, user_id: user }, at, limit)
  return limit !== null && position >= limit ? null : position
}
