import { type Compilable, type Kysely, sql } from 'kysely'
import { KIND_IS_SOUND, KINDS_MIGRATION } from '../sql/api-key-kinds.ts'
import type { Migration } from '../sql/migrations.ts'
import type { SqlTraits } from '../sql/traits.ts'
import { blockFunctions } from './block-functions.ts'
import { fenceFunction, loadFunction, periodsFunction, registerFunction } from './functions.ts'
import { readingFunctions } from './leaderboard-functions.ts'
import { quote } from './quote.ts'
import { saveFunction } from './save-function.ts'
import { SLOTS } from './slots.ts'

const READS: readonly string[] = [
  'load_v1(jsonb)',
  'periods_v1(text, text, bigint)',
  'standings_v2(jsonb)',
  'page_v2(text, text, text, text, bigint, bigint, bigint, bigint, text)',
  'tidy_blocks_v2(text, text, text, text, jsonb)',
]

/** What only Postgres needs: counters in slots, the processes that write, and the functions they call. */
export function postgresMigrations(schema: string): readonly Migration[] {
  return [
    {
      name: '0003-postgres',
      build: (traits) => [
        ...counterSlots(traits),
        ...logByIdempotency(traits, schema),
        processes(traits),
        ...create(traits, [loadFunction(schema)]),
      ],
    },
    {
      name: '0005-postgres-leaderboards',
      build: (traits) => [
        ...pendingPlaces(traits),
        ...create(traits, [...readingFunctions(schema), ...blockFunctions(schema)]),
      ],
    },
    // Its save function has been replaced.
    { name: '0008-postgres-voids', build: () => [] },
    {
      name: '0009-postgres-reads',
      build: (traits) => create(traits, [periodsFunction(schema), ...planSmall(schema, READS)]),
    },
    {
      name: '0011-postgres-processes',
      build: (traits) => [
        traits.kysely.schema.alterTable('processes').addColumn('used_at', traits.columns.instant),
        ...create(traits, [registerFunction(schema), fenceFunction(schema), saveFunction(schema)]),
        ...create(traits, planSmall(schema, ['save_v4(text)'])),
      ],
    },
    { name: KINDS_MIGRATION, build: (traits) => create(traits, apiKeyKinds(schema)) },
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

/** What calls in hosts' transactions did to groups that are counted in blocks, until a later save adds it up. */
function pendingPlaces({ kysely, columns }: SqlTraits): readonly Compilable[] {
  return [
    kysely.schema
      .createTable('leaderboard_pending')
      .addColumn('id', 'bigint', (column) => column.generatedAlwaysAsIdentity().primaryKey())
      .addColumn('tenant_id', columns.text, (column) => column.notNull())
      .addColumn('leaderboard', columns.text, (column) => column.notNull())
      .addColumn('run', columns.text, (column) => column.notNull())
      .addColumn('group_key', columns.text, (column) => column.notNull())
      .addColumn('minus_value', columns.double, (column) => column.notNull())
      .addColumn('reached_at', columns.instant, (column) => column.notNull())
      .addColumn('user_id', columns.text, (column) => column.notNull())
      .addColumn('delta', columns.integer, (column) => column.notNull()),
    kysely.schema
      .createIndex('laurels_leaderboard_pending')
      .on('leaderboard_pending')
      .columns(['tenant_id', 'leaderboard', 'run', 'group_key']),
  ]
}

/**
 * What the functions ask for is found by an index, and few rows of it, whatever they are given: one plan does for all
 * calls. Where a table has millions the planner expects more of a range of places: then it may plan each call anew,
 * compile its plans, or start workers, which takes longer than all the rest.
 */
function planSmall(schema: string, functions: readonly string[]): readonly string[] {
  return functions.flatMap((name) =>
    ['plan_cache_mode = force_generic_plan', 'jit = off', 'max_parallel_workers_per_gather = 0'].map(
      (setting) => `alter function ${quote(schema)}.${name} set ${setting}`,
    ),
  )
}

/** Rows that contradict themselves are of no key, and go. */
function apiKeyKinds(schema: string): readonly string[] {
  const table = `${quote(schema)}.api_keys`
  return [
    `delete from ${table} where not (${KIND_IS_SOUND})`,
    `alter table ${table} add constraint laurels_api_keys_kind check (${KIND_IS_SOUND})`,
  ]
}

function create({ kysely }: SqlTraits, texts: readonly string[]): readonly Compilable[] {
  return texts.map((text) => raw(kysely, text))
}

function raw(kysely: Kysely<never> | SqlTraits['kysely'], text: string): Compilable {
  return { compile: () => sql.raw(text).compile(kysely as Kysely<never>) }
}
