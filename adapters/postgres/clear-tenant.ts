import type { Queries } from '../sql/queries.ts'
import { quote } from './quote.ts'
import type { Runner } from './runner.ts'

/**
 * Puts one row in the place of all rows of a counter, or none where they add up to 0. Whoever counts meanwhile waits
 * for a row, or makes another.
 */
export async function clearTenant(
  runner: Runner,
  { tenants, messages, deliveries }: Queries,
  schema: string,
  tenant: string,
): Promise<void> {
  const counters = `${quote(schema)}.counters`
  await runner.transaction(async (session) => {
    for (const { text, toValues } of [tenants.removeKeys, messages.ofTenant, deliveries.ofTenant]) {
      await session.query(text, toValues({ tenant_id: tenant }))
    }
    const [row] = await session.query(
      `with taken as (delete from ${counters} where tenant_id = $1 returning kind, key, count)
        select coalesce(json_agg(s), '[]')::text as value from (
          select kind, key, sum(count) as count from taken group by 1, 2 having sum(count) <> 0 order by 1, 2
        ) s`,
      [tenant],
    )
    await session.query(
      `insert into ${counters} as c (tenant_id, kind, key, slot, count)
        select $1, r.kind, r.key, 0, r.count from json_to_recordset($2::text::json) as r(kind text, key text, count bigint)
        on conflict (tenant_id, kind, key, slot) do update set count = c.count + excluded.count`,
      [tenant, (row as { readonly value: string }).value],
    )
  })
}
