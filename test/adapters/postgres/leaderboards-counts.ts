// The counts of the blocks of leaderboards without a limit, and the entries in them.

import type pg from 'pg'

export type Query = <Row extends pg.QueryResultRow>(text: string) => Promise<readonly Row[]>

interface Block {
  /** Its leaderboard, run and group. */
  readonly name: string
  readonly count: number
  /** The entries in it, less what hosts' transactions have left for a later save to add up. */
  readonly lying: number
  readonly isFirst: boolean
  readonly isAtSentinel: boolean
}

export interface Counts {
  /** Blocks that count something else than what lies in them, or begin if none may. */
  readonly faults: readonly string[]
  /** How many blocks there are, and how much the largest counts. */
  readonly blocks: number
  readonly largest: number
  readonly pending: number
}

const SENTINEL = `(-1e308::float8, ${Number.MIN_SAFE_INTEGER}::bigint, '')`
const KEY = ['tenant_id', 'leaderboard', 'run', 'group_key']
const place = (alias: string): string => `(${alias}.minus_value, ${alias}.reached_at, ${alias}.user_id)`
const same = (alias: string): string => KEY.map((name) => `${alias}.${name} = b.${name}`).join(' and ')

/** One statement, so that all of it is from one moment, despite concurrent writers. */
function textOf(schema: string): string {
  const table = (name: string): string => `"${schema}".leaderboard_${name}`
  const within = (alias: string): string => `${same(alias)} and ${place(alias)} >= ${place('b')}
    and ${place(alias)} < (b.next_value, b.next_at, b.next_user)`
  return `
    with b as (
      select *, row_number() over w = 1 as is_first, lead(minus_value, 1, 'infinity') over w as next_value,
          lead(reached_at, 1, 0::bigint) over w as next_at, lead(user_id, 1, '') over w as next_user
        from ${table('blocks')}
        window w as (partition by ${KEY.join(', ')} order by minus_value, reached_at, user_id)
    )
    select b.leaderboard || ' ' || b.run || ' ' || b.group_key as name, b.count::int,
        (select count(*) from ${table('entries')} e where ${within('e')} and e.until is null)::int
          - coalesce((select sum(p.delta) from ${table('pending')} p where ${within('p')}), 0)::int as lying,
        b.is_first as "isFirst", ${place('b')} = ${SENTINEL} as "isAtSentinel", waiting.pending
      from (select count(*)::int as pending from ${table('pending')}) waiting left join b on true`
}

export async function readCounts(query: Query, schema: string): Promise<Counts> {
  const found = await query<Block & { readonly pending: number }>(textOf(schema))
  const rows = found.filter(({ name }) => name !== null)
  const isRight = (block: Block): boolean => block.count === block.lying && block.isFirst === block.isAtSentinel
  return {
    faults: rows.filter((block) => !isRight(block)).map((block) => JSON.stringify(block)),
    blocks: rows.length,
    largest: Math.max(0, ...rows.map(({ count }) => count)),
    pending: found[0]?.pending ?? Number.NaN,
  }
}
