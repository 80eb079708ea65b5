import { sql } from 'kysely'
import type { PointsTotal } from '../../src/storage/storage.ts'
import { rawStatement, type SqlTraits, type Statement, tableOf } from './database.ts'
import { toMap } from './stored-text.ts'

export interface PointsPage {
  readonly tenant_id: string
  readonly system: string
  /** Id of a user; empty for the first page. */
  readonly after: string
  readonly limit: number
}

export interface PointsTotalQueries {
  /** The users after the given one, in order. `total` is null without any points. */
  readonly ofTenant: Statement<PointsPage, TotalRow>
}

interface TotalRow {
  readonly user_id: string
  readonly attributes: string
  readonly total: number | null
}

export function pointsTotalQueries(traits: SqlTraits): PointsTotalQueries {
  return {
    ofTenant: rawStatement(
      traits,
      (bind) => sql`select u.user_id, u.attributes, p.total from ${tableOf('users')} u
        left join ${tableOf('points')} p
          on p.tenant_id = u.tenant_id and p.user_id = u.user_id and p.system = ${bind('system')}
        where u.tenant_id = ${bind('tenant_id')} and u.user_id > ${bind('after')} and u.merged_into is null
        order by u.user_id limit ${bind('limit')}`,
    ),
  }
}

export function toPointsTotal({ user_id, attributes, total }: TotalRow): PointsTotal {
  return { user: user_id, total: total ?? 0, attributes: toMap<string, string>(JSON.parse(attributes)) }
}
