/** The columns of a table that a save writes, with their types, as `jsonb_to_recordset` wants to know them. */
export interface SavedTable {
  readonly name: string
  readonly key: Columns
  readonly values: Columns
}

export type Columns = { readonly [name: string]: 'text' | 'bigint' | 'float8' | 'boolean' }

const USER = { tenant_id: 'text', user_id: 'text' } as const

export const USERS: SavedTable = {
  name: 'users',
  key: USER,
  values: {
    version: 'bigint',
    seq: 'bigint',
    at: 'bigint',
    epoch: 'bigint',
    created: 'bigint',
    updated: 'bigint',
    email: 'text',
    name: 'text',
    tz: 'text',
    subscribed_to_emails: 'boolean',
    device_tokens: 'text',
    attributes: 'text',
    notifications: 'text',
    personal_streak: 'text',
    streak_length: 'bigint',
    streak_last_period: 'bigint',
    streak_started: 'text',
    streak_first_at: 'bigint',
    streak_extended_at: 'bigint',
    streak_longest: 'bigint',
    streak_open_periods: 'text',
    streak_kept_period: 'bigint',
    streak_lost: 'text',
    freezes: 'bigint',
    freezes_next_earned: 'text',
    pauses: 'text',
    leaderboards: 'text',
  },
}

export const LOG: SavedTable = {
  name: 'log',
  key: { ...USER, at: 'bigint', seq: 'bigint' },
  values: {
    entry_id: 'text',
    kind: 'text',
    epoch: 'bigint',
    recorded_at: 'bigint',
    zone: 'text',
    local_date: 'text',
    local_time: 'text',
    profile: 'text',
    metric: 'text',
    value: 'float8',
    idempotency_key: 'text',
    data: 'text',
  },
}

export const AWARDS: SavedTable = {
  name: 'awards',
  key: { ...USER, system: 'text', at: 'bigint', seq: 'bigint', ordinal: 'bigint' },
  values: { award_id: 'text', trigger_id: 'text', entry_id: 'text', awarded: 'float8', total: 'float8' },
}

const totals = (name: string, key: string): SavedTable => ({
  name,
  key: { ...USER, [key]: 'text' },
  values: { total: 'float8', highest: 'float8' },
})

export const LEADERBOARD_ENTRIES: SavedTable = {
  name: 'leaderboard_entries',
  key: { ...USER, leaderboard: 'text', run: 'text' },
  values: { group_key: 'text', minus_value: 'float8', reached_at: 'bigint', until: 'bigint', names: 'text' },
}

/** Tables whose rows are put, over what is there, or removed. */
export const PROGRESS: readonly SavedTable[] = [
  totals('totals', 'metric'),
  totals('tallies', 'rule_id'),
  { name: 'completions', key: { ...USER, achievement: 'text' }, values: { at: 'bigint', entry_id: 'text' } },
  { name: 'points', key: { ...USER, system: 'text' }, values: { total: 'float8', level: 'text' } },
  { name: 'streak_periods', key: { ...USER, start_date: 'text' }, values: { length: 'bigint', kind: 'text' } },
  { name: 'streak_pauses', key: { ...USER, pause_id: 'text' }, values: {} },
  LEADERBOARD_ENTRIES,
]
