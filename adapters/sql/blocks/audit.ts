import type { BlockGroup, Drift, DriftRow } from '../../../src/storage-audit.ts'
import { compareRows, type KeyedTable } from '../compare-rows.ts'
import { POSITION, type PositionColumns } from '../leaderboard-positions.ts'
import { GROUP, type LeaderboardColumns } from '../leaderboard-rows.ts'
import { bindAll, type Statement, statement } from '../statement.ts'
import type { LeaderboardBlocksTable } from '../tables.ts'
import type { SqlTraits } from '../traits.ts'
import type { BlockStart } from './queries.ts'

export interface AuditBlockQueries {
  /** Every block of a group, of whatever level, in order. */
  readonly ofGroup: Statement<LeaderboardColumns, LeaderboardBlocksTable>
  readonly removeGroup: Statement<LeaderboardColumns, unknown>
}

export function auditBlockQueries(traits: SqlTraits): AuditBlockQueries {
  const { kysely } = traits
  return {
    ofGroup: statement(traits, (bind) =>
      kysely
        .selectFrom('leaderboard_blocks')
        .select([...GROUP, 'level', ...POSITION, 'count'])
        .where((eb) => eb.and(bindAll(bind, GROUP)))
        .orderBy('level')
        .orderBy('minus_value')
        .orderBy('reached_at')
        .orderBy('user_id'),
    ),
    removeGroup: statement(traits, (bind) =>
      kysely.deleteFrom('leaderboard_blocks').where((eb) => eb.and(bindAll(bind, GROUP))),
    ),
  }
}

const BLOCKS: KeyedTable = { name: 'leaderboard_blocks', key: [...GROUP, 'level', ...POSITION] }
/** A group with a larger block has all its blocks made anew: splitting large blocks one by one would take long. */
const MOST_ENTRIES = 256

/**
 * Compares the stored blocks of a group with right ones that begin at the same positions. `counted`: the blocks of
 * level 1 as counted from the entries, in order. The first begins before every position, the others where a stored
 * block of level 1 begins.
 */
export function compareBlocks(
  group: LeaderboardColumns,
  stored: readonly LeaderboardBlocksTable[],
  counted: readonly BlockStart[],
): readonly Drift[] {
  if (stored.length === 0) return []
  const rows = stored.map((row): DriftRow => ({ ...row }))
  const drift = compareRows(BLOCKS, rows, toExpected(group, stored, counted))
  const isEmpty = counted.every(({ count }) => count === 0)
  return isEmpty && drift.some(isMisplaced) ? compareRows(BLOCKS, rows, []) : drift
}

function toExpected(
  group: LeaderboardColumns,
  stored: readonly LeaderboardBlocksTable[],
  counted: readonly BlockStart[],
): readonly DriftRow[] {
  const idOf = ({ minus_value, reached_at, user_id }: PositionColumns) =>
    JSON.stringify([minus_value, reached_at, user_id])
  const outer = new Set(stored.filter(({ level }) => level === 2).map(idOf))
  const inner = counted.map((block) => ({ ...group, level: 1, ...block }))
  const holders: { count: number; readonly [column: string]: string | number }[] = []
  for (const [index, block] of inner.entries()) {
    if (index === 0 || outer.has(idOf(block))) holders.push({ ...block, level: 2, count: 0 })
    const holder = holders.at(-1)
    if (holder !== undefined) holder.count += block.count
  }
  return [...inner, ...holders]
}

function isMisplaced({ stored, expected }: Drift): boolean {
  return stored === null || expected === null
}

/** Whether blocks begin at wrong positions, so that right counts alone would not mend them. */
export function isToBeRebuilt(drift: readonly Drift[]): boolean {
  return drift.some(
    (row) => isMisplaced(row) || (row.expected?.level === 1 && Number(row.expected.count) > MOST_ENTRIES),
  )
}

/** A block as a drift shows it, stored or expected. */
export function toBlock(row: DriftRow): LeaderboardBlocksTable {
  return row as unknown as LeaderboardBlocksTable
}

export function toGroupColumns({ tenant, leaderboard, run, group }: BlockGroup): LeaderboardColumns {
  return { tenant_id: tenant, leaderboard, run, group_key: group }
}

export function toBlockGroup({ tenant_id, leaderboard, run, group_key }: LeaderboardColumns): BlockGroup {
  return { tenant: tenant_id, leaderboard, run, group: group_key }
}
