/** Released: not to be changed. */
export const TABLES: readonly string[] = [
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
  constraint laurels_users_key primary key (tenant_id, user_id)
)`,
  `create table "laurels".log (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  at bigint not null,
  seq bigint not null,
  entry_id text collate "C" not null,
  kind text collate "C" not null,
  epoch bigint not null,
  recorded_at bigint not null,
  zone text collate "C" not null,
  local_date text collate "C" not null,
  local_time text collate "C" not null,
  profile text,
  metric text collate "C",
  value double precision,
  idempotency_key text collate "C",
  data text,
  voided_by text collate "C",
  constraint laurels_log_key primary key (tenant_id, user_id, at, seq)
)`,
  `create unique index laurels_log_by_idempotency on "laurels".log (idempotency_key, metric, (user_id || ''), (tenant_id || ''))
  where idempotency_key is not null`,
  `create unique index laurels_log_by_entry on "laurels".log (tenant_id, entry_id)`,
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
  constraint laurels_completions_key primary key (tenant_id, user_id, achievement)
)`,
  `create table "laurels".points (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  system text collate "C" not null,
  total double precision not null,
  level text collate "C",
  constraint laurels_points_key primary key (tenant_id, user_id, system)
)`,
  `create table "laurels".awards (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  system text collate "C" not null,
  at bigint not null,
  seq bigint not null,
  ordinal bigint not null,
  award_id text collate "C" not null,
  trigger_id text collate "C" not null,
  entry_id text collate "C" not null,
  awarded double precision not null,
  total double precision not null,
  constraint laurels_awards_key primary key (tenant_id, user_id, system, at, seq, ordinal)
)`,
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
  `create index laurels_streak_pauses_by_id on "laurels".streak_pauses (pause_id, tenant_id)`,
  `create table "laurels".counters (
  tenant_id text collate "C" not null,
  kind text collate "C" not null,
  key text collate "C" not null,
  count bigint not null,
  slot bigint default 0 not null,
  constraint laurels_counters_key primary key (tenant_id, kind, key, slot)
)`,
  `create index laurels_counters_pending on "laurels".counters (tenant_id, kind, key, slot) where slot >= 16`,
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
  `create index laurels_leaderboard_order on "laurels".leaderboard_entries (tenant_id, leaderboard, run, group_key, minus_value, reached_at, user_id, until)`,
  `create table "laurels".leaderboard_blocks (
  tenant_id text collate "C" not null,
  leaderboard text collate "C" not null,
  run text collate "C" not null,
  group_key text collate "C" not null,
  level bigint not null,
  minus_value double precision not null,
  reached_at bigint not null,
  user_id text collate "C" not null,
  count bigint not null,
  constraint laurels_leaderboard_blocks_key primary key (tenant_id, leaderboard, run, group_key, level, minus_value, reached_at, user_id)
)`,
  `create table "laurels".leaderboard_pending (
  id bigint generated always as identity,
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
  `create index laurels_leaderboard_pending on "laurels".leaderboard_pending (tenant_id, leaderboard, run, group_key)`,
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
  primary key (id),
  unique (prefix),
  constraint laurels_api_keys_kind check (
    (kind = 'admin' and tenant_id is null and user_id is null)
    or (kind = 'application' and tenant_id is not null and user_id is not null)
  )
)`,
  `create index laurels_admin_keys on "laurels".api_keys (created_at, id) where kind = 'admin'`,
]
