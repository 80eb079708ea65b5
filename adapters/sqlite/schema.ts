import type { Migration } from '../sql/database.ts'
import { KIND_NUMBERS } from '../sql/entry-rows.ts'
import { createTable, TABLES, type TableDeclaration } from '../sql/tables.ts'

/** SQLite has no schemas: "laurels"."users" becomes "laurels_users". The text holds quoted names, and never a value. */
export function inOneSchema(text: string): string {
  return text.replaceAll('"laurels"."', '"laurels_')
}

/** Safe to run again. */
export const SQLITE_MIGRATIONS_TABLE =
  'create table if not exists "laurels_migrations" ("name" text not null primary key) strict, without rowid'

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

const KINDS = JSON.stringify(Object.keys(KIND_NUMBERS))

// A sum of doubles is rounded to as many decimal places as the values have, and to 15 digits, as the totals are.
const VIEWS: readonly string[] = [
  `create view laurels_view_log as
select tenant_id, user_id, at, seq, ${toText('entry_id')} as entry_id,
  json_extract('${KINDS}', '$[' || kind || ']') as kind, epoch, coalesce(recorded_at, at) as recorded_at, zone,
  date(local_date * 86400, 'unixepoch') as local_date,
  printf('%02d:%02d:%02d.%03d', local_time / 3600000, local_time / 60000 % 60, local_time / 1000 % 60, local_time % 1000)
    as local_time,
  profile, metric, value, idempotency_key, data,
  case when voided_by is not null then ${toText('voided_by')} end as voided_by, by_key
from laurels_log`,
  `create view laurels_view_awards as
select tenant_id, user_id, system, at, seq, ordinal, ${toText('award_id')} as award_id,
  ${toText('trigger_id')} as trigger_id, ${toText('entry_id')} as entry_id, awarded, total, boosts
from laurels_awards`,
  `create view laurels_view_metric_totals as
select tenant_id, user_id, metric_key, date(days.date * 86400, 'unixepoch') as date, change, total
from (
  select tenant_id, user_id, metric_key, date, change,
    cast(printf('%.15g', round(sum(change) over days, max(places) over days)) as real) + 0.0 as total
  from (
    select tenant_id, user_id, metric as metric_key, local_date as date,
      cast(printf('%.15g', round(sum(value), max(places))) as real) + 0.0 as change, max(places) as places
    from (
      select tenant_id, user_id, metric, local_date, value,
        max(0, length(rtrim(substr(digits, instr(digits, '.') + 1, 14), '0'))
          - cast(substr(digits, instr(digits, 'e') + 1) as integer)) as places
      from (
        select tenant_id, user_id, metric, local_date, value, printf('%.14e', value) as digits
        from laurels_log where kind = ${KIND_NUMBERS.eventRecorded} and voided_by is null
      )
    )
    group by tenant_id, user_id, metric, local_date
  )
  window days as (partition by tenant_id, user_id, metric_key order by date rows unbounded preceding)
) days`,
  `create view laurels_view_points_totals as
select tenant_id, user_id, points_system_key, date(days.date * 86400, 'unixepoch') as date, change,
  sum(change) over (partition by tenant_id, user_id, points_system_key order by days.date rows unbounded preceding) as total
from (
  select a.tenant_id, a.user_id, a.system as points_system_key, l.local_date as date, sum(a.awarded) as change
  from laurels_awards a
    join laurels_log l
      on l.tenant_id = a.tenant_id and l.user_id = a.user_id and l.at = a.at and l.seq = a.seq
  group by a.tenant_id, a.user_id, a.system, l.local_date
) days`,
  `create view laurels_view_streak_periods as
select tenant_id, user_id, start_date as period_start,
  case (select json_extract(definition, '$.streak.frequency') from laurels_games order by epoch desc limit 1)
    when 'daily' then start_date
    when 'weekly' then date(start_date, '+6 days')
    when 'monthly' then date(start_date, 'start of month', '+1 month', '-1 day')
  end as period_end,
  length, kind = 'frozen' as used_freeze, kind = 'paused' as used_pause
from laurels_streak_periods`,
  `create view laurels_view_streak_freezes as
select tenant_id, user_id, date(local_date * 86400, 'unixepoch') as date, 'granted' as type,
  json_extract(data, '$.count') as count
from laurels_log where kind = ${KIND_NUMBERS.freezesGranted}
union all
select tenant_id, user_id, start_date as date, 'consumed' as type, 1 as count
from laurels_streak_periods where kind = 'frozen'`,
  `create view laurels_view_leaderboard_rankings as
select tenant_id, user_id, coalesce(json_extract(names, '$[0]'), leaderboard) as leaderboard_key,
  substr(run, 1, 10) as run, substr(run, 12) as version,
  nullif(coalesce(json_extract(names, '$[1]'), group_key), '') as breakdown_attribute_values,
  row_number() over (
    partition by tenant_id, leaderboard, run, group_key order by minus_value, reached_at, user_id
  ) as rank,
  0 - minus_value as value,
  strftime('%Y-%m-%dT%H:%M:%fZ', reached_at / 1000.0, 'unixepoch') as reached_at,
  strftime('%Y-%m-%dT%H:%M:%fZ', until / 1000.0, 'unixepoch') as until
from laurels_leaderboard_entries`,
  `create view laurels_view_achievement_completions as
select c.tenant_id, c.user_id, c.achievement as achievement_key, date(l.local_date * 86400, 'unixepoch') as date,
  strftime('%Y-%m-%dT%H:%M:%fZ', c.at / 1000.0, 'unixepoch') as achieved_at
from laurels_completions c
  left join laurels_log l on l.tenant_id = c.tenant_id and l.entry_id = ${toBytes('c.entry_id')}`,
  `create view laurels_view_active_days as
select tenant_id, user_id, date(local_date * 86400, 'unixepoch') as date, count(*) as events
from laurels_log where kind = ${KIND_NUMBERS.eventRecorded} and voided_by is null
group by tenant_id, user_id, local_date`,
  `create view laurels_view_retention as
with firsts as (
  select tenant_id, user_id, date(min(local_date) * 86400, 'unixepoch') as cohort from laurels_log group by tenant_id, user_id
), sizes as (select tenant_id, cohort, count(*) as cohort_users from firsts group by tenant_id, cohort)
select f.tenant_id, f.cohort, cast(julianday(d.date) - julianday(f.cohort) as integer) as day, count(*) as users, s.cohort_users
from firsts f
  join sizes s on s.tenant_id = f.tenant_id and s.cohort = f.cohort
  join laurels_view_active_days d on d.tenant_id = f.tenant_id and d.user_id = f.user_id
group by f.tenant_id, f.cohort, d.date, s.cohort_users`,
]

/** In order. A change after the first release is a new migration at the end. */
export const SQLITE_MIGRATIONS: readonly Migration[] = [{ name: '0001-schema', texts: [...TABLE_TEXTS, ...VIEWS] }]
