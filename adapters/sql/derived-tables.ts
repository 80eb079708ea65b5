import { compareCodePoints } from '../../src/rules/position.ts'
import type { Drift, DriftRow, DriftValue } from '../../src/storage/audit.ts'
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
  snapshots: { lines: 'key', at: 'value', seq: 'value', baseline: 'value', state: 'value' },
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

/** A table by name, with the columns of its primary key. */
export interface KeyedTable {
  readonly name: string
  readonly key: readonly string[]
}

/** The rows that differ, in order of the key. Columns that `expected` does not name are passed over. */
export function compareRows(
  { name, key }: KeyedTable,
  stored: readonly DriftRow[],
  expected: readonly DriftRow[],
): readonly Drift[] {
  if (stored.length === 0 && expected.length === 0) return []
  const idOf = (row: DriftRow): string => JSON.stringify(key.map((column) => row[column]))
  const missing = new Map<string, DriftRow>()
  for (const row of expected) missing.set(idOf(row), row)
  const columns = Object.keys(expected[0] ?? {})
  const drift: Drift[] = []
  for (const row of stored) {
    const id = idOf(row)
    const wanted = missing.get(id) ?? null
    missing.delete(id)
    if (wanted === null || !columns.every((column) => row[column] === wanted[column])) {
      drift.push({ table: name, key: pick(row, key), stored: row, expected: wanted })
    }
  }
  for (const row of missing.values()) drift.push({ table: name, key: pick(row, key), stored: null, expected: row })
  return drift.sort((a, b) => compareKeys(key, a.key, b.key))
}

/** Some columns of a row. */
export function pick(row: object, columns: readonly string[]): DriftRow {
  const values = new Map<string, DriftValue>(Object.entries(row))
  return Object.fromEntries(columns.map((column) => [column, values.get(column) ?? null]))
}

function compareKeys(columns: readonly string[], left: DriftRow, right: DriftRow): number {
  for (const column of columns) {
    const order = compareValues(left[column] ?? null, right[column] ?? null)
    if (order !== 0) return order
  }
  return 0
}

function compareValues(left: DriftValue, right: DriftValue): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  return compareCodePoints(String(left), String(right))
}
