import type { Migration } from '../../src/sql/database.ts'
import { COUNTED_VALUE, KIND_NUMBERS } from '../../src/sql/entry-rows.ts'
import { columnNames, createTable, TABLES, type TableDeclaration } from '../../src/sql/tables.ts'
import { sharedViews } from '../../src/sql/views.ts'

/** SQLite has no schemas: "laurels"."users" becomes "laurels_users". The text holds quoted names, and never a value. */
export function inOneSchema(text: string): string {
  return text.replaceAll('"laurels"."', '"laurels_')
}

export const SQLITE_MIGRATIONS_TABLE =
  'create table if not exists "laurels_migrations" ("name" text not null primary key, "compatible_from" integer not null) strict, without rowid'

const TYPES: { readonly [kind: string]: string } = {
  bytes: 'blob',
  small: 'integer',
  double: 'real',
  boolean: 'integer',
}

const { migrations: _, ...OTHERS } = TABLES
const DECLARED: { readonly [name: string]: TableDeclaration } = {
  ...OTHERS,
  log: {
    ...TABLES.log,
    indexes: {
      ...TABLES.log.indexes,
      laurels_log_by_idempotency: `unique (tenant_id, user_id, metric, idempotency_key)
  where idempotency_key is not null`,
      laurels_log_by_value: `(tenant_id, user_id, metric, new_value) where new_value > ''`,
      laurels_log_by_time: `(tenant_id, at, value, voided_by) where value is not null and voided_by is null`,
    },
  },
}

const TABLE_TEXTS: readonly string[] = Object.entries(DECLARED).flatMap(([name, table]) => {
  // Messages have five indexes, which would each hold the long primary key instead of a rowid.
  const options = name === 'messages' ? ' strict' : ' strict, without rowid'
  return createTable(name, table, (kind) => TYPES[kind] ?? kind, options).map(inOneSchema)
})

// An id as bytes: the sixteen of a UUID, and of any other id seventeen zero bytes and its text.
const toText = (id: string): string =>
  `case when length(${id}) = 16 then lower(substr(hex(${id}), 1, 8) || '-' || substr(hex(${id}), 9, 4) || '-' || substr(hex(${id}), 13, 4) || '-' || substr(hex(${id}), 17, 4) || '-' || substr(hex(${id}), 21)) else cast(substr(${id}, 18) as text) end`
const DIGIT = '[0-9a-f]'
const UUID = [8, 4, 4, 4, 12].map((digits) => DIGIT.repeat(digits)).join('-')
const toBytes = (id: string): string =>
  `case when ${id} glob '${UUID}' then unhex(replace(${id}, '-', '')) else unhex('0000000000000000000000000000000000' || hex(${id})) end`

const toDate = (days: string): string => `date(${days} * 86400, 'unixepoch')`

/** A sum of doubles, rounded to as many decimal places as the values have, and to 15 digits, as the totals are. */
const toTotal = (sum: string, places: string): string => `cast(printf('%.15g', round(${sum}, ${places})) as real) + 0.0`

const VIEWS: readonly string[] = [
  `create view laurels_view_log as
select tenant_id, user_id, at, seq, ${toText('entry_id')} as entry_id,
  json_extract('${JSON.stringify(Object.keys(KIND_NUMBERS))}', '$[' || kind || ']') as kind, epoch, coalesce(recorded_at, at) as recorded_at, zone,
  ${toDate('local_date')} as local_date,
  printf('%02d:%02d:%02d.%03d', local_time / 3600000, local_time / 60000 % 60, local_time / 1000 % 60, local_time % 1000)
    as local_time,
  profile, metric, value, idempotency_key, data,
  case when voided_by is not null then ${toText('voided_by')} end as voided_by, by_key
from laurels_log`,
  // `newest` begins with the place of the event in the log, as 27 digits.
  `create view laurels_view_metric_totals as
with aggregations as (
  select key as metric_key, json_extract(value, '$.aggregation') as aggregation, max(epoch)
  from laurels_games, json_each(definition, '$.metrics') group by key
)
select tenant_id, user_id, metric_key, ${toDate('date')} as date,
  case when adds_up then change else ${toTotal('total - lag(total, 1, 0) over days', 'most_places')} end as change, total
from (
  select tenant_id, user_id, metric_key, date, adds_up, change, max(places) over days as most_places,
    case aggregation when 'max' then max(highest) over days when 'min' then min(lowest) over days
      when 'last' then cast(substr(max(newest) over days, 28) as real)
      else ${toTotal('sum(change) over days', 'max(places) over days')} end as total
  from (
    select tenant_id, user_id, counted.metric_key, date, aggregation,
      coalesce(aggregation, 'distinct') = 'distinct' as adds_up,
      ${toTotal('sum(value)', 'max(places)')} as change, max(value) as highest, min(value) as lowest,
      max(place || value) as newest, max(places) as places
    from (
      select tenant_id, user_id, metric_key, date, value, place,
        max(0, length(rtrim(substr(digits, instr(digits, '.') + 1, 14), '0'))
          - cast(substr(digits, instr(digits, 'e') + 1) as integer)) as places
      from (
        select tenant_id, user_id, metric as metric_key, local_date as date, ${COUNTED_VALUE} as value,
          printf('%017d%010d', at + 1000000000000000, seq) as place, printf('%.14e', value) as digits
        from laurels_log where kind = ${KIND_NUMBERS.eventRecorded} and voided_by is null
      )
    ) counted left join aggregations on aggregations.metric_key = counted.metric_key
    group by tenant_id, user_id, counted.metric_key, date
  )
  window days as (partition by tenant_id, user_id, metric_key order by date rows unbounded preceding)
)
window days as (partition by tenant_id, user_id, metric_key order by date)`,
  ...sharedViews({
    toDate,
    toInstant: (at) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${at} / 1000.0, 'unixepoch')`,
    toInteger: (value) => value,
    toIdText: toText,
    toIdBytes: toBytes,
    frequency: `json_extract(definition, '$.streak.frequency')`,
    weekEnd: `date(start_date, '+6 days')`,
    monthEnd: `date(start_date, 'start of month', '+1 month', '-1 day')`,
    count: `json_extract(data, '$.count')`,
    nameAt: (index) => `json_extract(names, '$[${index}]')`,
    daysBetween: (first, last) => `cast(julianday(${last}) - julianday(${first}) as integer)`,
  }).map(inOneSchema),
]

/** In order. A change after the first release is a new migration at the end. */
export const SQLITE_MIGRATIONS: readonly Migration[] = [
  { name: '0001-schema', compatibleFrom: 1, texts: [...TABLE_TEXTS, ...VIEWS] },
]

/** The names of the tables, their columns (`table.column`) and views that the migrations create. */
export function createdNames(): readonly string[] {
  const texts = SQLITE_MIGRATIONS.flatMap((migration) => migration.texts)
  const names = texts.flatMap((text) => /^create (?:table|view) "?(\w+)/.exec(text)?.[1] ?? [])
  return [...names, ...columnNames(DECLARED).map((name) => `laurels_${name}`)]
}
