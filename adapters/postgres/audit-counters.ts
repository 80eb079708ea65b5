import type { CounterAudit, TenantCounter } from '../../src/storage-audit.ts'
import type { CounterKind } from '../../src/storage-rows.ts'
import { auditCounterQueries, toCounterColumns, toTenantCounter } from '../sql/audit-counters.ts'
import type { SqlTraits } from '../sql/traits.ts'
import { quote } from './quote.ts'
import type { Runner } from './runner.ts'

export interface CounterAudits {
  listCounters(): Promise<readonly TenantCounter[]>
  auditCounter(tenant: string, kind: CounterKind, key: string): Promise<CounterAudit>
  repairCounter(tenant: string, kind: CounterKind, key: string): Promise<void>
}

export function counterAudits(runner: Runner, traits: SqlTraits, schema: string): CounterAudits {
  const counters = auditCounterQueries(traits)
  return {
    listCounters: async () => (await runner.all(counters.all, {})).map(toTenantCounter),
    auditCounter: async (tenant, kind, key) => {
      const [found] = await runner.all(counters.audit(kind), toCounterColumns(tenant, kind, key))
      return found ?? { stored: 0, counted: 0 }
    },
    repairCounter: (tenant, kind, key) => {
      const { text, toValues } = counters.audit(kind)
      const values = toValues(toCounterColumns(tenant, kind, key))
      const [t, k, n] = [1, 2, 3].map((place) => `$${values.length + place}::text`)
      return runner.transaction(async (session) => {
        // A lock between repairs, so that no two add the same difference; events do not take it.
        await session.query('select pg_advisory_xact_lock(hashtextextended($1, 0))::text', [
          `laurels ${schema} counter repair`,
        ])
        // Whoever writes meanwhile changes both sides by the same, so the difference stays what it is.
        await session.query(
          `with a as (${text})
            insert into ${quote(schema)}.counters as c (tenant_id, kind, key, slot, count)
            select ${t}, ${k}, ${n}, 0, a.counted - a.stored from a where a.counted <> a.stored
            on conflict (tenant_id, kind, key, slot) do update set count = c.count + excluded.count`,
          [...values, tenant, kind, key],
        )
      })
    },
  }
}
