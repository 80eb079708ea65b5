import { type Statement, statement } from './statement.ts'
import type { AwardsTable, UserColumns } from './tables.ts'
import type { SqlTraits } from './traits.ts'

export type AwardRow = Omit<AwardsTable, keyof UserColumns>

type Newest = UserColumns & { readonly limit: number }

export interface AwardQueries {
  /** Newest first, as the next one. */
  readonly ofSystem: Statement<Newest & Pick<AwardsTable, 'system'>, AwardRow>
  readonly ofUser: Statement<Newest, AwardRow>
}

const COLUMNS = ['award_id', 'system', 'trigger_id', 'entry_id', 'at', 'seq', 'ordinal', 'awarded', 'total'] as const

export function awardQueries(traits: SqlTraits): AwardQueries {
  const { kysely } = traits
  const newest = kysely
    .selectFrom('awards')
    .select(COLUMNS)
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .orderBy('ordinal', 'desc')
  return {
    ofSystem: statement(traits, (bind) =>
      newest
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .where('system', '=', bind('system'))
        .limit(bind('limit')),
    ),
    ofUser: statement(traits, (bind) =>
      newest.where('tenant_id', '=', bind('tenant_id')).where('user_id', '=', bind('user_id')).limit(bind('limit')),
    ),
  }
}
