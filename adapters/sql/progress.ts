import { type AliasedRawBuilder, sql } from 'kysely'
import { type Statement, statement } from './statement.ts'
import type { UserColumns } from './tables.ts'
import type { SqlTraits } from './traits.ts'

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
