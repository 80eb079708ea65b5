import type { KeyedTable } from './compare-rows.ts'
import type { AwardsTable, Tables, ToldColumn, UserColumns } from './tables.ts'

/** The tables whose rows follow from a user's log. */
export type DerivedName =
  | 'users'
  | 'totals'
  | 'tallies'
  | 'completions'
  | 'points'
  | 'awards'
  | 'streak_periods'
  | 'streak_pauses'
  | 'named_streak_periods'
  | 'given_boosts'
  | 'snapshots'
  | 'leaderboard_entries'

/** The tables in which a user has any number of rows. */
export type RowTable = Exclude<DerivedName, 'users'>

/** A row without the columns that no log determines: the user's version, and how far was told. */
export type DerivedRow<Name extends DerivedName> = Omit<Tables[Name], 'version' | ToldColumn>

type OwnColumn<Name extends DerivedName> = Exclude<keyof DerivedRow<Name>, keyof UserColumns> & string

/** Every column except tenant and user: part of the primary key, or a value. */
type Parts<Name extends DerivedName> = { readonly [Column in OwnColumn<Name>]: 'key' | 'value' }

const PARTS: { readonly [Name in DerivedName]: Parts<Name> } = {
  users: {
    seq: 'value',
    at: 'value',
    epoch: 'value',
    created: 'value',
    updated: 'value',
    email: 'value',
    name: 'value',
    tz: 'value',
    subscribed_to_emails: 'value',
    device_tokens: 'value',
    attributes: 'value',
    notifications: 'value',
    personal_streak: 'value',
    streak_length: 'value',
    streak_last_period: 'value',
    streak_started: 'value',
    streak_first_at: 'value',
    streak_extended_at: 'value',
    streak_longest: 'value',
    streak_open_periods: 'value',
    streak_kept_period: 'value',
    streak_lost: 'value',
    freezes: 'value',
    freezes_next_earned: 'value',
    pauses: 'value',
    leaderboards: 'value',
    merged_into: 'value',
    suspended: 'value',
    date_sums: 'value',
    boosts: 'value',
    caps: 'value',
    cooldowns: 'value',
    timers: 'value',
    streaks: 'value',
    activity: 'value',
  },
  totals: { metric: 'key', total: 'value', highest: 'value' },
  tallies: { rule_id: 'key', total: 'value', highest: 'value' },
  completions: { achievement: 'key', at: 'value', entry_id: 'value', count: 'value' },
  points: { system: 'key', total: 'value', level: 'value' },
  awards: {
    system: 'key',
    at: 'key',
    seq: 'key',
    ordinal: 'key',
    award_id: 'value',
    trigger_id: 'value',
    entry_id: 'value',
    awarded: 'value',
    total: 'value',
    boosts: 'value',
  },
  streak_periods: { start_date: 'key', length: 'value', kind: 'value' },
  streak_pauses: { pause_id: 'key' },
  named_streak_periods: { streak: 'key', start_date: 'key', length: 'value', kind: 'value' },
  given_boosts: { boost_id: 'key', system: 'value' },
  snapshots: { lines: 'key', at: 'value', seq: 'value', since: 'value', state: 'value' },
  leaderboard_entries: {
    leaderboard: 'key',
    run: 'key',
    group_key: 'value',
    minus_value: 'value',
    reached_at: 'value',
    until: 'value',
    names: 'value',
  },
}

export interface DerivedTable<Name extends DerivedName = DerivedName> extends KeyedTable {
  readonly name: Name
  /** The table or view whose rows people can read. */
  readonly shown: string
  /** Columns that are bytes, as `toIdHex` makes them. */
  readonly bytes: readonly string[]
  /** The columns of the key come first. */
  readonly columns: readonly string[]
  readonly values: readonly string[]
}

const AWARD_IDS: readonly (keyof AwardsTable)[] = ['award_id', 'trigger_id', 'entry_id']

export function tableNamed<Name extends DerivedName>(name: Name): DerivedTable<Name> {
  const parts = Object.entries(PARTS[name])
  const named = (part: string): readonly string[] =>
    parts.filter(([, found]) => found === part).map(([column]) => column)
  const [key, values] = [['tenant_id', 'user_id', ...named('key')], named('value')]
  const bytes = name === 'awards' ? AWARD_IDS : []
  return { name, shown: name === 'awards' ? 'view_awards' : name, bytes, key, values, columns: [...key, ...values] }
}

const NAMES = Object.keys(PARTS) as DerivedName[]

/** The tables, in the order in which they are compared. */
export const DERIVED_TABLES: readonly DerivedTable[] = NAMES.map((name) => tableNamed(name))
export const ROW_TABLES: readonly DerivedTable<RowTable>[] = NAMES.filter((name) => name !== 'users').map((name) =>
  tableNamed(name),
)
