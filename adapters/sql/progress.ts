import { sql } from 'kysely'
import type { Completion, PointsBalance, RunningTotal } from '../../src/rules/state.ts'
import type { StreakPeriod } from '../../src/storage/rows.ts'
import { rawStatement, type SqlTraits, type Statement, same, tableOf } from './database.ts'
import { toDay } from './stored-text.ts'
import type { NamedStreakPeriodsTable, StreakPeriodsTable, UserColumns } from './tables.ts'
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
  return {
    load: rawStatement(traits, (bind) => {
      const ofUser = same<UserColumns>(bind, ['tenant_id', 'user_id'])
      return sql`select 'total' as kind, metric as key, total as amount, highest, null as note
          from ${tableOf('totals')} where ${ofUser}
        union all select 'tally', rule_id, total, highest, null from ${tableOf('tallies')} where ${ofUser}
        union all select 'completion', achievement, at, count, entry_id from ${tableOf('completions')} where ${ofUser}
        union all select 'points', system, total, 0, level from ${tableOf('points')} where ${ofUser}`
    }),
  }
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
  const named = sql`select streak, start_date, length, kind from ${tableOf('named_streak_periods')}`
  return {
    ofUser: rawStatement(
      traits,
      (bind) => sql`select start_date, length, kind from ${tableOf('streak_periods')}
        where ${same(bind, ['tenant_id', 'user_id'])} order by start_date desc limit ${bind('limit')}`,
    ),
    ofStreak: rawStatement(
      traits,
      (bind) => sql`${named} where ${same(bind, ['tenant_id', 'user_id', 'streak'])}
        order by start_date desc limit ${bind('limit')}`,
    ),
    ofStreaks: rawStatement(traits, (bind) => sql`${named} where ${same(bind, ['tenant_id', 'user_id'])}`),
  }
}

export function toPeriod({ start_date, length, kind }: Omit<StreakPeriodsTable, keyof UserColumns>): StreakPeriod {
  return { start: toDay(start_date), length, kind }
}

export function toNamedPeriod({ streak, ...row }: NamedPeriodRow): StreakPeriod {
  return { ...toPeriod(row), streak }
}

export interface OwnerRow {
  readonly id: string
  readonly user: string
}

type OwnersRead = { readonly tenant_id: string; readonly ids: string }

/** The users who have pauses, or boosts, by the ids in a JSON list. */
export interface OwnerQueries {
  readonly ofPauses: Statement<OwnersRead, OwnerRow>
  readonly ofBoosts: Statement<OwnersRead, OwnerRow>
  /** A page of the boosts of a points system, in order of id. */
  readonly boosts: Statement<BoostPage, OwnerRow>
}

export interface BoostPage {
  readonly tenant_id: string
  readonly system: string
  readonly skip: number
  readonly limit: number
}

export function ownerQueries(traits: SqlTraits): OwnerQueries {
  const boosts = sql`select boost_id as id, user_id as "user" from ${tableOf('given_boosts')}`
  return {
    ofPauses: rawStatement(
      traits,
      (bind) => sql`select pause_id as id, user_id as "user" from ${tableOf('streak_pauses')}
        where tenant_id = ${bind('tenant_id')} and pause_id in ${traits.jsonList(bind('ids'))}`,
    ),
    ofBoosts: rawStatement(
      traits,
      (bind) => sql`${boosts} where tenant_id = ${bind('tenant_id')} and boost_id in ${traits.jsonList(bind('ids'))}`,
    ),
    boosts: rawStatement(
      traits,
      (bind) => sql`${boosts} where ${same(bind, ['tenant_id', 'system'])}
        order by boost_id limit ${bind('limit')} offset ${bind('skip')}`,
    ),
  }
}
