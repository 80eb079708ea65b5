import type { Migration } from '../../src/sql/database.ts'
import { COUNTED_VALUE, KIND_NUMBERS } from '../../src/sql/entry-rows.ts'
import { columnNames, createTable, TABLES, type TableDeclaration } from '../../src/sql/tables.ts'
import { sharedViews } from '../../src/sql/views.ts'
import { SLOTS } from './counter-slots.ts'
import { createFunctions } from './functions/index.ts'
import { savedTypes } from './save-rows.ts'
import { inSchema, toColumnType } from './sql-text.ts'

const MIGRATIONS_TABLE = `create table if not exists "laurels".migrations (
  name text collate "C" not null primary key,
  compatible_from bigint not null
)`

const GROUP_AND_POSITION = {
  tenant_id: 'text',
  leaderboard: 'text',
  run: 'text',
  group_key: 'text',
  minus_value: 'double',
  reached_at: 'integer',
  user_id: 'text',
} as const

const PENDING = { ...GROUP_AND_POSITION, delta: 'integer' } as const

const { migrations: _, ...OTHERS } = TABLES
const DECLARED: { readonly [name: string]: TableDeclaration } = {
  ...OTHERS,
  log: {
    ...TABLES.log,
    indexes: {
      ...TABLES.log.indexes,
      laurels_log_by_idempotency: `unique ((tenant_id || ''), (user_id || ''), metric, idempotency_key)
  where idempotency_key is not null`,
      laurels_log_by_value: `((tenant_id || ''), (user_id || ''), metric, new_value) where new_value > ''`,
      laurels_log_by_time: '(tenant_id, at, user_id) where value is not null and voided_by is null',
    },
  },
  counters: {
    ...TABLES.counters,
    indexes: { laurels_counters_pending: `(tenant_id, kind, key, slot) where slot >= ${SLOTS}` },
  },
  // The last batch of each process.
  processes: { columns: { id: 'text', batch: 'integer', outcome: 'text', used_at: 'integer' }, key: ['id'] },
}

/** Tables whose keys begin with the user can be partitioned: all rows of a user are then in one partition. */
function isOfUser({ key: [tenant, user] }: TableDeclaration): boolean {
  return tenant === 'tenant_id' && user === 'user_id'
}

function tableTexts(name: string, table: TableDeclaration, partitions: number): readonly string[] {
  if (partitions === 0 || !isOfUser(table)) return createTable(name, table, toSqlType)
  const [created = '', ...indexes] = createTable(name, table, toSqlType, ' partition by hash (tenant_id, user_id)')
  const numbers = Array.from({ length: partitions }, (_, number) => number)
  const parts = numbers.map((number) => {
    const rows = `for values with (modulus ${partitions}, remainder ${number})`
    return `create table "laurels"."${name}_${number}" partition of "laurels"."${name}" ${rows}`
  })
  // Postgres makes no unique index of a whole table without the user. One of each partition refuses the same rows,
  // because two rows that it must refuse are of one user.
  const inEach = (index: string): readonly string[] =>
    numbers.map((number) =>
      index.replace(/(?<=index )\w+/, `$&_${number}`).replace(`."${name}"`, `."${name}_${number}"`),
    )
  const made = indexes.flatMap((index) => (index.startsWith('create unique') ? inEach(index) : [index]))
  return [created, ...parts, ...made]
}

const PENDING_TEXTS: readonly string[] = [
  // Changes of blocks that transactions of hosts have left for a later save to count.
  `create table "laurels".leaderboard_pending (
  id uuid default gen_random_uuid() not null primary key,
${typed(PENDING, ' not null')}
)`,
  'create index laurels_leaderboard_pending on "laurels".leaderboard_pending (tenant_id, leaderboard, run, group_key)',
]

/** Texts are compared byte by byte. */
function toSqlType(kind: string): string {
  return kind === 'text' ? 'text collate "C"' : toColumnType(kind)
}

function typed(columns: { readonly [column: string]: string }, suffix = ''): string {
  return Object.entries(columns)
    .map(([column, kind]) => `  ${column} ${toSqlType(kind)}${suffix}`)
    .join(',\n')
}

const TYPES: readonly string[] = [
  `create type "laurels".leaderboard_move as (
${typed({ ...GROUP_AND_POSITION, delta: 'integer', unlimited: 'boolean' })}
)`,
]

const ID_FUNCTIONS: readonly string[] = [
  // An id as bytes: the sixteen of a UUID, and of any other id seventeen zero bytes and its text.
  `create function "laurels".id_bytes(id text) returns bytea language sql stable parallel safe as $laurels$
  select case when id ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
    then decode(replace(id, '-', ''), 'hex')
    else decode('0000000000000000000000000000000000', 'hex') || convert_to(id, 'UTF8') end
$laurels$`,
  `create function "laurels".id_text(id bytea) returns text language sql stable parallel safe as $laurels$
  select case when length(id) = 16 then encode(id, 'hex')::uuid::text else convert_from(substr(id, 18), 'UTF8') end
$laurels$`,
  'grant execute on function "laurels".id_bytes(text), "laurels".id_text(bytea) to public',
]

/** As a numeric a double has 15 digits, as the totals have. */
const VIEWS: readonly string[] = [
  `create view "laurels".view_log as
select tenant_id, user_id, at, seq, "laurels".id_text(entry_id) collate "C" as entry_id,
  (array[${Object.keys(KIND_NUMBERS)
    .map((kind) => `'${kind}'`)
    .join(', ')}])[kind + 1] collate "C" as kind, epoch::bigint as epoch,
  coalesce(recorded_at, at) as recorded_at, zone, ${toDate('local_date')} as local_date,
  to_char(time '00:00' + interval '1 millisecond' * local_time, 'HH24:MI:SS.MS') collate "C" as local_time,
  profile, metric, value, idempotency_key, data, "laurels".id_text(voided_by) collate "C" as voided_by, by_key
from "laurels".log`,
  `create view "laurels".view_metric_totals as
with aggregations as (
  select distinct on (m.key) m.key collate "C" as metric_key, m.value ->> 'aggregation' as aggregation
  from "laurels".games, json_each(definition::json -> 'metrics') m order by m.key, epoch desc
)
select tenant_id, user_id, metric_key, ${toDate('date')} as date,
  (case when adds_up then change else total - lag(total, 1, 0::numeric) over days end)::double precision as change,
  total::double precision as total
from (
  select tenant_id, user_id, metric_key, date, adds_up, change,
    (case aggregation when 'max' then max(highest) over days when 'min' then min(lowest) over days
      when 'last' then (max(newest) over days)[3] else sum(change) over days end)::double precision::numeric as total
  from (
    select tenant_id, user_id, counted.metric_key, date, aggregation,
      coalesce(aggregation, 'distinct') = 'distinct' as adds_up,
      sum(value)::double precision::numeric as change, max(value) as highest, min(value) as lowest,
      max(array[at, seq, value]) as newest
    from (
      select tenant_id, user_id, metric as metric_key, local_date as date, at::numeric as at, seq::numeric as seq,
        value::numeric as value
      from (
        select tenant_id, user_id, metric, local_date, at, seq, ${COUNTED_VALUE} as value
        from "laurels".log where kind = ${KIND_NUMBERS.eventRecorded} and voided_by is null
      ) events
    ) counted left join aggregations on aggregations.metric_key = counted.metric_key
    group by tenant_id, user_id, counted.metric_key, date, aggregation
  ) by_day
  window days as (partition by tenant_id, user_id, metric_key order by date rows unbounded preceding)
) totals
window days as (partition by tenant_id, user_id, metric_key order by date)`,
  ...sharedViews({
    toDate,
    toInstant: (at) => `to_char(to_timestamp(${at} / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    toInteger: (value) => `(${value})::integer`,
    toIdText: (id) => `"laurels".id_text(${id}) collate "C"`,
    toIdBytes: (id) => `"laurels".id_bytes(${id})`,
    frequency: `definition::json #>> '{streak,frequency}'`,
    weekEnd: `to_char(start_date::date + 6, 'YYYY-MM-DD') collate "C"`,
    monthEnd: `to_char(date_trunc('month', start_date::timestamp) + interval '1 month -1 day', 'YYYY-MM-DD') collate "C"`,
    count: `data::json ->> 'count'`,
    nameAt: (index) => `names::json ->> ${index}`,
    daysBetween: (first, last) => `${last}::date - ${first}::date`,
  }),
]

function toDate(days: string): string {
  return `to_char(date '1970-01-01' + ${days}, 'YYYY-MM-DD') collate "C"`
}

export function migrationsTable(schema: string): string {
  return inSchema(MIGRATIONS_TABLE, schema)
}

function schemaTexts(schema: string, partitions: number): readonly string[] {
  const tables = Object.entries(DECLARED).flatMap(([name, table]) => tableTexts(name, table, partitions))
  const all = [...tables, ...PENDING_TEXTS, ...TYPES, ...ID_FUNCTIONS, ...VIEWS]
  const texts = all.map((text) => inSchema(text, schema))
  return [...texts, ...savedTypes(schema), ...createFunctions(schema, partitions)]
}

/**
 * In order, each with its texts for a schema whose tables of users have this many partitions, or 0 for none. A change after the first release is a new
 * migration at the end.
 */
export const POSTGRES_MIGRATIONS: readonly (Omit<Migration, 'texts'> & {
  toTexts(schema: string, partitions: number): readonly string[]
})[] = [{ name: '0001-schema', compatibleFrom: 1, toTexts: schemaTexts }]

/** The names of the tables, their columns (`table.column`), views and functions that the migrations create. */
export function createdNames(partitions: number): readonly string[] {
  const texts = POSTGRES_MIGRATIONS.flatMap(({ toTexts }) => toTexts('laurels', partitions))
  const names = texts.flatMap((text) => /^create (?:table|view|function) "laurels"\."?(\w+)/m.exec(text)?.[1] ?? [])
  return [...names, ...columnNames({ ...DECLARED, leaderboard_pending: { columns: PENDING } })]
}
