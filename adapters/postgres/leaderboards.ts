import type { LeaderboardKey, LeaderboardLine, LeaderboardPage } from '../../src/storage.ts'
import { minus, toLeaderboardColumns } from '../sql/leaderboard-rows.ts'
import { quote } from './quote.ts'
import type { Reader } from './runner.ts'

interface LineRow {
  readonly user: string
  readonly name: string | null
  readonly minus_value: number
  readonly reached_at: number
  readonly rank: number
}

export async function readPage(
  reader: Reader,
  schema: string,
  tenant: string,
  key: LeaderboardKey,
  { limit, at, offset, count, around }: LeaderboardPage,
): Promise<readonly LeaderboardLine[]> {
  const { tenant_id, leaderboard, run, group_key } = toLeaderboardColumns(tenant, key)
  const text = `select ${quote(schema)}.page($1, $2, $3, $4, $5, $6, $7, $8, $9)::text as value`
  const values = [tenant_id, leaderboard, run, group_key, limit, at, offset, count, around ?? null]
  const rows: readonly LineRow[] = JSON.parse(await reader.value<string>(text, values))
  return rows.map(({ user, name, minus_value, reached_at, rank }) => {
    return { user, name, value: minus(minus_value), reachedAt: reached_at, rank }
  })
}
