import type { FindUsersOptions, FoundUsers, TenantsOptions, TenantUsers } from '../../src/storage.ts'
import { restOf, toFoundUsers, toSearchRead, toSpanRead, toUsersRead } from '../sql/found-users.ts'
import type { Queries } from '../sql/queries.ts'
import { toTenantsRead, withoutFirst } from '../sql/tenants.ts'
import { quote } from './quote.ts'
import type { Reader, Runner } from './runner.ts'

export async function findUsers(
  reader: Reader,
  { found }: Queries,
  tenant: string,
  options: FindUsersOptions = {},
): Promise<FoundUsers> {
  if (options.search === undefined) {
    const { limit } = toUsersRead(tenant, options)
    return toFoundUsers(await reader.all(found.page, toUsersRead(tenant, options, limit + 1)), options, null)
  }
  const [span = { last: null, count: 0 }] = await reader.all(found.span, toSpanRead(tenant, options))
  const rows = await reader.all(found.search, toSearchRead(tenant, options, span.last ?? ''))
  return toFoundUsers(rows, options, restOf(span))
}

export async function loadTenants(
  reader: Reader,
  { tenants }: Queries,
  options?: TenantsOptions,
): Promise<readonly TenantUsers[]> {
  return withoutFirst(await reader.all(tenants.list, toTenantsRead(options)), options)
}

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
