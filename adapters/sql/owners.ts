import { type RawBuilder, sql } from 'kysely'
import { namesOf, rawStatement, tableOf } from './audit-queries.ts'
import { DERIVED_TABLES } from './derived-tables.ts'
import type { LeaderboardColumns } from './leaderboard-rows.ts'
import type { Bind, Statement } from './statement.ts'
import type { UserColumns } from './tables.ts'
import type { SqlTraits } from './traits.ts'

export interface OwnerQueries {
  /** Users after the given one who have a row in any table, in order. */
  readonly owners: Statement<UserColumns & Limited, UserColumns>
  /** Groups after the given one that have blocks, in order. */
  readonly groups: Statement<LeaderboardColumns & Limited, LeaderboardColumns>
}

interface Limited {
  readonly limit: number
}

export function ownerQueries(traits: SqlTraits): OwnerQueries {
  const owner = ['tenant_id', 'user_id'] as const
  const group = ['tenant_id', 'leaderboard', 'run', 'group_key'] as const
  const tables = ['log', ...DERIVED_TABLES.map(({ name }) => name)]
  return {
    owners: rawStatement(traits, (bind: Bind<UserColumns & Limited>) => {
      const found = tables.map(
        (table) => sql`select * from (${distinct(bind, table, owner)}) as ${sql.id(`in_${table}`)}`,
      )
      // `union` leaves out what is there twice.
      return sql<UserColumns>`select * from (${sql.join(found, sql` union `)}) as o
        order by ${namesOf(owner)} limit ${bind('limit')}`
    }),
    groups: rawStatement(traits, (bind: Bind<LeaderboardColumns & Limited>) => {
      return sql<LeaderboardColumns>`${distinct(bind, 'leaderboard_blocks', group)} order by ${namesOf(group)}`
    }),
  }
}

/**
 * The first values that a table has in columns that its primary key begins with: each is looked for in the index after
 * the one before, however many rows have the same.
 */
function distinct<Params extends Limited>(
  bind: Bind<Params>,
  table: string,
  columns: readonly (keyof Params & string)[],
): RawBuilder<unknown> {
  const next = (after: RawBuilder<unknown>): RawBuilder<unknown> => {
    const firstAfter = (column: string) => sql`(select ${sql.ref(column)} from ${tableOf(table)}
      where (${namesOf(columns)}) > (${after}) order by ${namesOf(columns)} limit 1)`
    return sql.join(columns.map(firstAfter))
  }
  const [first] = columns
  const given = sql.join(columns.map((column) => bind(column)))
  // Without the sign SQLite would compare with their types, and use less of the index.
  const before = sql.join(columns.map((column) => sql`${sql.ref(`d.${column}`)} || ''`))
  return sql`with recursive d(${namesOf(columns)}, place) as (
      select ${next(given)}, 1
      union all
      select ${next(before)}, d.place + 1 from d where ${sql.ref(`d.${first}`)} is not null and d.place < ${bind('limit')}
    ) select ${namesOf(columns)} from d where ${sql.ref(`d.${first}`)} is not null`
}
