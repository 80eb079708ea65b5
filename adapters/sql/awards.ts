import { bindAll, type Statement, statement } from './statement.ts'
import type { AwardsTable, UserColumns } from './tables.ts'
import type { SqlTraits } from './traits.ts'

export type AwardRow = Omit<AwardsTable, keyof UserColumns>

type Newest = UserColumns & { readonly limit: number }

export interface AwardQueries {
  readonly insert: Statement<AwardsTable, unknown>
  readonly remove: Statement<UserColumns & Pick<AwardsTable, 'system' | 'at' | 'seq' | 'ordinal'>, unknown>
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
    insert: statement(traits, (bind) =>
      kysely.insertInto('awards').values(bindAll(bind, ['tenant_id', 'user_id', ...COLUMNS])),
    ),
    remove: statement(traits, (bind) =>
      kysely
        .deleteFrom('awards')
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .where('system', '=', bind('system'))
        .where('at', '=', bind('at'))
        .where('seq', '=', bind('seq'))
        .where('ordinal', '=', bind('ordinal')),
    ),
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
