import type { Migration } from '../../sql/traits.ts'

/** Released: not to be changed. */
export const tables: Migration = {
  name: '0001-tables',
  texts: [
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
  constraint laurels_users_key primary key (tenant_id, user_id)
) strict, without rowid`,
    `create table laurels_log (
  tenant_id text not null,
  user_id text not null,
  at integer not null,
  seq integer not null,
  entry_id text not null,
  kind text not null,
  epoch integer not null,
  recorded_at integer not null,
  zone text not null,
  local_date text not null,
  local_time text not null,
  profile text,
  metric text,
  value real,
  idempotency_key text,
  data text,
  voided_by text,
  constraint laurels_log_key primary key (tenant_id, user_id, at, seq)
) strict, without rowid`,
    `create unique index laurels_log_by_idempotency on laurels_log (tenant_id, user_id, metric, idempotency_key)
  where idempotency_key is not null`,
    `create unique index laurels_log_by_entry on laurels_log (tenant_id, entry_id)`,
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
  constraint laurels_completions_key primary key (tenant_id, user_id, achievement)
) strict, without rowid`,
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
  award_id text not null,
  trigger_id text not null,
  entry_id text not null,
  awarded real not null,
  total real not null,
  constraint laurels_awards_key primary key (tenant_id, user_id, system, at, seq, ordinal)
) strict, without rowid`,
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
    `create index laurels_streak_pauses_by_id on laurels_streak_pauses (pause_id, tenant_id)`,
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
    `create index laurels_leaderboard_order on laurels_leaderboard_entries (tenant_id, leaderboard, run, group_key, minus_value, reached_at, user_id, until)`,
    `create table laurels_leaderboard_blocks (
  tenant_id text not null,
  leaderboard text not null,
  run text not null,
  group_key text not null,
  level integer not null,
  minus_value real not null,
  reached_at integer not null,
  user_id text not null,
  count integer not null,
  constraint laurels_leaderboard_blocks_key primary key (tenant_id, leaderboard, run, group_key, level, minus_value, reached_at, user_id)
) strict, without rowid`,
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
  constraint laurels_api_keys_kind check (
    (kind = 'admin' and tenant_id is null and user_id is null)
    or (kind = 'application' and tenant_id is not null and user_id is not null)
  )
) strict, without rowid`,
    `create index laurels_admin_keys on laurels_api_keys (created_at, id) where kind = 'admin'`,
  ],
}
