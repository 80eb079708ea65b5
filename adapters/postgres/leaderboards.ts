import type { LeaderboardKey, LeaderboardLine, LeaderboardPage, LeaderboardUser } from '../../src/storage.ts'
import { fromLeaderboardEntriesRow, minus, toKeyText, toLeaderboardColumns } from '../sql/leaderboard-rows.ts'
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

type UserRow = Parameters<typeof fromLeaderboardEntriesRow>[0] & { readonly user: string; readonly name: string | null }

export async function readEntries(
  reader: Reader,
  schema: string,
  tenant: string,
  leaderboard: string,
  run: string,
  users: readonly string[],
): Promise<readonly LeaderboardUser[]> {
  const text = `select coalesce(json_agg(x), '[]')::text as value from (
      select e.user_id as "user", u.name, e.leaderboard, e.run, e.group_key, e.minus_value, e.reached_at, e.until, e.names
        from ${quote(schema)}.leaderboard_entries e
        left join ${quote(schema)}.users u on u.tenant_id = e.tenant_id and u.user_id = e.user_id
        where e.tenant_id = $1 and e.user_id = any($4::text[]) and e.leaderboard = $2 and e.run = $3
    ) x`
  const rows: readonly UserRow[] = JSON.parse(
    await reader.value<string>(text, [tenant, toKeyText(leaderboard), run, users]),
  )
  return rows.map(({ user, name, ...row }) => {
    const { group, value, reachedAt, until } = fromLeaderboardEntriesRow(row)
    return { user, name, run, group, value, reachedAt, until }
  })
}
