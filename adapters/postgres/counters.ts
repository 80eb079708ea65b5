import { randomInt } from 'node:crypto'
import type { CounterAudit, TenantCounter } from '../../src/storage-audit.ts'
import type { CounterKind } from '../../src/storage-rows.ts'
import { auditCounterQueries, toCounterColumns, toTenantCounter } from '../sql/audit-counters.ts'
import type { SqlTraits } from '../sql/traits.ts'
import { quote } from './quote.ts'
import type { Runner } from './runner.ts'

/** How many rows one counter is spread over, so that processes that count the same at once do not wait for one another. */
export const SLOTS = 16

const MOST_SLOTS = 2 ** 47

/** A slot of its own, so that nobody waits for a transaction that may be open for long; a later batch adds it up. */
export function randomSlot(): number {
  return randomInt(SLOTS, MOST_SLOTS)
}

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

/**
 * SQL that adds up the counts that calls in hosts' transactions have left, except those that somebody else has locked.
 */
export function foldCounters(schema: string): string {
  const counters = `${quote(schema)}.counters`
  return `
with pending as (
  select tenant_id, kind, key, slot from ${counters} where slot >= ${SLOTS} for update skip locked
), taken as (
  delete from ${counters} c using pending p
    where c.tenant_id = p.tenant_id and c.kind = p.kind and c.key = p.key and c.slot = p.slot
    returning c.tenant_id, c.kind, c.key, c.count
)
insert into ${counters} as c (tenant_id, kind, key, slot, count)
  select t.tenant_id, t.kind, t.key, 0, sum(t.count) from taken t group by 1, 2, 3 having sum(t.count) <> 0
    order by t.tenant_id, t.kind, t.key
  on conflict (tenant_id, kind, key, slot) do update set count = c.count + excluded.count`
}
