import type { Storage } from '../../../storage.ts'
import type { CounterAudit, Drift, DriftRow, TenantCounter, UserFacts } from '../../../storage-audit.ts'
import type { CounterKind } from '../../../storage-rows.ts'
import { countChanges, levelCounterKey } from '../../accept/derived-rows.ts'

/** Adds what a user's facts are counted as. */
export function addCounts(counted: Map<string, number>, tenant: string, facts: UserFacts | null): void {
  if (facts === null) return
  for (const { kind, key, by } of countChanges(null, facts.state)) add(counted, { tenant, kind, key }, by)
}

type CounterKey = Omit<TenantCounter, 'count'>

function add(counted: Map<string, number>, key: CounterKey, by: number): void {
  const id = toText(key)
  counted.set(id, (counted.get(id) ?? 0) + by)
}

function toText({ tenant, kind, key }: CounterKey): string {
  return JSON.stringify([tenant, kind, key])
}

/**
 * Counters that differ from what was folded; with `folded` null not everybody was, and every counter is looked at. A
 * counter that differs is read again beside its rows, because writers may have moved it. `rows` are known to be wrong,
 * and so to be counted wrongly.
 */
export async function auditCounters(
  storage: Storage,
  folded: ReadonlyMap<string, number> | null,
  rows: readonly Drift[],
  isMending: boolean,
): Promise<readonly Drift[]> {
  const stored = new Map((await storage.listCounters()).map((counter) => [toText(counter), counter.count]))
  const missing = missingIn(rows)
  const drift: Drift[] = []
  for (const id of [...new Set([...(folded?.keys() ?? []), ...stored.keys()])].sort()) {
    if (folded !== null && (stored.get(id) ?? 0) === (folded.get(id) ?? 0)) continue
    const [tenant, kind, key] = JSON.parse(id) as [string, CounterKind, string]
    const found = await storage.auditCounter(tenant, kind, key)
    const counted = found.counted + (missing.get(id) ?? 0)
    if (found.stored === counted) continue
    drift.push(toDrift({ tenant, kind, key }, { stored: found.stored, counted }))
    if (isMending) await storage.repairCounter(tenant, kind, key)
  }
  return drift
}

function toDrift({ tenant, kind, key: name }: CounterKey, { stored, counted }: CounterAudit): Drift {
  const key = { tenant_id: tenant, kind, key: name }
  const toRow = (count: number): DriftRow | null => (count === 0 ? null : { ...key, count })
  return { table: 'counters', key, stored: toRow(stored), expected: toRow(counted) }
}

/** How many rows that a counter stands for are not there, less those that ought not to be. */
function missingIn(rows: readonly Drift[]): ReadonlyMap<string, number> {
  const missing = new Map<string, number>()
  for (const { table, stored, expected } of rows) {
    for (const [row, by] of [
      [stored, -1],
      [expected, 1],
    ] as const) {
      const counter = row === null ? null : counterOf(table, row)
      if (counter !== null) add(missing, counter, by)
    }
  }
  return missing
}

function counterOf(table: string, row: DriftRow): CounterKey | null {
  const tenant = String(row.tenant_id)
  if (table === 'users') return { tenant, kind: 'users', key: '' }
  if (table === 'completions') return { tenant, kind: 'completions', key: String(row.achievement) }
  if (table !== 'points' || row.level == null) return null
  return { tenant, kind: 'level', key: levelCounterKey(String(row.system), String(row.level)) }
}
