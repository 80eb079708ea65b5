import type { Migration } from '../sql/database.ts'
import { KIND_NUMBERS } from '../sql/entry-rows.ts'

/** Safe to run again. */
export const SQLITE_MIGRATIONS_TABLE =
  'create table if not exists "laurels_migrations" ("name" text not null primary key) strict, without rowid'

const TABLES: readonly string[] = [
  `create table laurels_games (
  epoch integer not null primary key,
  fingerprint text not null,
  definition text not null,
  policy text not null,
  created_at integer not null
) strict, without rowid`,
  `create table laurels_users (
  tenant_id text not null,
  user_id text not null,
  version integer not null,
  seq integer not null,
  at integer not null,
  epoch integer not null,
  created integer not null,
  updated integer not null,
  email text,
  name text,
  tz text,
  subscribed_to_emails integer,
  device_tokens text,
  attributes text not null,
  notifications text not null,
  personal_streak text,
  streak_length integer not null,
  streak_last_period integer,
  streak_started text,
  streak_first_at integer,
  streak_longest integer not null,
  streak_open_periods text not null,
  streak_extended_at integer,
  leaderboards text not null,
  streak_kept_period integer,
  streak_lost text,
  freezes integer,
  freezes_next_earned text,
  pauses text not null,
  suspended text,
  merged_into text,
  date_sums text,
  boosts text,
  caps text,
  cooldowns text,
  timers text,
  streaks text,
  activity text,
  notices_sent_until integer,
  next_notice_at integer,
  constraint laurels_users_key primary key (tenant_id, user_id)
) strict, without rowid`,
  `create index laurels_users_by_streak on laurels_users (tenant_id, streak_length desc, user_id)
  where streak_length > 0`,
  `create index laurels_users_by_longest on laurels_users (tenant_id, streak_longest desc, user_id)
  where streak_longest > 0`,
  'create index laurels_users_by_merge on laurels_users (tenant_id, merged_into) where merged_into is not null',
  'create index laurels_users_by_created on laurels_users (tenant_id, created, user_id) where merged_into is null',
  'create index laurels_users_due on laurels_users (next_notice_at, tenant_id, user_id) where next_notice_at is not null',
  `create table laurels_log (
  tenant_id text not null,
  user_id text not null,
  at integer not null,
  seq integer not null,
  entry_id blob not null,
  kind integer not null,
  epoch integer not null,
  recorded_at integer,
  zone text not null,
  local_date integer not null,
  local_time integer not null,
  profile text,
  metric text,
  value real,
  idempotency_key text,
  data text,
  voided_by blob,
  by_key text,
  constraint laurels_log_key primary key (tenant_id, user_id, at, seq)
) strict, without rowid`,
  `create unique index laurels_log_by_idempotency on laurels_log (tenant_id, user_id, metric, idempotency_key)
  where idempotency_key is not null`,
  'create unique index laurels_log_by_entry on laurels_log (tenant_id, entry_id)',
  `create index laurels_log_held on laurels_log (tenant_id, user_id, at, seq)
  where voided_by = entry_id`,
  `create index laurels_log_by_key on laurels_log (by_key, tenant_id, user_id, at, seq)
  where by_key is not null`,
  `create index laurels_log_by_time on laurels_log (tenant_id, at, value, voided_by)
  where value is not null and voided_by is null`,
  `create table laurels_totals (
  tenant_id text not null,
  user_id text not null,
  metric text not null,
  total real not null,
  highest real not null,
  constraint laurels_totals_key primary key (tenant_id, user_id, metric)
) strict, without rowid`,
  `create table laurels_tallies (
  tenant_id text not null,
  user_id text not null,
  rule_id text not null,
  total real not null,
  highest real not null,
  constraint laurels_tallies_key primary key (tenant_id, user_id, rule_id)
) strict, without rowid`,
  `create table laurels_completions (
  tenant_id text not null,
  user_id text not null,
  achievement text not null,
  at integer not null,
  entry_id text not null,
  count integer not null default 1,
  constraint laurels_completions_key primary key (tenant_id, user_id, achievement)
) strict, without rowid`,
  'create index laurels_completions_by_time on laurels_completions (tenant_id, achievement, at, user_id)',
  `create table laurels_points (
  tenant_id text not null,
  user_id text not null,
  system text not null,
  total real not null,
  level text,
  constraint laurels_points_key primary key (tenant_id, user_id, system)
) strict, without rowid`,
  `create table laurels_awards (
  tenant_id text not null,
  user_id text not null,
  system text not null,
  at integer not null,
  seq integer not null,
  ordinal integer not null,
  award_id blob not null,
  trigger_id blob not null,
  entry_id blob not null,
  awarded real not null,
  total real not null,
  boosts text,
  constraint laurels_awards_key primary key (tenant_id, user_id, system, at, seq, ordinal)
) strict, without rowid`,
  'create index laurels_awards_by_time on laurels_awards (tenant_id, at, system, awarded)',
  `create table laurels_streak_periods (
  tenant_id text not null,
  user_id text not null,
  start_date text not null,
  length integer not null,
  kind text not null,
  constraint laurels_streak_periods_key primary key (tenant_id, user_id, start_date)
) strict, without rowid`,
  `create table laurels_streak_pauses (
  tenant_id text not null,
  user_id text not null,
  pause_id text not null,
  constraint laurels_streak_pauses_key primary key (tenant_id, user_id, pause_id)
) strict, without rowid`,
  'create index laurels_streak_pauses_by_id on laurels_streak_pauses (pause_id, tenant_id)',
  `create table laurels_counters (
  tenant_id text not null,
  kind text not null,
  key text not null,
  count integer not null,
  constraint laurels_counters_key primary key (tenant_id, kind, key)
) strict, without rowid`,
  `create table laurels_leaderboard_entries (
  tenant_id text not null,
  user_id text not null,
  leaderboard text not null,
  run text not null,
  group_key text not null,
  minus_value real not null,
  reached_at integer not null,
  until integer,
  names text,
  constraint laurels_leaderboard_entries_key primary key (tenant_id, user_id, leaderboard, run)
) strict, without rowid`,
  'create index laurels_leaderboard_order on laurels_leaderboard_entries (tenant_id, leaderboard, run, group_key, minus_value, reached_at, user_id, until)',
  `create table laurels_leaderboard_blocks (
  tenant_id text not null,
  leaderboard text not null,
  run text not null,
  group_key text not null,
  minus_value real not null,
  reached_at integer not null,
  user_id text not null,
  count integer not null,
  constraint laurels_leaderboard_blocks_key primary key (tenant_id, leaderboard, run, group_key, minus_value, reached_at, user_id)
) strict, without rowid`,
  `create index laurels_leaderboard_blocks_by_user on laurels_leaderboard_blocks (user_id, tenant_id)
  where user_id <> ''`,
  `create table laurels_api_keys (
  id text not null primary key,
  prefix text not null unique,
  hash text not null,
  tenant_id text,
  user_id text,
  kind text not null,
  status text not null,
  created_at integer not null,
  last_used_at integer,
  can text,
  expires_at integer,
  constraint laurels_api_keys_kind check (
    (kind = 'admin' and tenant_id is null and user_id is null)
    or (kind = 'application' and tenant_id is not null and user_id is not null)
  )
) strict, without rowid`,
  `create index laurels_admin_keys on laurels_api_keys (created_at, id) where kind = 'admin'`,
  `create index laurels_keys_of_tenant on laurels_api_keys (tenant_id, id) where kind = 'application'`,
  `create index laurels_keys_of_user on laurels_api_keys (tenant_id, user_id, id) where kind = 'application'`,
  `create table laurels_named_streak_periods (
  tenant_id text not null,
  user_id text not null,
  streak text not null,
  start_date text not null,
  length integer not null,
  kind text not null,
  constraint laurels_named_streak_periods_key primary key (tenant_id, user_id, streak, start_date)
) strict, without rowid`,
  `create table laurels_given_boosts (
  tenant_id text not null,
  user_id text not null,
  boost_id text not null,
  system text not null,
  constraint laurels_given_boosts_key primary key (tenant_id, user_id, boost_id)
) strict, without rowid`,
  'create index laurels_given_boosts_by_id on laurels_given_boosts (boost_id, tenant_id)',
  'create index laurels_given_boosts_of_system on laurels_given_boosts (tenant_id, system, boost_id)',
  `create table laurels_messages (
  number integer not null,
  message_id text not null,
  type text not null,
  at integer not null,
  tenant_id text not null,
  user_id text not null,
  data text not null,
  due integer,
  position integer,
  constraint laurels_messages_key primary key (message_id, number)
) strict`,
  'create unique index laurels_messages_placed on laurels_messages (position) where position is not null',
  'create index laurels_messages_next on laurels_messages (number, message_id) where position is null and due is null',
  `create index laurels_messages_due on laurels_messages (due, message_id, number)
  where position is null and due is not null`,
  'create index laurels_messages_old on laurels_messages (at) where position is not null',
  'create index laurels_messages_of_user on laurels_messages (tenant_id, user_id, number)',
  `create table laurels_outbox_head (
  id integer not null,
  position integer not null,
  constraint laurels_outbox_head_key primary key (id)
) strict, without rowid`,
  `create table laurels_documents (
  kind text not null,
  name text not null,
  text text,
  version integer not null,
  constraint laurels_documents_key primary key (kind, name)
) strict, without rowid`,
  `create table laurels_deliveries (
  receiver text not null,
  position integer not null,
  message_id text not null,
  type text not null,
  at integer not null,
  tenant_id text not null,
  user_id text not null,
  data text not null,
  state text not null,
  tries integer not null,
  next_at integer,
  log text not null,
  claim text,
  claimed_until integer not null,
  constraint laurels_deliveries_key primary key (receiver, position)
) strict, without rowid`,
  'create index laurels_deliveries_of_state on laurels_deliveries (receiver, state, position)',
  `create index laurels_deliveries_due on laurels_deliveries (receiver, next_at, position) where state = 'waiting'`,
  `create index laurels_deliveries_in_order on laurels_deliveries (receiver, tenant_id, user_id, position)
  where state = 'waiting'`,
  `create index laurels_deliveries_old on laurels_deliveries (at) where state <> 'waiting'`,
  'create index laurels_deliveries_of_user on laurels_deliveries (tenant_id, user_id)',
  `create table laurels_snapshots (
  tenant_id text not null,
  user_id text not null,
  lines integer not null,
  at integer not null,
  seq integer not null,
  baseline integer not null,
  state text not null,
  constraint laurels_snapshots_key primary key (tenant_id, user_id, lines)
) strict, without rowid`,
]

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
]

/** In order. A change after the first release is a new migration at the end. */
export const SQLITE_MIGRATIONS: readonly Migration[] = [{ name: '0001-schema', texts: [...TABLES, ...VIEWS] }]
