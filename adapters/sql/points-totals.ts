import type { PointsTotal } from '../../src/storage/storage.ts'
import { type SqlTraits, type Statement, statement } from './database.ts'
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
  const { kysely } = traits
  return {
    ofTenant: statement(traits, (bind) =>
      kysely
        .selectFrom('users')
        .leftJoin('points', (join) =>
          join
            .onRef('points.tenant_id', '=', 'users.tenant_id')
            .onRef('points.user_id', '=', 'users.user_id')
            .on('points.system', '=', bind('system')),
        )
        .select(['users.user_id', 'users.attributes', 'points.total'])
        .where('users.tenant_id', '=', bind('tenant_id'))
        .where('users.user_id', '>', bind('after'))
        .where('users.merged_into', 'is', null)
        .orderBy('users.user_id')
        .limit(bind('limit')),
    ),
  }
}

export function toPointsTotal({ user_id, attributes, total }: TotalRow): PointsTotal {
  return { user: user_id, total: total ?? 0, attributes: toMap<string, string>(JSON.parse(attributes)) }
}
