import type { KeyedTable } from './compare-rows.ts'
import type { AwardsTable, Tables, UserColumns } from './tables.ts'
import { USER_COLUMNS } from './users.ts'

/** The tables in which a user has any number of rows, which follow from its log. */
export type RowTable =
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

export type DerivedName = 'users' | RowTable

type OwnColumn<Name extends RowTable> = Exclude<keyof Tables[Name], keyof UserColumns> & string

/** Every column except tenant and user: part of the primary key, or a value. */
type Parts<Name extends RowTable> = { readonly [Column in OwnColumn<Name>]: 'key' | 'value' }

const PARTS: { readonly [Name in RowTable]: Parts<Name> } = {
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

function tableNamed<Name extends RowTable>(name: Name): DerivedTable<Name> {
  const parts = Object.entries(PARTS[name])
  const named = (part: string) => parts.filter(([, found]) => found === part).map(([column]) => column)
  const [key, values] = [['tenant_id', 'user_id', ...named('key')], named('value')]
  const bytes = name === 'awards' ? AWARD_IDS : []
  return { name, shown: name === 'awards' ? 'view_awards' : name, bytes, key, values, columns: [...key, ...values] }
}

export const ROW_TABLES: readonly DerivedTable<RowTable>[] = (Object.keys(PARTS) as RowTable[]).map(tableNamed)

const USER_KEY = ['tenant_id', 'user_id']
/** Without the columns that no log says: the user's version, and how far was told. */
const USER_VALUES = USER_COLUMNS.filter((column) => column !== 'version')
const USERS: DerivedTable = {
  ...{ name: 'users', shown: 'users', bytes: [], key: USER_KEY, values: USER_VALUES },
  columns: [...USER_KEY, ...USER_VALUES],
}

/** The tables, in the order in which they are compared. */
export const DERIVED_TABLES: readonly DerivedTable[] = [USERS, ...ROW_TABLES]
