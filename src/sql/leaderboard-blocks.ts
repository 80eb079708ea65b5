import type { BlockGroup, Drift, DriftRow } from '../storage/audit.ts'
import type { UserKey } from '../storage/rows.ts'
import type { Statement } from '../storage/statements.ts'
import { insertText, OF_USER, same, statement } from './database.ts'
import { compareRows, type KeyedTable } from './derived-tables.ts'
import {
  GROUP,
  type LeaderboardColumns,
  OF_GROUP,
  ORDER,
  POSITION,
  POSITION_VALUES,
  type PositionColumns,
  type PositionRange,
  WITHIN,
} from './leaderboards.ts'
import type { LeaderboardBlocksTable } from './tables.ts'

/*
 * The entries of a group without a limit are counted in blocks of its order. A block begins at its position and ends at
 * the start of the next block; the first begins before every entry. So a rank is the sum of the blocks before, and the
 * entries before within one block.
 */

/** About how many entries a block has when it is made. */
export const BLOCK_ENTRIES = 256
/** A block with more entries is divided. */
export const MOST_ENTRIES = 512
/** A block with at most this many entries is joined with a neighbour, if both together have at most `BLOCK_ENTRIES`. */
export const FEW_ENTRIES = 64

/** The start of a block, and its number of entries. */
export type Block = PositionColumns & Pick<LeaderboardBlocksTable, 'count'>
type At = LeaderboardColumns & PositionColumns

const BLOCKS_OF_GROUP = `from laurels.leaderboard_blocks where ${OF_GROUP}`
const BACKWARDS = 'minus_value desc, reached_at desc, user_id desc'

const near = (operator: '<=' | '>' | '<', order: string): Statement<At, Block> =>
  statement(
    `select ${ORDER}, count ${BLOCKS_OF_GROUP} and (${ORDER}) ${operator} ${POSITION_VALUES} order by ${order} limit 1`,
  )

/** Every block of a group, in order. */
export const BLOCKS_IN_ORDER: Statement<LeaderboardColumns, LeaderboardBlocksTable> = statement(
  `select ${GROUP.join(', ')}, ${ORDER}, count ${BLOCKS_OF_GROUP} order by ${ORDER}`,
)

/** The block that a position lies in; there is none only in a group without blocks. */
export const BLOCK_AT: Statement<At, Block> = near('<=', BACKWARDS)

/** The blocks before and after the one that begins at a position. */
export const NEXT_BLOCK: Statement<At, Block> = near('>', ORDER)
export const PREVIOUS_BLOCK: Statement<At, Block> = near('<', BACKWARDS)

export const INSERT_BLOCK: Statement<LeaderboardBlocksTable, unknown> = statement(
  insertText('leaderboard_blocks', [...GROUP, ...POSITION, 'count']),
)

export const ADD_TO_BLOCK: Statement<At & { readonly by: number }, unknown> = statement(
  `update laurels.leaderboard_blocks set count = count + :by where ${same([...GROUP, ...POSITION])}`,
)

/** Removes the blocks that begin within a range. */
export const REMOVE_BLOCKS: Statement<PositionRange, unknown> = statement(`delete ${BLOCKS_OF_GROUP} and ${WITHIN}`)

// The plus takes the type affinity from a column. With it SQLite would use only `minus_value` of the index.
const START = '(+b.minus_value, +b.reached_at, +b.user_id)'

/** How many entries come before a position; no row in a group without blocks. */
export const RANK_BY_BLOCKS: Statement<At, { readonly count: number }> = statement(
  `select (select coalesce(sum(count), 0) ${BLOCKS_OF_GROUP} and (${ORDER}) < ${START})
      + (select count(*) from laurels.leaderboard_entries where ${OF_GROUP} and until is null
        and (${ORDER}) >= ${START} and (${ORDER}) < ${POSITION_VALUES}) as count
    from (select ${ORDER} ${BLOCKS_OF_GROUP} and (${ORDER}) <= ${POSITION_VALUES} order by ${BACKWARDS} limit 1) b`,
)

/** The last block that has at most `most` entries before it, and how many these are. */
export const BLOCK_WITH_BEFORE: Statement<
  LeaderboardColumns & { readonly most: number },
  PositionColumns & { readonly before: number }
> = statement(
  `select ${ORDER}, before from (
    select ${ORDER}, sum(count) over (order by ${ORDER}) - count as before ${BLOCKS_OF_GROUP}
  ) s where before <= :most order by ${BACKWARDS} limit 1`,
)

/** Positions that the user has, or had, at which blocks of leaderboards begin. */
export const BLOCKS_OF_USER: Statement<UserKey, At> = statement(
  `select distinct ${[...GROUP, ...POSITION].join(', ')} from laurels.leaderboard_blocks
    where user_id <> '' and ${OF_USER}`,
)

const BLOCKS: KeyedTable = { name: 'leaderboard_blocks', key: [...GROUP, ...POSITION] }

/**
 * Compares the stored blocks of a group with right ones. `counted`: the blocks as counted from the entries, in order;
 * the first begins before every entry, the others if a stored block begins. `hasPending`: changes that no block counts
 * yet keep the blocks of a group, even if all counts are 0.
 */
export function compareBlocks(
  group: LeaderboardColumns,
  stored: readonly LeaderboardBlocksTable[],
  counted: readonly Block[],
  hasPending = false,
): readonly Drift[] {
  if (stored.length === 0) return []
  const isEmpty = !hasPending && counted.every(({ count }) => count === 0)
  const expected = isEmpty ? [] : counted.map((block): DriftRow => ({ ...group, ...block }))
  return compareRows(
    BLOCKS,
    stored.map((row): DriftRow => ({ ...row })),
    expected,
  )
}

export function toGroupColumns({ tenant, leaderboard, run, group }: BlockGroup): LeaderboardColumns {
  return { tenant_id: tenant, leaderboard, run, group_key: group }
}
