import { KIND_NUMBERS } from '../sql/entry-rows.ts'
import { liveFunctions } from './functions/index.ts'
import { inSchema } from './quote.ts'
import { savedTypes } from './save-rows.ts'

const MIGRATIONS_TABLE = 'create table if not exists "laurels".migrations (name text collate "C" not null primary key)'

const TABLES: readonly string[] = [
  `create table "laurels".games (
  epoch bigint not null,
  fingerprint text collate "C" not null,
  definition text collate "C" not null,
  policy text collate "C" not null,
  created_at bigint not null,
  primary key (epoch)
)`,
  `create table "laurels".users (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  version bigint not null,
  seq bigint not null,
  at bigint not null,
  epoch bigint not null,
  created bigint not null,
  updated bigint not null,
  email text collate "C",
  name text collate "C",
  tz text collate "C",
  subscribed_to_emails boolean,
  device_tokens text,
  attributes text not null,
  notifications text not null,
  personal_streak text,
  streak_length bigint not null,
  streak_last_period bigint,
  streak_started text collate "C",
  streak_first_at bigint,
  streak_longest bigint not null,
  streak_open_periods text not null,
  streak_extended_at bigint,
  leaderboards text not null,
  streak_kept_period bigint,
  streak_lost text,
  freezes bigint,
  freezes_next_earned text collate "C",
  pauses text not null,
  suspended text,
  merged_into text collate "C",
  date_sums text collate "C",
  boosts text collate "C",
  caps text collate "C",
  cooldowns text collate "C",
  timers text collate "C",
  streaks text collate "C",
  activity text collate "C",
  notices_sent_until bigint,
  next_notice_at bigint,
  constraint laurels_users_key primary key (tenant_id, user_id)
)`,
  `create index laurels_users_by_streak on "laurels".users (tenant_id, streak_length desc, user_id)
  where streak_length > 0`,
  `create index laurels_users_by_longest on "laurels".users (tenant_id, streak_longest desc, user_id)
  where streak_longest > 0`,
  'create index laurels_users_by_merge on "laurels".users (tenant_id, merged_into) where merged_into is not null',
  'create index laurels_users_by_created on "laurels".users (tenant_id, created, user_id) where merged_into is null',
  'create index laurels_users_due on "laurels".users (next_notice_at, tenant_id, user_id) where next_notice_at is not null',
  `create table "laurels".log (
  at bigint not null,
  recorded_at bigint,
  value double precision,
  seq bigint not null,
  epoch integer not null,
  kind integer not null,
  local_date integer not null,
  local_time integer not null,
  entry_id bytea not null,
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  zone text collate "C" not null,
  metric text collate "C",
  idempotency_key text collate "C",
  voided_by bytea,
  profile text,
  data text,
  by_key text collate "C",
  constraint laurels_log_key primary key (tenant_id, user_id, at, seq)
)`,
  `create unique index laurels_log_by_idempotency on "laurels".log (idempotency_key, metric, (user_id || ''), (tenant_id || ''))
  where idempotency_key is not null`,
  'create unique index laurels_log_by_entry on "laurels".log (tenant_id, entry_id)',
  `create index laurels_log_held on "laurels".log (tenant_id, user_id, at, seq)
  where voided_by = entry_id`,
  `create index laurels_log_by_key on "laurels".log (by_key, tenant_id, user_id, at, seq)
  where by_key is not null`,
  `create index laurels_log_by_time on "laurels".log (tenant_id, at, user_id)
  where value is not null and voided_by is null`,
  `create table "laurels".totals (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  metric text collate "C" not null,
  total double precision not null,
  highest double precision not null,
  constraint laurels_totals_key primary key (tenant_id, user_id, metric)
)`,
  `create table "laurels".tallies (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  rule_id text collate "C" not null,
  total double precision not null,
  highest double precision not null,
  constraint laurels_tallies_key primary key (tenant_id, user_id, rule_id)
)`,
  `create table "laurels".completions (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  achievement text collate "C" not null,
  at bigint not null,
  entry_id text collate "C" not null,
  count bigint not null default 1,
  constraint laurels_completions_key primary key (tenant_id, user_id, achievement)
)`,
  'create index laurels_completions_by_time on "laurels".completions (tenant_id, achievement, at, user_id)',
  `create table "laurels".points (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  system text collate "C" not null,
  total double precision not null,
  level text collate "C",
  constraint laurels_points_key primary key (tenant_id, user_id, system)
)`,
  `create table "laurels".awards (
  at bigint not null,
  seq bigint not null,
  ordinal bigint not null,
  awarded double precision not null,
  total double precision not null,
  award_id bytea not null,
  trigger_id bytea not null,
  entry_id bytea not null,
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  system text collate "C" not null,
  boosts text collate "C",
  constraint laurels_awards_key primary key (tenant_id, user_id, system, at, seq, ordinal)
)`,
  'create index laurels_awards_by_time on "laurels".awards (tenant_id, at, system, awarded)',
  `create table "laurels".streak_periods (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  start_date text collate "C" not null,
  length bigint not null,
  kind text collate "C" not null,
  constraint laurels_streak_periods_key primary key (tenant_id, user_id, start_date)
)`,
  `create table "laurels".streak_pauses (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  pause_id text collate "C" not null,
  constraint laurels_streak_pauses_key primary key (tenant_id, user_id, pause_id)
)`,
  'create index laurels_streak_pauses_by_id on "laurels".streak_pauses (pause_id, tenant_id)',
  `create table "laurels".counters (
  tenant_id text collate "C" not null,
  kind text collate "C" not null,
  key text collate "C" not null,
  count bigint not null,
  slot bigint default 0 not null,
  constraint laurels_counters_key primary key (tenant_id, kind, key, slot)
)`,
  'create index laurels_counters_pending on "laurels".counters (tenant_id, kind, key, slot) where slot >= 16',
  `create table "laurels".leaderboard_entries (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  leaderboard text collate "C" not null,
  run text collate "C" not null,
  group_key text collate "C" not null,
  minus_value double precision not null,
  reached_at bigint not null,
  until bigint,
  names text,
  constraint laurels_leaderboard_entries_key primary key (tenant_id, user_id, leaderboard, run)
)`,
  'create index laurels_leaderboard_order on "laurels".leaderboard_entries (tenant_id, leaderboard, run, group_key, minus_value, reached_at, user_id, until)',
  `create table "laurels".leaderboard_blocks (
  tenant_id text collate "C" not null,
  leaderboard text collate "C" not null,
  run text collate "C" not null,
  group_key text collate "C" not null,
  minus_value double precision not null,
  reached_at bigint not null,
  user_id text collate "C" not null,
  count bigint not null,
  constraint laurels_leaderboard_blocks_key primary key (tenant_id, leaderboard, run, group_key, minus_value, reached_at, user_id)
)`,
  `create index laurels_leaderboard_blocks_by_user on "laurels".leaderboard_blocks (user_id, tenant_id)
  where user_id <> ''`,
  `create table "laurels".leaderboard_pending (
  id uuid default gen_random_uuid() not null,
  tenant_id text collate "C" not null,
  leaderboard text collate "C" not null,
  run text collate "C" not null,
  group_key text collate "C" not null,
  minus_value double precision not null,
  reached_at bigint not null,
  user_id text collate "C" not null,
  delta bigint not null,
  primary key (id)
)`,
  'create index laurels_leaderboard_pending on "laurels".leaderboard_pending (tenant_id, leaderboard, run, group_key)',
  `create table "laurels".processes (
  id text collate "C" not null,
  batch bigint not null,
  outcome text collate "C" not null,
  used_at bigint not null,
  primary key (id)
)`,
  `create table "laurels".api_keys (
  id text collate "C" not null,
  prefix text collate "C" not null,
  hash text collate "C" not null,
  tenant_id text collate "C",
  user_id text collate "C",
  kind text collate "C" not null,
  status text collate "C" not null,
  created_at bigint not null,
  last_used_at bigint,
  can text collate "C",
  expires_at bigint,
  primary key (id),
  unique (prefix),
  constraint laurels_api_keys_kind check (
    (kind = 'admin' and tenant_id is null and user_id is null)
    or (kind = 'application' and tenant_id is not null and user_id is not null)
  )
)`,
  `create index laurels_admin_keys on "laurels".api_keys (created_at, id) where kind = 'admin'`,
  `create index laurels_keys_of_tenant on "laurels".api_keys (tenant_id, id) where kind = 'application'`,
  `create index laurels_keys_of_user on "laurels".api_keys (tenant_id, user_id, id) where kind = 'application'`,
  `create table "laurels".named_streak_periods (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  streak text collate "C" not null,
  start_date text collate "C" not null,
  length bigint not null,
  kind text collate "C" not null,
  constraint laurels_named_streak_periods_key primary key (tenant_id, user_id, streak, start_date)
)`,
  `create table "laurels".given_boosts (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  boost_id text collate "C" not null,
  system text collate "C" not null,
  constraint laurels_given_boosts_key primary key (tenant_id, user_id, boost_id)
)`,
  'create index laurels_given_boosts_by_id on "laurels".given_boosts (boost_id, tenant_id)',
  'create index laurels_given_boosts_of_system on "laurels".given_boosts (tenant_id, system, boost_id)',
  `create table "laurels".messages (
  number bigint not null,
  message_id text collate "C" not null,
  type text collate "C" not null,
  at bigint not null,
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  data text not null,
  due bigint,
  position bigint,
  constraint laurels_messages_key primary key (message_id, number)
)`,
  'create unique index laurels_messages_placed on "laurels".messages (position) where position is not null',
  'create index laurels_messages_next on "laurels".messages (number, message_id) where position is null and due is null',
  `create index laurels_messages_due on "laurels".messages (due, message_id, number)
  where position is null and due is not null`,
  'create index laurels_messages_old on "laurels".messages (at) where position is not null',
  'create index laurels_messages_of_user on "laurels".messages (tenant_id, user_id, number)',
  `create table "laurels".outbox_head (
  id bigint not null,
  position bigint not null,
  constraint laurels_outbox_head_key primary key (id)
)`,
  `create table "laurels".documents (
  kind text collate "C" not null,
  name text collate "C" not null,
  text text,
  version bigint not null,
  constraint laurels_documents_key primary key (kind, name)
)`,
  `create table "laurels".deliveries (
  receiver text collate "C" not null,
  position bigint not null,
  message_id text collate "C" not null,
  type text collate "C" not null,
  at bigint not null,
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  data text not null,
  state text collate "C" not null,
  tries bigint not null,
  next_at bigint,
  log text not null,
  claim text collate "C",
  claimed_until bigint not null,
  constraint laurels_deliveries_key primary key (receiver, position)
)`,
  'create index laurels_deliveries_of_state on "laurels".deliveries (receiver, state, position)',
  `create index laurels_deliveries_due on "laurels".deliveries (receiver, next_at, position) where state = 'waiting'`,
  `create index laurels_deliveries_in_order on "laurels".deliveries (receiver, tenant_id, user_id, position)
  where state = 'waiting'`,
  `create index laurels_deliveries_old on "laurels".deliveries (at) where state <> 'waiting'`,
  'create index laurels_deliveries_of_user on "laurels".deliveries (tenant_id, user_id)',
  `create table "laurels".snapshots (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  lines bigint not null,
  at bigint not null,
  seq bigint not null,
  baseline bigint not null,
  state text not null,
  constraint laurels_snapshots_key primary key (tenant_id, user_id, lines)
)`,
]

const TYPES: readonly string[] = [
  `create type "laurels".leaderboard_move as (
  tenant_id text collate "C",
  leaderboard text collate "C",
  run text collate "C",
  group_key text collate "C",
  minus_value double precision,
  reached_at bigint,
  user_id text collate "C",
  delta bigint,
  unlimited boolean
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
  const texts = [...TABLES, ...TYPES, ...ID_FUNCTIONS, ...VIEWS].map((text) => inSchema(text, schema))
  return [...texts, ...savedTypes(schema), ...liveFunctions(schema)]
}

/** In order. A change after the first release is a new migration at the end. */
export const POSTGRES_MIGRATIONS: readonly PostgresMigration[] = [{ name: '0001-schema', toTexts: schemaTexts }]
