import { type Expressions, insertRow, NEW_USER, PLAIN_EVENT } from './insert.ts'

const OWNER = { tenant_id: `''`, user_id: '$1' }
const USER: Expressions<'users'> = {
  ...NEW_USER,
  ...OWNER,
  ...{ version: '0', seq: '0', at: '$2', created: '$2', updated: '$2' },
}
const EVENT: Expressions<'log'> = {
  ...PLAIN_EVENT,
  ...OWNER,
  ...{ at: '$2', seq: '$3', entry_id: '$4', recorded_at: 'nullif($5::bigint, $2)', local_date: '$6', local_time: '$7' },
  ...{ metric: '$8', value: '$9', idempotency_key: '$10' },
}

/** The statements of the hand-written transactions; `$1` is the user, except in `count`. They know no tenants. */
export const TEXTS = {
  lockUser: `select seq::float8, at::float8, streak_length::float8 as length, streak_last_period::float8 as last,
    streak_started as started, streak_first_at::float8 as first_at, streak_extended_at::float8 as extended_at,
    streak_longest::float8 as longest, streak_open_periods as open, coalesce(streak_kept_period, streak_last_period)::float8 as kept,
    streak_lost as lost
    from users where tenant_id = '' and user_id = $1 for no key update`,
  insertUser: `${insertRow<'users'>('users', USER)} on conflict do nothing returning 1`,
  findKey: `select 1 from log where tenant_id = '' and user_id = $1 and metric = $2 and idempotency_key = $3`,
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
  insertLog: `${insertRow<'log'>('log', EVENT)} on conflict do nothing returning 1`,
  putTotal: `${insertRow<'totals'>('totals', { ...OWNER, metric: '$2', total: '$3', highest: '$4' })}
    on conflict (tenant_id, user_id, metric) do update set total = excluded.total, highest = excluded.highest`,
  updateUser: `update users set version = version + 1, seq = seq + 1, at = $2, streak_length = $3,
      streak_last_period = $4, streak_started = $5, streak_first_at = $6, streak_extended_at = $7, streak_longest = $8,
      streak_open_periods = $9, streak_kept_period = $10, streak_lost = $11
    where tenant_id = '' and user_id = $1`,
  insertPeriod: insertRow<'streak_periods'>('streak_periods', {
    ...OWNER,
    ...{ streak: `''`, start_date: '$2', length: '$3', kind: `'counted'` },
  }),
  insertCompletion: insertRow<'completions'>('completions', {
    ...OWNER,
    ...{ achievement: '$2', at: '$3', entry_id: '$4', count: '1' },
  }),
  insertAward: insertRow<'awards'>('awards', {
    ...OWNER,
    ...{ at: '$2', seq: '$3', entry_id: '$4', award_id: '$5', system: '$6', trigger_id: '$7' },
    ...{ ordinal: '$8', awarded: '$9', total: '$10', boosts: 'null' },
  }),
  putPoints: `${insertRow<'points'>('points', { ...OWNER, system: '$2', total: '$3', level: '$4' })}
    on conflict (tenant_id, user_id, system) do update set total = excluded.total, level = excluded.level`,
  count: `${insertRow<'counters'>('counters as c', { tenant_id: `''`, kind: '$1', key: '$2', slot: '0', count: '$3' })}
    on conflict (tenant_id, kind, key, slot) do update set count = c.count + excluded.count`,
} as const
