import type { FindUsersOptions, FoundUsers, TenantsOptions, TenantUsers } from '../../src/storage.ts'
import { restOf, toFoundUsers, toSearchRead, toSpanRead, toUsersRead } from '../sql/found-users.ts'
import { toTenantsRead, withoutFirst } from '../sql/tenants.ts'
import type { Connection } from './connection.ts'
import { queries } from './queries.ts'

const { deliveries, found, messages, tenants } = queries

export function findUsers(connection: Connection, tenant: string, options: FindUsersOptions = {}): FoundUsers {
  if (options.search === undefined) {
    const { limit } = toUsersRead(tenant, options)
    return toFoundUsers(connection.all(found.page, toUsersRead(tenant, options, limit + 1)), options, null)
  }
  const span = connection.get(found.span, toSpanRead(tenant, options)) ?? { last: null, count: 0 }
  const rows = connection.all(found.search, toSearchRead(tenant, options, span.last ?? ''))
  return toFoundUsers(rows, options, restOf(span))
}

export function loadTenants(connection: Connection, options?: TenantsOptions): readonly TenantUsers[] {
  return withoutFirst(connection.all(tenants.list, toTenantsRead(options)), options)
}

export function clearTenant(connection: Connection, tenant: string): void {
  for (const each of [tenants.removeKeys, messages.ofTenant, deliveries.ofTenant]) {
    connection.run(each, { tenant_id: tenant })
  }
}
