import { type Compilable, type Kysely, sql } from 'kysely'
import type { Migration } from '../sql/migrations.ts'
import type { SqlTraits } from '../sql/traits.ts'
import { fenceFunction, loadFunction, saveFunction } from './functions.ts'
import { quote } from './quote.ts'
import { SLOTS } from './slots.ts'

/** What only Postgres needs: counters in slots, the processes that write, and the functions they call. */
export function postgresMigrations(schema: string): readonly Migration[] {
  return [
    {
      name: '0003-postgres',
      build: (traits) => [
        ...counterSlots(traits),
        ...logByIdempotency(traits, schema),
        processes(traits),
        ...functions(traits, schema),
      ],
    },
  ]
}

/** So that processes that count the same at once do not wait for one another. */
function counterSlots({ kysely }: SqlTraits): readonly Compilable[] {
  return [
    kysely.schema.alterTable('counters').addColumn('slot', 'bigint', (column) => column.notNull().defaultTo(0)),
    kysely.schema.alterTable('counters').dropConstraint('laurels_counters_key'),
    kysely.schema
      .alterTable('counters')
      .addPrimaryKeyConstraint('laurels_counters_key', ['tenant_id', 'kind', 'key', 'slot']),
    kysely.schema
      .createIndex('laurels_counters_pending')
      .on('counters')
      .columns(['tenant_id', 'kind', 'key', 'slot'])
      .where(sql.ref('slot'), '>=', SLOTS),
  ]
}

/**
 * In place of the index that all databases share, with expressions that no other index has: until the tables have been
 * analysed Postgres would take the log's own order for as good, and go through all events of a busy user.
 */
function logByIdempotency({ kysely }: SqlTraits, schema: string): readonly Compilable[] {
  const name = 'laurels_log_by_idempotency'
  return [
    raw(kysely, `drop index ${quote(schema)}.${name}`),
    raw(
      kysely,
      `create unique index ${name} on ${quote(schema)}.log (idempotency_key, metric, (user_id || ''), (tenant_id || ''))
        where idempotency_key is not null`,
    ),
  ]
}

/** One row for each process that writes: the number of its last batch, and how that batch ended. */
function processes({ kysely, columns }: SqlTraits): Compilable {
  return kysely.schema
    .createTable('processes')
    .addColumn('id', columns.text, (column) => column.notNull().primaryKey())
    .addColumn('batch', 'bigint', (column) => column.notNull())
    .addColumn('outcome', columns.text, (column) => column.notNull())
}

function functions({ kysely }: SqlTraits, schema: string): readonly Compilable[] {
  return [loadFunction(schema), saveFunction(schema), fenceFunction(schema)].map((text) => raw(kysely, text))
}

function raw(kysely: Kysely<never> | SqlTraits['kysely'], text: string): Compilable {
  return { compile: () => sql.raw(text).compile(kysely as Kysely<never>) }
}
