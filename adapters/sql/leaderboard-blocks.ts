import { sql } from 'kysely'
import type { BlockGroup, Drift, DriftRow } from '../../src/storage/audit.ts'
import { type Bind, bindAll, type SqlTraits, type Statement, statement } from './database.ts'
import { compareRows, type KeyedTable } from './derived-tables.ts'
import {
  GROUP,
  isWithin,
  type LeaderboardColumns,
  POSITION,
  type PositionColumns,
  type PositionRange,
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
  return { ...reads(traits), ...writes(traits), rank: rank(traits), withBefore: withBefore(traits) }
}

function reads(traits: SqlTraits): Pick<BlockQueries, 'ofGroup' | 'at' | 'next' | 'previous'> {
  const { kysely } = traits
  const near = (operator: '<=' | '>' | '<', direction: 'asc' | 'desc') =>
    statement(traits, (bind: Bind<At>) =>
      kysely
        .selectFrom('leaderboard_blocks')
        .select([...POSITION, 'count'])
        .where((eb) => eb.and(bindAll(bind, GROUP)))
        .where((eb) =>
          eb(eb.refTuple(...POSITION), operator, eb.tuple(bind('minus_value'), bind('reached_at'), bind('user_id'))),
        )
        .orderBy('minus_value', direction)
        .orderBy('reached_at', direction)
        .orderBy('user_id', direction)
        .limit(sql.lit(1)),
    )
  return {
    ofGroup: statement(traits, (bind) =>
      kysely
        .selectFrom('leaderboard_blocks')
        .select([...GROUP, ...POSITION, 'count'])
        .where((eb) => eb.and(bindAll(bind, GROUP)))
        .orderBy('minus_value')
        .orderBy('reached_at')
        .orderBy('user_id'),
    ),
    at: near('<=', 'desc'),
    next: near('>', 'asc'),
    previous: near('<', 'desc'),
  }
}

function writes(traits: SqlTraits): Pick<BlockQueries, 'insert' | 'add' | 'removeRange'> {
  const { kysely } = traits
  return {
    insert: statement(traits, (bind) =>
      kysely.insertInto('leaderboard_blocks').values(bindAll(bind, [...GROUP, ...POSITION, 'count'])),
    ),
    add: statement(traits, (bind) =>
      kysely
        .updateTable('leaderboard_blocks')
        .set((eb) => ({ count: eb('count', '+', bind('by')) }))
        .where((eb) => eb.and(bindAll(bind, [...GROUP, ...POSITION]))),
    ),
    removeRange: statement(traits, (bind: Bind<PositionRange>) =>
      kysely
        .deleteFrom('leaderboard_blocks')
        .where((eb) => eb.and(bindAll(bind, GROUP)))
        .where(isWithin(bind)),
    ),
  }
}

function rank(traits: SqlTraits): BlockQueries['rank'] {
  const { kysely } = traits
  return statement(traits, (bind: Bind<At>) => {
    const row = sql`(minus_value, reached_at, user_id)`
    const position = sql`(${bind('minus_value')}, ${bind('reached_at')}, ${bind('user_id')})`
    // The plus takes the type affinity from a column. With it SQLite would use only `minus_value` of the index.
    const start = sql`(+b.minus_value, +b.reached_at, +b.user_id)`
    const block = kysely
      .selectFrom('leaderboard_blocks')
      .select(POSITION)
      .where((eb) => eb.and(bindAll(bind, GROUP)))
      .where(sql<boolean>`${row} <= ${position}`)
      .orderBy('minus_value', 'desc')
      .orderBy('reached_at', 'desc')
      .orderBy('user_id', 'desc')
      .limit(sql.lit(1))
    const blocks = kysely
      .selectFrom('leaderboard_blocks')
      .select(sql<number>`coalesce(sum(count), 0)`.as('count'))
      .where((eb) => eb.and(bindAll(bind, GROUP)))
      .where(sql<boolean>`${row} < ${start}`)
    const entries = kysely
      .selectFrom('leaderboard_entries')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where((eb) => eb.and(bindAll(bind, GROUP)))
      .where('until', 'is', null)
      .where(sql<boolean>`${row} >= ${start} and ${row} < ${position}`)
    return kysely.selectFrom(block.as('b')).select(sql<number>`(${blocks}) + (${entries})`.as('count'))
  })
}

function withBefore(traits: SqlTraits): BlockQueries['withBefore'] {
  const { kysely } = traits
  return statement(traits, (bind) => {
    const sums = kysely
      .selectFrom('leaderboard_blocks')
      .select(POSITION)
      .select(sql<number>`sum(count) over (order by minus_value, reached_at, user_id) - count`.as('before'))
      .where((eb) => eb.and(bindAll(bind, GROUP)))
    return kysely
      .selectFrom(sums.as('s'))
      .select([...POSITION, 'before'])
      .where('before', '<=', bind('most'))
      .orderBy('minus_value', 'desc')
      .orderBy('reached_at', 'desc')
      .orderBy('user_id', 'desc')
      .limit(sql.lit(1))
  })
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
