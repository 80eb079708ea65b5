import type { Drift } from '../../../src/storage-audit.ts'
import type { BlockStart } from '../../sql/blocks/index.ts'
import { auditBlockQueries, compareBlocks, isToBeRebuilt, toBlock } from '../../sql/blocks/index.ts'
import {
  comparePositionColumns,
  FIRST_POSITION,
  LAST_POSITION,
  type PositionColumns,
} from '../../sql/leaderboard-positions.ts'
import type { LeaderboardColumns } from '../../sql/leaderboard-rows.ts'
import type { LeaderboardBlocksTable } from '../../sql/tables.ts'
import { queries } from '../queries.ts'
import type { Statements } from '../statements.ts'
import { sqliteTraits } from '../traits.ts'
import { countChange } from './counts.ts'
import { type Blocks, blocksOf } from './levels.ts'

const { ofGroup, removeGroup } = auditBlockQueries(sqliteTraits)

/** Within a transaction; counts every entry of the group. */
export function auditBlocks(connection: Statements, group: LeaderboardColumns): readonly Drift[] {
  const stored = connection.all(ofGroup, group)
  return compareBlocks(group, stored, countBlocks(connection, group, stored))
}

/** Counts the entries between the positions where blocks of level 1 begin, and before the first of them. */
function countBlocks(
  connection: Statements,
  group: LeaderboardColumns,
  stored: readonly LeaderboardBlocksTable[],
): readonly BlockStart[] {
  const later = stored.filter((block) => block.level === 1 && comparePositionColumns(block, FIRST_POSITION) > 0)
  const starts: readonly PositionColumns[] = [FIRST_POSITION, ...later]
  return starts.map(({ minus_value, reached_at, user_id }, index) => {
    const end = starts[index + 1] ?? LAST_POSITION
    const range = { end_minus_value: end.minus_value, end_reached_at: end.reached_at, end_user_id: end.user_id }
    const start = { minus_value, reached_at, user_id }
    return {
      ...start,
      count: connection.get(queries.ranking.countBetween, { ...group, ...start, ...range })?.count ?? 0,
    }
  })
}

export function repairBlocks(connection: Statements, group: LeaderboardColumns): void {
  const drift = auditBlocks(connection, group)
  if (drift.length === 0) return
  const blocks = blocksOf(connection, group)
  if (isToBeRebuilt(drift)) rebuild(blocks)
  else for (const row of drift) correct(blocks, row)
}

function correct({ inner, outer }: Blocks, { stored, expected }: Drift): void {
  if (stored === null || expected === null) return
  const [block, counted] = [toBlock(stored), toBlock(expected)]
  const level = block.level === 1 ? inner : outer
  level.add(block, counted.count - block.count)
}

/**
 * Makes the blocks as for a group without any: the first entry to enter has all entries of the group counted. The
 * position that enters here is no user's.
 */
function rebuild({ connection, group, inner, outer }: Blocks): void {
  for (const block of connection.all(ofGroup, group)) {
    if (block.level === 1) inner.remove(block)
    if (block.level === 2) outer.remove(block)
  }
  connection.run(removeGroup, group)
  countChange(connection, { from: null, to: { ...group, ...FIRST_POSITION, until: null } }, true)
}
