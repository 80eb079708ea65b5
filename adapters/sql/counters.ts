import { bindAll, type Statement, statement } from './statement.ts'
import type { CountersTable } from './tables.ts'
import type { SqlTraits } from './traits.ts'

export interface CounterQueries {
  readonly add: Statement<CountersTable, unknown>
  /** Deletes a counter that is 0 again, so that the rows are the same by whatever way they came to be. */
  readonly removeEmpty: Statement<Omit<CountersTable, 'count'>, unknown>
  readonly ofTenant: Statement<Pick<CountersTable, 'tenant_id'>, Omit<CountersTable, 'tenant_id'>>
}

export function counterQueries(traits: SqlTraits): CounterQueries {
  const { kysely } = traits
  return {
    add: statement(traits, (bind) =>
      kysely
        .insertInto('counters')
        .values(bindAll(bind, ['tenant_id', 'kind', 'key', 'count']))
        .onConflict((on) =>
          on
            .columns(['tenant_id', 'kind', 'key'])
            .doUpdateSet((eb) => ({ count: eb('counters.count', '+', eb.ref('excluded.count')) })),
        ),
    ),
    removeEmpty: statement(traits, (bind) =>
      kysely
        .deleteFrom('counters')
        .where('tenant_id', '=', bind('tenant_id'))
        .where('kind', '=', bind('kind'))
        .where('key', '=', bind('key'))
        .where('count', '=', 0),
    ),
    ofTenant: statement(traits, (bind) =>
      kysely
        .selectFrom('counters')
        .select((eb) => ['kind', 'key', eb.fn.sum<number>('count').as('count')])
        .where('tenant_id', '=', bind('tenant_id'))
        .groupBy(['kind', 'key'])
        // A database may keep one counter in several rows.
        .having((eb) => eb(eb.fn.sum('count'), '<>', 0))
        .orderBy('kind')
        .orderBy('key'),
    ),
  }
}
