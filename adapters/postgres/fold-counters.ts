import { quote } from './quote.ts'
import { SLOTS } from './slots.ts'

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
