import type { DamagedUser, Drift, DriftRow } from '../../src/index.ts'
import { toLine } from './text.ts'

/** `totals user_id="ada" metric="words": stored total=800, expected total=750`. */
export function toDriftLine({ table, key, stored, expected }: Drift): string {
  const { tenant_id: tenant, ...others } = key
  // In a game without tenants it says nothing.
  const named = tenant === '' ? others : key
  const columns = differing(key, stored, expected)
  return toLine(`${table} ${toFields(named)}: stored ${toSide(stored, columns)}, expected ${toSide(expected, columns)}`)
}

/** A line for each damaged user. */
export function toDamagedText(damaged: readonly DamagedUser[]): string {
  return damaged.map((each) => `${toDamagedLine(each)}\n`).join('')
}

/** `damaged user_id="ada": The row with seq 3 …`. */
function toDamagedLine({ tenant, user, message }: DamagedUser): string {
  const named = tenant === '' ? { user_id: user } : { tenant_id: tenant, user_id: user }
  return toLine(`damaged ${toFields(named)}: ${message}`)
}

/** Beside the key: those in which the two rows differ, or all where there is only one. */
function differing(key: DriftRow, stored: DriftRow | null, expected: DriftRow | null): readonly string[] {
  return [...new Set([...Object.keys(stored ?? {}), ...Object.keys(expected ?? {})])].filter(
    (column) =>
      !Object.hasOwn(key, column) && (stored === null || expected === null || stored[column] !== expected[column]),
  )
}

function toSide(row: DriftRow | null, columns: readonly string[]): string {
  if (row === null) return 'nothing'
  // A row that is all key.
  if (columns.length === 0) return 'a row'
  return toFields(Object.fromEntries(columns.map((column) => [column, row[column] ?? null])))
}

function toFields(row: DriftRow): string {
  return Object.entries(row)
    .map(([column, value]) => `${column}=${JSON.stringify(value)}`)
    .join(' ')
}
