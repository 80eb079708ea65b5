import { randomInt } from 'node:crypto'
import { KIND_NUMBERS } from '../sql/entry-rows.ts'
import { createTable, TABLES, type TableDeclaration } from '../sql/tables.ts'
import { createFunctions } from './functions/index.ts'
import { savedTypes } from './save-rows.ts'
import { inSchema, toColumnType } from './sql-text.ts'

/** How many slots processes use for one counter. Transactions that stay open use slots beyond, which a later save adds up. */
export const SLOTS = 16
const MOST_SLOTS = 2 ** 47

/** A slot of its own, so that no other process waits for a transaction that may stay open for long. */
export function randomSlot(): number {
  return randomInt(SLOTS, MOST_SLOTS)
}

const MIGRATIONS_TABLE = 'create table if not exists "laurels".migrations (name text collate "C" not null primary key)'

const GROUP_AND_POSITION = {
  tenant_id: 'text',
  leaderboard: 'text',
  run: 'text',
  group_key: 'text',
  minus_value: 'double',
  reached_at: 'integer',
  user_id: 'text',
} as const

const { migrations: _, ...OTHERS } = TABLES
const DECLARED: { readonly [name: string]: TableDeclaration } = {
  ...OTHERS,
  log: {
    ...TABLES.log,
    indexes: {
      ...TABLES.log.indexes,
      laurels_log_by_idempotency: `unique (idempotency_key, metric, (user_id || ''), (tenant_id || ''))
  where idempotency_key is not null`,
      laurels_log_by_value: `(new_value, metric, (user_id || ''), (tenant_id || '')) where new_value > ''`,
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

const TABLE_TEXTS: readonly string[] = [
  ...Object.entries(DECLARED).flatMap(([name, table]) => createTable(name, table, toSqlType)),
  // Changes of blocks that transactions of hosts have left for a later save to count.
  `create table "laurels".leaderboard_pending (
  id uuid default gen_random_uuid() not null primary key,
${typed({ ...GROUP_AND_POSITION, delta: 'integer' }, ' not null')}
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

const KINDS = `array[${Object.keys(KIND_NUMBERS)
  .map((kind) => `'${kind}'`)
  .join(', ')}]`
const date = (days: string): string => `to_char(date '1970-01-01' + ${days}, 'YYYY-MM-DD') collate "C"`

// As a numeric a double has 15 digits, as the totals have.
const VIEWS: readonly string[] = [
  `create view "laurels".view_log as
select tenant_id, user_id, at, seq, "laurels".id_text(entry_id) collate "C" as entry_id,
  (${KINDS})[kind + 1] collate "C" as kind, epoch::bigint as epoch, coalesce(recorded_at, at) as recorded_at, zone,
  ${date('local_date')} as local_date,
  to_char(time '00:00' + interval '1 millisecond' * local_time, 'HH24:MI:SS.MS') collate "C" as local_time,
  profile, metric, value, idempotency_key, data, "laurels".id_text(voided_by) collate "C" as voided_by, by_key
from "laurels".log`,
  `create view "laurels".view_awards as
select tenant_id, user_id, system, at, seq, ordinal, "laurels".id_text(award_id) collate "C" as award_id,
  "laurels".id_text(trigger_id) collate "C" as trigger_id, "laurels".id_text(entry_id) collate "C" as entry_id,
  awarded, total, boosts
from "laurels".awards`,
  `create view "laurels".view_metric_totals as
select tenant_id, user_id, metric_key, ${date('by_day.date')} as date, change::double precision as change,
  (sum(change) over (partition by tenant_id, user_id, metric_key order by by_day.date rows unbounded preceding)
    )::double precision::numeric::double precision as total
from (
  select tenant_id, user_id, metric as metric_key, local_date as date,
    sum(value::numeric)::double precision::numeric as change
  from "laurels".log where kind = ${KIND_NUMBERS.eventRecorded} and voided_by is null
  group by tenant_id, user_id, metric, local_date
) by_day`,
  `create view "laurels".view_points_totals as
select tenant_id, user_id, points_system_key, ${date('by_day.date')} as date, change,
  sum(change) over (partition by tenant_id, user_id, points_system_key order by by_day.date rows unbounded preceding) as total
from (
  select a.tenant_id, a.user_id, a.system as points_system_key, l.local_date as date, sum(a.awarded) as change
  from "laurels".awards a
    join "laurels".log l
      on l.tenant_id = a.tenant_id and l.user_id = a.user_id and l.at = a.at and l.seq = a.seq
  group by a.tenant_id, a.user_id, a.system, l.local_date
) by_day`,
  `create view "laurels".view_streak_periods as
select tenant_id, user_id, start_date as period_start,
  case (select definition::json #>> '{streak,frequency}' from "laurels".games order by epoch desc limit 1)
    when 'daily' then start_date
    when 'weekly' then to_char(start_date::date + 6, 'YYYY-MM-DD') collate "C"
    when 'monthly'
      then to_char(date_trunc('month', start_date::timestamp) + interval '1 month -1 day', 'YYYY-MM-DD') collate "C"
  end as period_end,
  length::integer as length, kind = 'frozen' as used_freeze, kind = 'paused' as used_pause
from "laurels".streak_periods`,
  `create view "laurels".view_streak_freezes as
select tenant_id, user_id, ${date('local_date')} as date, 'granted' as type,
  (data::json ->> 'count')::integer as count
from "laurels".log where kind = ${KIND_NUMBERS.freezesGranted}
union all
select tenant_id, user_id, start_date as date, 'consumed' as type, 1 as count
from "laurels".streak_periods where kind = 'frozen'`,
  `create view "laurels".view_leaderboard_rankings as
select tenant_id, user_id, coalesce(names::json ->> 0, leaderboard) as leaderboard_key,
  substr(run, 1, 10) as run, substr(run, 12) as version,
  nullif(coalesce(names::json ->> 1, group_key), '') as breakdown_attribute_values,
  (row_number() over (
    partition by tenant_id, leaderboard, run, group_key order by minus_value, reached_at, user_id
  ))::integer as rank,
  0 - minus_value as value,
  to_char(to_timestamp(reached_at / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as reached_at,
  to_char(to_timestamp(until / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as until
from "laurels".leaderboard_entries`,
  `create view "laurels".view_achievement_completions as
select c.tenant_id, c.user_id, c.achievement as achievement_key, ${date('l.local_date')} as date,
  to_char(to_timestamp(c.at / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as achieved_at
from "laurels".completions c
  left join "laurels".log l
    on l.tenant_id = c.tenant_id and l.entry_id = "laurels".id_bytes(c.entry_id)`,
  `create view "laurels".view_active_days as
select tenant_id, user_id, ${date('local_date')} as date, count(*)::integer as events
from "laurels".log where kind = ${KIND_NUMBERS.eventRecorded} and voided_by is null
group by tenant_id, user_id, local_date`,
  `create view "laurels".view_retention as
with firsts as (
  select tenant_id, user_id, ${date('min(local_date)')} as cohort from "laurels".log group by tenant_id, user_id
), sizes as (select tenant_id, cohort, count(*)::integer as cohort_users from firsts group by tenant_id, cohort)
select f.tenant_id, f.cohort, d.date::date - f.cohort::date as day, count(*)::integer as users, s.cohort_users
from firsts f
  join sizes s on s.tenant_id = f.tenant_id and s.cohort = f.cohort
  join "laurels".view_active_days d on d.tenant_id = f.tenant_id and d.user_id = f.user_id
group by f.tenant_id, f.cohort, d.date, s.cohort_users`,
]

/** Safe to run again. */
export function migrationsTable(schema: string): string {
  return inSchema(MIGRATIONS_TABLE, schema)
}

/** A migration whose texts name the schema. */
export interface PostgresMigration {
  readonly name: string
  readonly toTexts: (schema: string) => readonly string[]
}

function schemaTexts(schema: string): readonly string[] {
  const texts = [...TABLE_TEXTS, ...TYPES, ...ID_FUNCTIONS, ...VIEWS].map((text) => inSchema(text, schema))
  return [...texts, ...savedTypes(schema), ...createFunctions(schema)]
}

/** In order. A change after the first release is a new migration at the end. */
export const POSTGRES_MIGRATIONS: readonly PostgresMigration[] = [{ name: '0001-schema', toTexts: schemaTexts }]
