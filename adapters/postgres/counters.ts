import { randomInt } from 'node:crypto'
import { type AuditQueries, type CounterRow, compareCounters } from '../sql/audit.ts'
import { toJsonText } from './runner.ts'
import type { Session } from './session.ts'
import { quote } from './sql-text.ts'

/** How many rows one counter is spread over, so that processes that count the same at once do not wait for one another. */
export const SLOTS = 16

const MOST_SLOTS = 2 ** 47

/** A slot of its own, so that nobody waits for a transaction that may be open for long; a later batch adds it up. */
export function randomSlot(): number {
  return randomInt(SLOTS, MOST_SLOTS)
}

/** Whoever counts meanwhile changes a counter and its rows by the same, so the difference stays what it is. */
export async function recount(session: Session, schema: string, { counters }: AuditQueries): Promise<void> {
  // A lock between repairs, so that no two add the same difference; events do not take it.
  const lock = 'select pg_advisory_xact_lock(hashtextextended($1, 0))::text'
  await session.query(lock, [`laurels ${schema} counter repair`])
  const [row] = await session.query(toJsonText(counters.text), [])
  const found: readonly CounterRow[] = JSON.parse((row as { readonly json: string | null }).json ?? '[]')
  const changes = compareCounters(found).map(({ key, stored, expected }) => {
    return { ...key, count: Number(expected?.count ?? 0) - Number(stored?.count ?? 0) }
  })
  await session.query(
    `insert into ${quote(schema)}.counters as c (tenant_id, kind, key, slot, count)
      select r.tenant_id, r.kind, r.key, 0, r.count
        from json_to_recordset($1::text::json) as r(tenant_id text, kind text, key text, count bigint)
      on conflict (tenant_id, kind, key, slot) do update set count = c.count + excluded.count`,
    [JSON.stringify(changes)],
  )
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
