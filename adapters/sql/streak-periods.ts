import type { StreakPeriod } from '../../src/storage-rows.ts'
import { type Statement, statement } from './statement.ts'
import type { StreakPeriodsTable, UserColumns } from './tables.ts'
import { toDay } from './text.ts'
import type { SqlTraits } from './traits.ts'

export interface StreakPeriodQueries {
  /** Newest first. */
  readonly ofUser: Statement<UserColumns & { readonly limit: number }, Omit<StreakPeriodsTable, keyof UserColumns>>
}

export function streakPeriodQueries(traits: SqlTraits): StreakPeriodQueries {
  const { kysely } = traits
  return {
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
