import { type RawBuilder, sql } from 'kysely'
import type { BlockGroup, Drift, DriftRow } from '../../src/storage/audit.ts'
import {
  type Bind,
  bindAll,
  columnList,
  rawStatement,
  type SqlTraits,
  type Statement,
  same,
  statement,
  tableOf,
} from './database.ts'
import { compareRows, type KeyedTable } from './derived-tables.ts'
import {
  GROUP,
  isWithin,
  type LeaderboardColumns,
  POSITION,
  type PositionColumns,
  type PositionRange,
  positionOf,
} from './leaderboards.ts'
import type { LeaderboardBlocksTable } from './tables.ts'

/*
 * The entries of a group without a limit are counted in blocks of its order. A block begins at its position and ends where
 * the next one begins; the first begins before every entry. So a rank is the sum of the blocks before, and the entries
 * before within one block.
 */

/** About how many entries a block has when it is made. */
export const BLOCK_ENTRIES = 256
/** A block with more entries is divided. */
export const MOST_ENTRIES = 512
/** A block with at most so many is joined with a neighbour, if both together have at most `BLOCK_ENTRIES`. */
export const FEW_ENTRIES = 64

/** Where a block begins, and how many entries it has. */
export type Block = PositionColumns & Pick<LeaderboardBlocksTable, 'count'>
type At = LeaderboardColumns & PositionColumns

export interface BlockQueries {
  /** Every block of a group, in order. */
  readonly ofGroup: Statement<LeaderboardColumns, LeaderboardBlocksTable>
  /** The block that a position lies in; there is none only in a group without blocks. */
  readonly at: Statement<At, Block>
  /** The blocks before and after the one that begins at a position. */
  readonly previous: Statement<At, Block>
  readonly next: Statement<At, Block>
  readonly insert: Statement<LeaderboardBlocksTable, unknown>
  readonly add: Statement<At & { readonly by: number }, unknown>
  /** Removes the blocks that begin within a range. */
  readonly removeRange: Statement<PositionRange, unknown>
  /** How many entries come before a position; no row in a group without blocks. */
  readonly rank: Statement<At, { readonly count: number }>
  /** The last block that has at most `most` entries before it, and how many these are. */
  readonly withBefore: Statement<
    LeaderboardColumns & { readonly most: number },
    PositionColumns & { readonly before: number }
  >
}

export function blockQueries(traits: SqlTraits): BlockQueries {
  const [blocks, entries] = [tableOf('leaderboard_blocks'), tableOf('leaderboard_entries')]
  const order = columnList(POSITION)
  const backwards = sql`minus_value desc, reached_at desc, user_id desc`
  const near = (operator: '<=' | '>' | '<', direction: RawBuilder<unknown>): Statement<At, Block> =>
    rawStatement(
      traits,
      (bind: Bind<At>) => sql<Block>`select ${order}, count from ${blocks}
        where ${same(bind, GROUP)} and (${order}) ${sql.raw(operator)} ${positionOf(bind)} order by ${direction} limit 1`,
    )
  return {
    ofGroup: rawStatement(
      traits,
      (bind) =>
        sql`select ${columnList(GROUP)}, ${order}, count from ${blocks} where ${same(bind, GROUP)} order by ${order}`,
    ),
    at: near('<=', backwards),
    next: near('>', order),
    previous: near('<', backwards),
    insert: statement(traits, (bind) =>
      traits.kysely.insertInto('leaderboard_blocks').values(bindAll(bind, [...GROUP, ...POSITION, 'count'])),
    ),
    add: rawStatement(
      traits,
      (bind) => sql`update ${blocks} set count = count + ${bind('by')} where ${same(bind, [...GROUP, ...POSITION])}`,
    ),
    removeRange: rawStatement(
      traits,
      (bind: Bind<PositionRange>) => sql`delete from ${blocks} where ${same(bind, GROUP)} and ${isWithin(bind)}`,
    ),
    rank: rawStatement(traits, (bind) => {
      // The plus takes the type affinity from a column. With it SQLite would use only `minus_value` of the index.
      const start = sql`(+b.minus_value, +b.reached_at, +b.user_id)`
      const before = sql`select coalesce(sum(count), 0) from ${blocks} where ${same(bind, GROUP)} and (${order}) < ${start}`
      const within = sql`select count(*) from ${entries} where ${same(bind, GROUP)} and until is null
        and (${order}) >= ${start} and (${order}) < ${positionOf(bind)}`
      return sql`select (${before}) + (${within}) as count from (
        select ${order} from ${blocks} where ${same(bind, GROUP)} and (${order}) <= ${positionOf(bind)}
          order by ${backwards} limit 1
      ) b`
    }),
    withBefore: rawStatement(
      traits,
      (bind) => sql`select ${order}, before from (
        select ${order}, sum(count) over (order by ${order}) - count as before from ${blocks} where ${same(bind, GROUP)}
      ) s where before <= ${bind('most')} order by ${backwards} limit 1`,
    ),
  }
}

const BLOCKS: KeyedTable = { name: 'leaderboard_blocks', key: [...GROUP, ...POSITION] }

/**
 * Compares the stored blocks of a group with right ones. `counted`: the blocks as counted from the entries, in order; the
 * first begins before every entry, the others where a stored block begins. `hasPending`: changes that no block counts yet
 * keep the blocks of a group, even if all counts are 0.
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

export function toBlockGroup({ tenant_id, leaderboard, run, group_key }: LeaderboardColumns): BlockGroup {
  return { tenant: tenant_id, leaderboard, run, group: group_key }
}
