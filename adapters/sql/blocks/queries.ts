import { sql } from 'kysely'
import { POSITION, type PositionColumns, type PositionRange } from '../leaderboard-positions.ts'
import { GROUP, type LeaderboardColumns } from '../leaderboard-rows.ts'
import { type Bind, bindAll, type Statement, statement } from '../statement.ts'
import type { LeaderboardBlocksTable } from '../tables.ts'
import type { SqlTraits } from '../traits.ts'

export type LevelNumber = LeaderboardBlocksTable['level']
/** Where a block begins, and how many entries it holds. */
export type BlockStart = PositionColumns & Pick<LeaderboardBlocksTable, 'count'>

interface AtLevel extends LeaderboardColumns, PositionColumns {
  readonly level: LevelNumber
}
export interface BlockRange extends PositionRange {
  readonly level: LevelNumber
}

export interface BlockQueries {
  /** The block that a position lies in. */
  readonly at: Statement<AtLevel, BlockStart>
  /** The blocks after and before the one that begins at a position. */
  readonly next: Statement<AtLevel, BlockStart>
  readonly previous: Statement<AtLevel, BlockStart>
  readonly between: Statement<BlockRange, BlockStart>
  readonly insert: Statement<LeaderboardBlocksTable, unknown>
  /** These two are about the block that begins at a position. */
  readonly add: Statement<AtLevel & { readonly by: number }, unknown>
  readonly remove: Statement<AtLevel, unknown>
  /** How many entries come before a position; no row where the group has no blocks. */
  readonly rank: Statement<LeaderboardColumns & PositionColumns, { readonly count: number }>
  /** The last block of a range that has at most `most` entries of the range before it, and how many these are. */
  readonly withBefore: Statement<BlockRange & { readonly most: number }, PositionColumns & { readonly before: number }>
}

export function blockQueries(traits: SqlTraits): BlockQueries {
  return { ...neighbours(traits), ...writes(traits), rank: rank(traits), withBefore: withBefore(traits) }
}

const KEY = [...GROUP, 'level', ...POSITION] as const

function neighbours(traits: SqlTraits): Pick<BlockQueries, 'at' | 'next' | 'previous' | 'between'> {
  const near = (operator: '<=' | '>' | '<', direction: 'asc' | 'desc') =>
    statement(traits, (bind: Bind<AtLevel>) =>
      traits.kysely
        .selectFrom('leaderboard_blocks')
        .select([...POSITION, 'count'])
        .where((eb) => eb.and(bindAll(bind, [...GROUP, 'level'])))
        .where((eb) =>
          eb(eb.refTuple(...POSITION), operator, eb.tuple(bind('minus_value'), bind('reached_at'), bind('user_id'))),
        )
        .orderBy('minus_value', direction)
        .orderBy('reached_at', direction)
        .orderBy('user_id', direction)
        .limit(sql.lit(1)),
    )
  return {
    at: near('<=', 'desc'),
    next: near('>', 'asc'),
    previous: near('<', 'desc'),
    between: statement(traits, (bind) =>
      range(traits, bind).orderBy('minus_value').orderBy('reached_at').orderBy('user_id'),
    ),
  }
}

function range({ kysely }: SqlTraits, bind: Bind<BlockRange>) {
  return kysely
    .selectFrom('leaderboard_blocks')
    .select([...POSITION, 'count'])
    .where((eb) => eb.and(bindAll(bind, [...GROUP, 'level'])))
    .where((eb) =>
      eb(eb.refTuple(...POSITION), '>=', eb.tuple(bind('minus_value'), bind('reached_at'), bind('user_id'))),
    )
    .where((eb) =>
      eb(eb.refTuple(...POSITION), '<', eb.tuple(bind('end_minus_value'), bind('end_reached_at'), bind('end_user_id'))),
    )
}

function writes(traits: SqlTraits): Pick<BlockQueries, 'insert' | 'add' | 'remove'> {
  const { kysely } = traits
  return {
    insert: statement(traits, (bind) =>
      kysely.insertInto('leaderboard_blocks').values(bindAll(bind, [...KEY, 'count'])),
    ),
    add: statement(traits, (bind) =>
      kysely
        .updateTable('leaderboard_blocks')
        .set((eb) => ({ count: eb('count', '+', bind('by')) }))
        .where((eb) => eb.and(bindAll(bind, KEY))),
    ),
    remove: statement(traits, (bind) =>
      kysely.deleteFrom('leaderboard_blocks').where((eb) => eb.and(bindAll(bind, KEY))),
    ),
  }
}

function withBefore(traits: SqlTraits): BlockQueries['withBefore'] {
  const { kysely } = traits
  return statement(traits, (bind) => {
    const sums = kysely
      .selectFrom(range(traits, bind).as('b'))
      .select(POSITION)
      .select(sql<number>`sum(count) over (order by minus_value, reached_at, user_id) - count`.as('before'))
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

/** Adds up what comes before the position: whole blocks of level 2, then whole blocks of level 1, then entries. */
function rank(traits: SqlTraits): BlockQueries['rank'] {
  const { kysely } = traits
  // The plus takes the type affinity from a column. With it SQLite would use only `minus_value` of the index.
  const start = (alias: 'o' | 'i') =>
    sql`(+${sql.ref(`${alias}.minus_value`)}, +${sql.ref(`${alias}.reached_at`)}, +${sql.ref(`${alias}.user_id`)})`
  return statement(traits, (bind: Bind<LeaderboardColumns & PositionColumns>) => {
    const position = sql`(${bind('minus_value')}, ${bind('reached_at')}, ${bind('user_id')})`
    const row = sql`(minus_value, reached_at, user_id)`
    const containing = (level: LevelNumber) =>
      kysely
        .selectFrom('leaderboard_blocks')
        .select(POSITION)
        .where((eb) => eb.and(bindAll(bind, GROUP)))
        .where('level', '=', sql.lit(level))
        .where(sql<boolean>`${row} <= ${position}`)
        .orderBy('minus_value', 'desc')
        .orderBy('reached_at', 'desc')
        .orderBy('user_id', 'desc')
        .limit(sql.lit(1))
    const sum = (level: LevelNumber) =>
      kysely
        .selectFrom('leaderboard_blocks')
        .select(sql<number>`coalesce(sum(count), 0)`.as('count'))
        .where((eb) => eb.and(bindAll(bind, GROUP)))
        .where('level', '=', sql.lit(level))
    const entries = kysely
      .selectFrom('leaderboard_entries')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where((eb) => eb.and(bindAll(bind, GROUP)))
      .where('until', 'is', null)
      .where(sql<boolean>`${row} >= ${start('i')} and ${row} < ${position}`)
    const outer = sum(2).where(sql<boolean>`${row} < ${start('o')}`)
    const inner = sum(1).where(sql<boolean>`${row} >= ${start('o')} and ${row} < ${start('i')}`)
    return kysely
      .selectFrom([containing(2).as('o'), containing(1).as('i')])
      .select(sql<number>`(${outer}) + (${inner}) + (${entries})`.as('count'))
  })
}
