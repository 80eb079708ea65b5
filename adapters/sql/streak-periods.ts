import type { StreakPeriod } from '../../src/storage-rows.ts'
import { bindAll, excluded, type Statement, statement } from './statement.ts'
import type { StreakPeriodsTable, UserColumns } from './tables.ts'
import { toDay } from './text.ts'
import type { SqlTraits } from './traits.ts'

export interface StreakPeriodQueries {
  readonly put: Statement<StreakPeriodsTable, unknown>
  readonly remove: Statement<UserColumns & Pick<StreakPeriodsTable, 'start_date'>, unknown>
  /** Newest first. */
  readonly ofUser: Statement<UserColumns & { readonly limit: number }, Omit<StreakPeriodsTable, keyof UserColumns>>
}

export function streakPeriodQueries(traits: SqlTraits): StreakPeriodQueries {
  const { kysely } = traits
  return {
    put: statement(traits, (bind) =>
      kysely
        .insertInto('streak_periods')
        .values(bindAll(bind, ['tenant_id', 'user_id', 'start_date', 'length', 'kind']))
        .onConflict((on) =>
          on.columns(['tenant_id', 'user_id', 'start_date']).doUpdateSet(excluded(['length', 'kind'])),
        ),
    ),
    remove: statement(traits, (bind) =>
      kysely
        .deleteFrom('streak_periods')
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .where('start_date', '=', bind('start_date')),
    ),
    ofUser: statement(traits, (bind) =>
      kysely
        .selectFrom('streak_periods')
        .select(['start_date', 'length', 'kind'])
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .orderBy('start_date', 'desc')
        .limit(bind('limit')),
    ),
  }
}

export function toPeriod({ start_date, length, kind }: Omit<StreakPeriodsTable, keyof UserColumns>): StreakPeriod {
  return { start: toDay(start_date), length, kind }
}
