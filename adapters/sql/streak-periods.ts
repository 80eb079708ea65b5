import type { StreakPeriod } from '../../src/storage-rows.ts'
import { type Statement, statement } from './statement.ts'
import { toDay } from './stored-text.ts'
import type { NamedStreakPeriodsTable, StreakPeriodsTable, UserColumns } from './tables.ts'
import type { SqlTraits } from './traits.ts'

export interface StreakPeriodQueries {
  /** Newest first. */
  readonly ofUser: Statement<UserColumns & { readonly limit: number }, Omit<StreakPeriodsTable, keyof UserColumns>>
  readonly ofStreak: Statement<Named & { readonly limit: number }, NamedPeriodRow>
  /** The periods of all named streaks, in no order. */
  readonly ofStreaks: Statement<UserColumns, NamedPeriodRow>
}

type Named = UserColumns & Pick<NamedStreakPeriodsTable, 'streak'>
type NamedPeriodRow = Omit<NamedStreakPeriodsTable, keyof UserColumns>

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
    ofStreak: statement(traits, (bind) =>
      kysely
        .selectFrom('named_streak_periods')
        .select(['streak', 'start_date', 'length', 'kind'])
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .where('streak', '=', bind('streak'))
        .orderBy('start_date', 'desc')
        .limit(bind('limit')),
    ),
    ofStreaks: statement(traits, (bind) =>
      kysely
        .selectFrom('named_streak_periods')
        .select(['streak', 'start_date', 'length', 'kind'])
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id')),
    ),
  }
}

export function toPeriod({ start_date, length, kind }: Omit<StreakPeriodsTable, keyof UserColumns>): StreakPeriod {
  return { start: toDay(start_date), length, kind }
}

export function toNamedPeriod({ streak, ...row }: NamedPeriodRow): StreakPeriod {
  return { ...toPeriod(row), streak }
}
