import { compareCodePoints } from '../../src/rules/position.ts'
import type { Drift, DriftRow, DriftValue } from '../../src/storage-audit.ts'

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
