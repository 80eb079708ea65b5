/** Of the hand-written transactions: `$1` is the user, and of tenants nobody has thought. */
export const TEXTS = {
  lockUser: `select seq::float8, at::float8, streak_length::float8 as length, streak_last_period::float8 as last,
    streak_started as started, streak_first_at::float8 as first_at, streak_extended_at::float8 as extended_at,
    streak_longest::float8 as longest, streak_open_periods as open, coalesce(streak_kept_period, streak_last_period)::float8 as kept,
    streak_lost as lost
    from users where tenant_id = '' and user_id = $1 for no key update`,
  insertUser: `insert into users (tenant_id, user_id, version, seq, at, epoch, created, updated, attributes, notifications,
      streak_length, streak_longest, streak_open_periods)
    values ('', $1, 0, 0, $2, 1, $2, $2, '{}', '{}', 0, 0, '[]') on conflict do nothing returning 1`,
  findKey: `select entry_id from log where tenant_id = '' and user_id = $1 and metric = $2 and idempotency_key = $3`,
  readTotal: `select 'total' as kind, metric as key, total as amount, highest, null as note
    from totals where tenant_id = '' and user_id = $1 and metric = $2`,
  readCompletions: `select 'completion' as kind, achievement as key, 0 as amount, 0 as highest, null as note
    from completions where tenant_id = '' and user_id = $1`,
  readPoints: `select 'points' as kind, system as key, total as amount, 0 as highest, level as note
    from points where tenant_id = '' and user_id = $1`,
  readProgress: `select 'total' as kind, metric as key, total as amount, highest, null as note
      from totals where tenant_id = '' and user_id = $1 and metric = $2
    union all select 'completion', achievement, 0, 0, null from completions where tenant_id = '' and user_id = $1
    union all select 'points', system, total, 0, level from points where tenant_id = '' and user_id = $1`,
  insertLog: `insert into log (tenant_id, user_id, at, seq, entry_id, kind, epoch, recorded_at, zone, local_date,
      local_time, metric, value, idempotency_key)
    values ('', $1, $2, $3, $4, 'eventRecorded', 1, $5, 'UTC', $6, $7, $8, $9, $10)
    on conflict do nothing returning 1`,
  putTotal: `insert into totals (tenant_id, user_id, metric, total, highest) values ('', $1, $2, $3, $4)
    on conflict (tenant_id, user_id, metric) do update set total = excluded.total, highest = excluded.highest`,
  updateUser: `update users set version = version + 1, seq = seq + 1, at = $2, streak_length = $3,
      streak_last_period = $4, streak_started = $5, streak_first_at = $6, streak_extended_at = $7, streak_longest = $8,
      streak_open_periods = $9, streak_kept_period = $10, streak_lost = $11
    where tenant_id = '' and user_id = $1`,
  insertPeriod: `insert into streak_periods (tenant_id, user_id, start_date, length, kind) values ('', $1, $2, $3, 'counted')`,
  insertCompletion: `insert into completions (tenant_id, user_id, achievement, at, entry_id) values ('', $1, $2, $3, $4)`,
  insertAward: `insert into awards (tenant_id, user_id, at, seq, entry_id, award_id, system, trigger_id, ordinal, awarded, total)
    values ('', $1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
  putPoints: `insert into points (tenant_id, user_id, system, total, level) values ('', $1, $2, $3, $4)
    on conflict (tenant_id, user_id, system) do update set total = excluded.total, level = excluded.level`,
  count: `insert into counters as c (tenant_id, kind, key, count) values ('', $1, $2, $3)
    on conflict (tenant_id, kind, key, slot) do update set count = c.count + excluded.count`,
} as const
