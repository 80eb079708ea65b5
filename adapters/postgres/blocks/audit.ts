import type { BlockGroup, Drift } from '../../../src/storage-audit.ts'
import type { BlockStart } from '../../sql/blocks/index.ts'
import { compareBlocks, isToBeRebuilt, toGroupColumns } from '../../sql/blocks/index.ts'
import type { LeaderboardColumns } from '../../sql/leaderboard-rows.ts'
import type { LeaderboardBlocksTable } from '../../sql/tables.ts'
import { FIRST_POSITION_TEXT, order, positionOf } from '../leaderboard-order.ts'
import { quote } from '../quote.ts'
import type { Runner } from '../runner.ts'
import type { Session } from '../session.ts'

export interface BlockAudits {
  auditBlocks(group: BlockGroup): Promise<readonly Drift[]>
  repairBlocks(group: BlockGroup): Promise<void>
}

interface ReadBlocks {
  readonly stored: readonly LeaderboardBlocksTable[]
  readonly counted: readonly BlockStart[]
}

export function blockAudits(runner: Runner, schema: string): BlockAudits {
  const text = readText(schema)
  return {
    auditBlocks: async (group) => {
      const columns = toGroupColumns(group)
      const { stored, counted }: ReadBlocks = JSON.parse(await runner.value<string>(text, toValues(columns)))
      return compareBlocks(columns, stored, counted)
    },
    repairBlocks: (group) =>
      runner.transaction((session) => repairBlocks(session, schema, text, toGroupColumns(group))),
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
 * Reads every block of a group, and counts the entries between the positions where blocks of level 1 begin, less the
 * changes that hosts' transactions have left for a later save to count.
 */
function readText(schema: string): string {
  const table = (name: string): string => `${quote(schema)}.leaderboard_${name}`
  const lies = (alias: string): string => `${ofGroup(alias)} and ${positionOf(alias)} >= ${positionOf('r')}
      and ${positionOf(alias)} < (r.end_value, r.end_at, r.end_user)`
  return `
    with starts as (
      select b.minus_value, b.reached_at, b.user_id from ${table('blocks')} b
        where ${ofGroup('b')} and b.level = 1 and b.minus_value < 'Infinity' and ${positionOf('b')} > (${FIRST_POSITION_TEXT})
      union all select ${FIRST_POSITION_TEXT}
    ), ranges as (
      select s.*, lead(s.minus_value, 1, 'Infinity') over w as end_value, lead(s.reached_at, 1, 0::bigint) over w as end_at,
          lead(s.user_id, 1, '') over w as end_user
        from starts s window w as (order by ${order('s')})
    )
    select json_build_object(
      'stored', (select coalesce(json_agg(b order by b.level, ${order('b')}), '[]') from ${table('blocks')} b where ${ofGroup('b')}),
      'counted', (select json_agg(c order by ${order('c')}) from (
        select r.minus_value, r.reached_at, r.user_id,
            (select count(*) from ${table('entries')} e where ${lies('e')} and e.until is null)
              - coalesce((select sum(p.delta) from ${table('pending')} p where ${lies('p')}), 0) as count
          from ranges r
      ) c)
    )::text as value`
}

/** Locks the group for itself, so that everybody who adds to its blocks has committed, or waits. */
async function repairBlocks(session: Session, schema: string, text: string, group: LeaderboardColumns): Promise<void> {
  const values = toValues(group)
  const named = (name: string): string => `${quote(schema)}.${name}`
  // With an empty list this function does nothing but take the lock, until the end of the transaction.
  await session.query(`select ${named('tidy_blocks')}($1, $2, $3, $4, '[]'::jsonb)::text`, values)
  const [row] = await session.query(text, values)
  const { stored, counted }: ReadBlocks = JSON.parse((row as { readonly value: string }).value)
  const drift = compareBlocks(group, stored, counted)
  if (drift.length === 0) return
  if (isToBeRebuilt(drift)) {
    await session.query(`delete from ${named('leaderboard_blocks')} b where ${ofGroup('b')}`, values)
    if (counted.some(({ count }) => count !== 0)) {
      await session.query(`select ${named('build_blocks')}($1, $2, $3, $4)::text`, values)
    }
    return
  }
  const rows = JSON.stringify(drift.map(({ expected }) => expected))
  await session.query(
    `update ${named('leaderboard_blocks')} b set count = e.count
      from json_populate_recordset(null::${named('leaderboard_blocks')}, $5::text::json) e
      where ${ofGroup('b')} and b.level = e.level and ${positionOf('b')} = ${positionOf('e')}`,
    [...values, rows],
  )
}
