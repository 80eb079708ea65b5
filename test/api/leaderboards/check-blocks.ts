import Database from 'better-sqlite3'
import { expect } from 'vitest'

interface CheckedRow {
  readonly name: string
  readonly is_first: number
  readonly minus_value: number
  readonly reached_at: number
  readonly user_id: string
  /** The stored block, and the block counted from its entries. */
  readonly count: number
  readonly counted: number
}

const PLACE = '(x.minus_value, x.reached_at, x.user_id)'
const IN_BLOCK = `x.tenant_id = b.tenant_id and x.leaderboard = b.leaderboard and x.run = b.run
  and x.group_key = b.group_key and ${PLACE} >= (+b.minus_value, +b.reached_at, +b.user_id)
  and (b.end_value is null or ${PLACE} < (+b.end_value, +b.end_at, +b.end_user))`
const CHECKED = `
  with b as (
    select *, lead(minus_value) over w as end_value, lead(reached_at) over w as end_at, lead(user_id) over w as end_user,
        row_number() over w = 1 as is_first
      from laurels_leaderboard_blocks
      window w as (
        partition by tenant_id, leaderboard, run, group_key order by minus_value, reached_at, user_id
      )
  )
  select leaderboard || group_key as name, is_first, minus_value, reached_at, user_id, count,
      (select count(*) from laurels_leaderboard_entries x where ${IN_BLOCK} and x.until is null) as counted
    from b order by name, minus_value, reached_at, user_id`
const GROUPS = `select distinct leaderboard || group_key as name from laurels_leaderboard_entries where until is null`

/** Checks that every block of a file counts its entries, and that the first begins before everything. */
export function checkBlocks(file: string): ReadonlyMap<string, readonly number[]> {
  const database = new Database(file, { readonly: true })
  const rows = database.prepare(CHECKED).all() as CheckedRow[]
  const groups = database.prepare(GROUPS).pluck().all() as string[]
  database.close()
  const firstPlace = { minus_value: -1e308, reached_at: Number.MIN_SAFE_INTEGER, user_id: '' }
  for (const row of rows) {
    expect(row).toMatchObject({ count: row.counted, ...(row.is_first === 1 ? firstPlace : {}) })
  }
  const sizes = new Map<string, readonly number[]>()
  for (const name of new Set(rows.map((row) => row.name))) {
    // Groups without users have no blocks.
    expect(groups).toContain(name)
    sizes.set(
      name,
      rows.filter((row) => row.name === name).map(({ count }) => count),
    )
  }
  return sizes
}
