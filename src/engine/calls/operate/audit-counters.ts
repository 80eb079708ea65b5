import type { Storage } from '../../../storage.ts'
import type { CounterAudit, Drift, DriftRow, TenantCounter, UserFacts } from '../../../storage-audit.ts'
import type { CounterKind } from '../../../storage-rows.ts'
import { countChanges } from '../../accept/counter-changes.ts'

/** Adds what a user's facts are counted as. */
export function addCounts(counted: Map<string, number>, tenant: string, facts: UserFacts | null): void {
  if (facts === null) return
  for (const { kind, key, by } of countChanges(null, facts.state)) {
    const id = toText({ tenant, kind, key })
    counted.set(id, (counted.get(id) ?? 0) + by)
  }
}

type CounterKey = Omit<TenantCounter, 'count'>

function toText({ tenant, kind, key }: CounterKey): string {
  return JSON.stringify([tenant, kind, key])
}

/**
 * Counters that differ from the folds. `folded` null: only some users were folded, so every counter is looked at. A
 * counter that differs is read again beside the rows it counts, because writers may have moved it.
 */
export async function auditCounters(
  storage: Storage,
  folded: ReadonlyMap<string, number> | null,
  isMending: boolean,
): Promise<readonly Drift[]> {
  const stored = new Map((await storage.listCounters()).map((counter) => [toText(counter), counter.count]))
  const drift: Drift[] = []
  for (const id of [...new Set([...(folded?.keys() ?? []), ...stored.keys()])].sort()) {
    if (folded !== null && (stored.get(id) ?? 0) === (folded.get(id) ?? 0)) continue
    const [tenant, kind, key] = JSON.parse(id) as [string, CounterKind, string]
    const found = await storage.auditCounter(tenant, kind, key)
    if (found.stored === found.counted) continue
    drift.push(toDrift({ tenant, kind, key }, found))
    if (isMending) await storage.repairCounter(tenant, kind, key)
  }
  return drift
}

function toDrift({ tenant, kind, key: name }: CounterKey, { stored, counted }: CounterAudit): Drift {
  const key = { tenant_id: tenant, kind, key: name }
  const toRow = (count: number): DriftRow | null => (count === 0 ? null : { ...key, count })
  return { table: 'counters', key, stored: toRow(stored), expected: toRow(counted) }
}
