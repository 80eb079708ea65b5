import { type AliasedRawBuilder, sql } from 'kysely'
import { bindAll, excluded, type Statement, statement } from './statement.ts'
import type { CompletionsTable, PointsTable, TalliesTable, TotalsTable, UserColumns } from './tables.ts'
import type { SqlTraits } from './traits.ts'

/** A table with one row for each user and key. */
export interface KeyedQueries<Table extends UserColumns, Key extends keyof Table> {
  readonly put: Statement<Table, unknown>
  readonly remove: Statement<Pick<Table, Key | keyof UserColumns>, unknown>
}

/** A row of one of the four tables; what the columns mean depends on `kind`. */
export interface ProgressRow {
  readonly kind: 'total' | 'tally' | 'completion' | 'points'
  readonly key: string
  /** The total; of a completion its instant. */
  readonly amount: number
  /** The mark of a running total, else 0. */
  readonly highest: number
  /** The entry of a completion, the level of points, else null. */
  readonly note: string | null
}

export interface ProgressQueries {
  /** All four at once: a user is loaded with every event. */
  readonly load: Statement<UserColumns, ProgressRow>
  readonly totals: KeyedQueries<TotalsTable, 'metric'>
  readonly tallies: KeyedQueries<TalliesTable, 'rule_id'>
  readonly completions: KeyedQueries<CompletionsTable, 'achievement'>
  readonly points: KeyedQueries<PointsTable, 'system'>
}

export function progressQueries(traits: SqlTraits): ProgressQueries {
  return {
    load: load(traits),
    totals: totals(traits),
    tallies: tallies(traits),
    completions: completions(traits),
    points: points(traits),
  }
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
      .select([is('completion'), 'achievement as key', 'at as amount', zero, 'entry_id as note'])
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

function totals(traits: SqlTraits): ProgressQueries['totals'] {
  const { kysely } = traits
  return {
    put: statement(traits, (bind) =>
      kysely
        .insertInto('totals')
        .values(bindAll(bind, ['tenant_id', 'user_id', 'metric', 'total', 'highest']))
        .onConflict((on) => on.columns(['tenant_id', 'user_id', 'metric']).doUpdateSet(excluded(['total', 'highest']))),
    ),
    remove: statement(traits, (bind) =>
      kysely
        .deleteFrom('totals')
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .where('metric', '=', bind('metric')),
    ),
  }
}

function tallies(traits: SqlTraits): ProgressQueries['tallies'] {
  const { kysely } = traits
  return {
    put: statement(traits, (bind) =>
      kysely
        .insertInto('tallies')
        .values(bindAll(bind, ['tenant_id', 'user_id', 'rule_id', 'total', 'highest']))
        .onConflict((on) =>
          on.columns(['tenant_id', 'user_id', 'rule_id']).doUpdateSet(excluded(['total', 'highest'])),
        ),
    ),
    remove: statement(traits, (bind) =>
      kysely
        .deleteFrom('tallies')
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .where('rule_id', '=', bind('rule_id')),
    ),
  }
}

function completions(traits: SqlTraits): ProgressQueries['completions'] {
  const { kysely } = traits
  return {
    put: statement(traits, (bind) =>
      kysely
        .insertInto('completions')
        .values(bindAll(bind, ['tenant_id', 'user_id', 'achievement', 'at', 'entry_id']))
        .onConflict((on) =>
          on.columns(['tenant_id', 'user_id', 'achievement']).doUpdateSet(excluded(['at', 'entry_id'])),
        ),
    ),
    remove: statement(traits, (bind) =>
      kysely
        .deleteFrom('completions')
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .where('achievement', '=', bind('achievement')),
    ),
  }
}

function points(traits: SqlTraits): ProgressQueries['points'] {
  const { kysely } = traits
  return {
    put: statement(traits, (bind) =>
      kysely
        .insertInto('points')
        .values(bindAll(bind, ['tenant_id', 'user_id', 'system', 'total', 'level']))
        .onConflict((on) => on.columns(['tenant_id', 'user_id', 'system']).doUpdateSet(excluded(['total', 'level']))),
    ),
    remove: statement(traits, (bind) =>
      kysely
        .deleteFrom('points')
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .where('system', '=', bind('system')),
    ),
  }
}
