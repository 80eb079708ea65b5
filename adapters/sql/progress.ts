import { bindAll, excluded, type Statement, statement } from './statement.ts'
import type { CompletionsTable, PointsTable, TalliesTable, TotalsTable, UserColumns } from './tables.ts'
import type { SqlTraits } from './traits.ts'

/** A table with one row for each user and key. */
export interface KeyedQueries<Table extends UserColumns, Key extends keyof Table> {
  /** In the order of the key. */
  readonly load: Statement<UserColumns, Omit<Table, keyof UserColumns>>
  readonly put: Statement<Table, unknown>
  readonly remove: Statement<Pick<Table, Key | keyof UserColumns>, unknown>
}

export interface ProgressQueries {
  readonly totals: KeyedQueries<TotalsTable, 'metric'>
  readonly tallies: KeyedQueries<TalliesTable, 'rule_id'>
  readonly completions: KeyedQueries<CompletionsTable, 'achievement'>
  readonly points: KeyedQueries<PointsTable, 'system'>
}

export function progressQueries(traits: SqlTraits): ProgressQueries {
  return {
    totals: totals(traits),
    tallies: tallies(traits),
    completions: completions(traits),
    points: points(traits),
  }
}

function totals(traits: SqlTraits): ProgressQueries['totals'] {
  const { kysely } = traits
  return {
    load: statement(traits, (bind) =>
      kysely
        .selectFrom('totals')
        .select(['metric', 'total', 'highest'])
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .orderBy('metric'),
    ),
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
    load: statement(traits, (bind) =>
      kysely
        .selectFrom('tallies')
        .select(['rule_id', 'total', 'highest'])
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .orderBy('rule_id'),
    ),
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
    load: statement(traits, (bind) =>
      kysely
        .selectFrom('completions')
        .select(['achievement', 'at', 'entry_id'])
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .orderBy('achievement'),
    ),
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
    load: statement(traits, (bind) =>
      kysely
        .selectFrom('points')
        .select(['system', 'total', 'level'])
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .orderBy('system'),
    ),
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
