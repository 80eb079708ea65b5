import { compareCodePoints } from '../rules/position.ts'
import type { Drift, DriftRow, DriftValue } from '../storage/audit.ts'
import { TABLES, type TableDeclaration } from './tables.ts'
import { USER_COLUMNS } from './users.ts'

/** The tables in which a user has any number of rows, which follow from its log, in the order of writing and comparing. */
const NAMES = [
  'totals',
  'tallies',
  'completions',
  'points',
  'awards',
  'movements',
  'streak_periods',
  'challenge_windows',
  'redemptions',
  'streak_pauses',
  'given_boosts',
  'snapshots',
  'leaderboard_entries',
] as const

export type RowTable = (typeof NAMES)[number]
export type DerivedName = 'users' | RowTable

export interface DerivedTable<Name extends DerivedName = DerivedName> extends KeyedTable {
  readonly name: Name
  /** The table or view whose rows people can read. */
  readonly shown: string
  readonly bytes: readonly string[]
  readonly columns: readonly string[]
  readonly values: readonly string[]
}

function tableNamed<Name extends RowTable>(name: Name): DerivedTable<Name> {
  const declared: TableDeclaration = TABLES[name]
  const { key } = declared
  const values = Object.keys(declared.columns).filter((column) => !key.includes(column))
  const bytes = Object.keys(declared.columns).filter((column) => declared.columns[column] === 'bytes')
  return { name, shown: name === 'awards' ? 'view_awards' : name, bytes, key, values, columns: [...key, ...values] }
}

export const ROW_TABLES: readonly DerivedTable<RowTable>[] = NAMES.map(tableNamed)

const USER_KEY = ['tenant_id', 'user_id']
/** Without the columns that no log says: the user's version, and how far notices were sent. */
const USER_VALUES = USER_COLUMNS.filter((column) => column !== 'version')
const USERS: DerivedTable = {
  ...{ name: 'users', shown: 'users', bytes: [], key: USER_KEY, values: USER_VALUES },
  columns: [...USER_KEY, ...USER_VALUES],
}

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
