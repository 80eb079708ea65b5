import type { BlockGroup, Drift } from '../../src/storage-audit.ts'
import { type Block, compareBlocks, toGroupColumns } from '../sql/leaderboard-blocks.ts'
import type { LeaderboardColumns } from '../sql/leaderboard-rows.ts'
import type { LeaderboardBlocksTable } from '../sql/tables.ts'
import { FIRST_POSITION_TEXT, groupLock, LAST_POSITION_TEXT, order, positionOf } from './leaderboard-order.ts'
import { quote } from './quote.ts'
import type { Runner } from './runner.ts'

export interface BlockAudits {
  auditBlocks(group: BlockGroup): Promise<readonly Drift[]>
  repairBlocks(group: BlockGroup): Promise<void>
}

interface ReadBlocks {
  readonly stored: readonly LeaderboardBlocksTable[]
  readonly counted: readonly Block[]
}

export function blockAudits(runner: Runner, schema: string): BlockAudits {
  const text = readText(schema)
  const compare = (group: LeaderboardColumns, answer: string): readonly Drift[] => {
    const { stored, counted }: ReadBlocks = JSON.parse(answer)
    return compareBlocks(group, stored, counted)
  }
  return {
    auditBlocks: async (group) => {
      const columns = toGroupColumns(group)
      return compare(columns, await runner.value<string>(text, toValues(columns)))
    },
    repairBlocks: (group) =>
      runner.transaction(async (session) => {
        const columns = toGroupColumns(group)
        const values = toValues(columns)
        await session.query(
          `select pg_advisory_xact_lock(${groupLock(schema, ['$1::text', '$2::text', '$3::text', '$4::text'])})::text`,
          values,
        )
        const [row] = await session.query(text, values)
        if (compare(columns, (row as { readonly value: string }).value).length === 0) return
        await session.query(`delete from ${quote(schema)}.leaderboard_blocks b where ${ofGroup('b')}`, values)
        await session.query(
          `select ${quote(schema)}.recount_blocks($1, $2, $3, $4, ${FIRST_POSITION_TEXT}, ${LAST_POSITION_TEXT})::text`,
          values,
        )
      }),
  }
}

function toValues({ tenant_id, leaderboard, run, group_key }: LeaderboardColumns): readonly string[] {
  return [tenant_id, leaderboard, run, group_key]
}

function ofGroup(alias: string): string {
  const columns = ['tenant_id', 'leaderboard', 'run', 'group_key']
  return columns.map((column, index) => `${alias}.${column} = $${index + 1}`).join(' and ')
}

/**
 * Reads every block of a group, and counts the entries between the positions where blocks begin, less the changes that
 * hosts' transactions have left for a later save to count.
 */
function readText(schema: string): string {
  const table = (name: string): string => `${quote(schema)}.leaderboard_${name}`
  const lies = (alias: string): string => `${ofGroup(alias)} and ${positionOf(alias)} >= ${positionOf('r')}
      and ${positionOf(alias)} < (r.end_value, r.end_at, r.end_user)`
  return `
    with starts as (
      select b.minus_value, b.reached_at, b.user_id from ${table('blocks')} b
        where ${ofGroup('b')} and b.minus_value < 'Infinity' and ${positionOf('b')} > (${FIRST_POSITION_TEXT})
      union all select ${FIRST_POSITION_TEXT}
    ), ranges as (
      select s.*, lead(s.minus_value, 1, 'Infinity') over w as end_value, lead(s.reached_at, 1, 0::bigint) over w as end_at,
          lead(s.user_id, 1, '') over w as end_user
        from starts s window w as (order by ${order('s')})
    )
    select json_build_object(
      'stored', (select coalesce(json_agg(b order by ${order('b')}), '[]') from ${table('blocks')} b where ${ofGroup('b')}),
      'counted', (select json_agg(c order by ${order('c')}) from (
        select r.minus_value, r.reached_at, r.user_id,
            (select count(*) from ${table('entries')} e where ${lies('e')} and e.until is null)
              - coalesce((select sum(p.delta) from ${table('pending')} p where ${lies('p')}), 0) as count
          from ranges r
      ) c)
    )::text as value`
}
