import { type AliasedRawBuilder, sql } from 'kysely'
import type { Completion, PointsBalance, RunningTotal } from '../../src/rules/state.ts'
import type { StreakPeriod } from '../../src/storage/rows.ts'
import { type SqlTraits, type Statement, statement } from './database.ts'
import { toDay } from './stored-text.ts'
import type { NamedStreakPeriodsTable, StreakPausesTable, StreakPeriodsTable, UserColumns } from './tables.ts'
import type { Progress } from './user-rows.ts'

/** A row of `totals`, `tallies`, `completions` or `points`, as `kind` says. */
export interface ProgressRow {
  readonly kind: 'total' | 'tally' | 'completion' | 'points'
  readonly key: string
  /** The total; of a completion its instant. */
  readonly amount: number
  /** The mark of a running total, how often an achievement was completed, else 0. */
  readonly highest: number
  /** The entry of a completion, the level of points, else null. */
  readonly note: string | null
}

export interface ProgressQueries {
  /** Reads all four tables with one statement, because every event loads its user. */
  readonly load: Statement<UserColumns, ProgressRow>
}

export function progressQueries(traits: SqlTraits): ProgressQueries {
  return { load: load(traits) }
}

function load(traits: SqlTraits): ProgressQueries['load'] {
  const { kysely } = traits
  const is = (kind: ProgressRow['kind']): AliasedRawBuilder<ProgressRow['kind'], 'kind'> => sql.lit(kind).as('kind')
  const nothing = sql<string | null>`null`.as('note')
  const zero = sql<number>`0`.as('highest')
  return statement(traits, (bind) => {
    const totals = kysely
      .selectFrom('totals')
      .select([is('total'), 'metric as key', 'total as amount', 'highest', nothing])
    const tallies = kysely
      .selectFrom('tallies')
      .select([is('tally'), 'rule_id as key', 'total as amount', 'highest', nothing])
    const completions = kysely
      .selectFrom('completions')
      .select([is('completion'), 'achievement as key', 'at as amount', 'count as highest', 'entry_id as note'])
    const points = kysely
      .selectFrom('points')
      .select([is('points'), 'system as key', 'total as amount', zero, 'level as note'])
    return totals
      .where('tenant_id', '=', bind('tenant_id'))
      .where('user_id', '=', bind('user_id'))
      .unionAll(tallies.where('tenant_id', '=', bind('tenant_id')).where('user_id', '=', bind('user_id')))
      .unionAll(completions.where('tenant_id', '=', bind('tenant_id')).where('user_id', '=', bind('user_id')))
      .unionAll(points.where('tenant_id', '=', bind('tenant_id')).where('user_id', '=', bind('user_id')))
  })
}

export function toProgress(rows: readonly ProgressRow[]): Progress {
  const totals = new Map<string, RunningTotal>()
  const tallies = new Map<string, RunningTotal>()
  const completions = new Map<string, Completion>()
  const points = new Map<string, PointsBalance>()
  for (const { kind, key, amount, highest, note } of rows) {
    if (kind === 'total') totals.set(key, { total: amount, highest })
    else if (kind === 'tally') tallies.set(key, { total: amount, highest })
    else if (kind === 'points') points.set(key, { total: amount, level: note })
    else completions.set(key, { at: amount, entryId: note ?? '', count: highest })
  }
  return { totals, tallies, completions, points }
}

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

export interface StreakPauseQueries {
  /** The owners of the pauses in a JSON list of ids. */
  readonly find: Statement<{ readonly tenant_id: string; readonly ids: string }, OwnerRow>
}

type OwnerRow = Pick<StreakPausesTable, 'pause_id' | 'user_id'>

export function streakPauseQueries(traits: SqlTraits): StreakPauseQueries {
  const { kysely } = traits
  return {
    find: statement(traits, (bind) =>
      kysely
        .selectFrom('streak_pauses')
        .select(['pause_id', 'user_id'])
        .where('tenant_id', '=', bind('tenant_id'))
        .where('pause_id', 'in', traits.jsonList(bind('ids'))),
    ),
  }
}

export function toPauseOwner({ pause_id, user_id }: OwnerRow): { readonly id: string; readonly user: string } {
  return { id: pause_id, user: user_id }
}
