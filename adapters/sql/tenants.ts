import { sql } from 'kysely'
import type { TenantsOptions, TenantUsers } from '../../src/storage.ts'
import type { SqlDatabase } from './database.ts'
import { type Statement, statement } from './statement.ts'
import type { ApiKeysTable } from './tables.ts'
import type { SqlTraits } from './traits.ts'

interface OfTenant {
  readonly tenant_id: string
}

export interface TenantQueries {
  /** Reads the counters of users. */
  readonly list: Statement<{ readonly after: string; readonly limit: number }, { tenant: string; users: number }>
  readonly removeKeys: Statement<OfTenant, unknown>
}

export function tenantQueries(traits: SqlTraits): TenantQueries {
  const { kysely } = traits
  return {
    list: statement(traits, (bind) =>
      kysely
        .selectFrom('counters')
        .select((eb) => ['tenant_id as tenant', eb.fn.sum<number>('count').as('users')])
        .where('tenant_id', '>=', bind('after'))
        .where('kind', '=', sql.lit('users' as const))
        .groupBy('tenant_id')
        .having((eb) => eb(eb.fn.sum('count'), '>', 0))
        .orderBy('tenant_id')
        .limit(bind('limit')),
    ),
    removeKeys: statement(traits, (bind) =>
      kysely
        .deleteFrom('api_keys')
        // The condition of the partial index.
        .where('kind', '=', sql.lit<ApiKeysTable['kind']>('application'))
        .where('tenant_id', '=', bind('tenant_id')),
    ),
  }
}

const CHUNK = 1_000

export async function listTenants(
  queries: TenantQueries,
  { all }: SqlDatabase,
  { after, limit = CHUNK }: TenantsOptions = {},
): Promise<readonly TenantUsers[]> {
  // The empty text is a tenant too: so a page begins with the given tenant, which is left out.
  const page = { after: after ?? '', limit: after === undefined ? limit : limit + 1 }
  const rows = await all(queries.list, page)
  return rows.filter(({ tenant }) => tenant !== after).slice(0, limit)
}
