import { type RawBuilder, sql } from 'kysely'
import { DERIVED_TABLES } from './derived-tables.ts'
import { GROUP, type LeaderboardColumns } from './leaderboard-rows.ts'
import { columnList, rawStatement, tableOf } from './row-queries.ts'
import type { Bind, Statement } from './statement.ts'
import type { UserColumns } from './tables.ts'
import type { SqlTraits } from './traits.ts'

interface Limited {
  readonly limit: number
}

type OwnersAsked = UserColumns & Limited
type GroupsAsked = LeaderboardColumns & Limited

export interface LogOwnerQueries {
  /** Users after the given one who have a row in any table, in order. */
  readonly owners: Statement<OwnersAsked, UserColumns>
  /** Groups after the given one that have blocks, in order. */
  readonly groups: Statement<GroupsAsked, LeaderboardColumns>
}

export function logOwnerQueries(traits: SqlTraits): LogOwnerQueries {
  const tables = ['log', ...DERIVED_TABLES.map(({ name }) => name)]
  return {
    owners: rawStatement(traits, (bind: Bind<OwnersAsked>) => {
      const found = tables.map((table) => sql`select * from (${ownersIn(bind, table)}) as ${sql.id(`in_${table}`)}`)
      // `union` leaves out users who are there twice.
      return sql<UserColumns>`select * from (${sql.join(found, sql` union `)}) as o
        order by tenant_id, user_id limit ${bind('limit')}`
    }),
    groups: rawStatement(traits, groupsWithBlocks),
  }
}

/**
 * Finds each user by a lookup in the index after the user before, however many rows that one has: the next user of the
 * same tenant or, when there is none, the first of the next tenant. `place` numbers the users, from 1.
 */
function ownersIn(bind: Bind<OwnersAsked>, name: string): RawBuilder<unknown> {
  const table = tableOf(name)
  const nextTenant = sql`(select min(tenant_id) from ${table} where tenant_id > d.tenant_id)`
  // The subquery gives the first row the collation of the column, which Postgres demands.
  const start = (column: keyof UserColumns) =>
    sql`coalesce(${bind(column)}, (select min(${sql.ref(column)}) from ${table}))`
  return sql`with recursive d(tenant_id, user_id, place) as (
      select ${start('tenant_id')}, ${start('user_id')}, 0
      union all
      select
        case when d.user_id is null then ${nextTenant} else d.tenant_id end,
        case when d.user_id is null then (select min(user_id) from ${table} where tenant_id = ${nextTenant})
          else (select min(user_id) from ${table} where tenant_id = d.tenant_id and user_id > d.user_id) end,
        d.place + case when d.user_id is null then 0 else 1 end
      from d where d.tenant_id is not null and d.place <= ${bind('limit')}
    ) select tenant_id, user_id from d where user_id is not null and place > 0`
}

/** Finds each group after the one before, by all columns at once: a group has few blocks, compared with its entries. */
function groupsWithBlocks(bind: Bind<GroupsAsked>): RawBuilder<LeaderboardColumns> {
  const table = tableOf('leaderboard_blocks')
  const next = (after: RawBuilder<unknown>): RawBuilder<unknown> => {
    const columns = GROUP.map((column) => {
      return sql`(select ${sql.ref(column)} from ${table}
        where (${columnList(GROUP)}) > (${after}) order by ${columnList(GROUP)} limit 1)`
    })
    return sql.join(columns)
  }
  const given = sql.join(GROUP.map((column) => bind(column)))
  // Appending the empty text takes the type affinity from a column. With it SQLite would use less of the index.
  const before = sql.join(GROUP.map((column) => sql`${sql.ref(`d.${column}`)} || ''`))
  return sql`with recursive d(${columnList(GROUP)}, place) as (
      select ${next(given)}, 1
      union all
      select ${next(before)}, d.place + 1 from d where d.tenant_id is not null and d.place < ${bind('limit')}
    ) select ${columnList(GROUP)} from d where d.tenant_id is not null order by ${columnList(GROUP)}`
}
