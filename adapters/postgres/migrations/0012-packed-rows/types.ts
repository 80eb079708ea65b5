/** Released: not to be changed. */
export const TYPES: readonly string[] = [
  `create type "laurels".saved_packed_log_1 as (
  n int,
  tenant_id text,
  user_id text,
  at bigint,
  seq bigint,
  entry_id text,
  kind int,
  epoch int,
  recorded_at bigint,
  zone text,
  local_date int,
  local_time int,
  profile text,
  metric text,
  value float8,
  idempotency_key text,
  data text,
  voided_by text,
  by_key text
)`,
  `create type "laurels".saved_packed_awards_1 as (
  n int,
  tenant_id text,
  user_id text,
  system text,
  at bigint,
  seq bigint,
  ordinal bigint,
  award_id text,
  trigger_id text,
  entry_id text,
  awarded float8,
  total float8,
  boosts text
)`,
]
