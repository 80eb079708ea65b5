import { sql } from 'kysely'
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

/** The empty text is a tenant too: so a page begins with the given tenant, which `withoutFirst` leaves out. */
export function toTenantsRead({ after, limit = CHUNK }: { readonly after?: string; readonly limit?: number } = {}): {
  readonly after: string
  readonly limit: number
} {
  return { after: after ?? '', limit: after === undefined ? limit : limit + 1 }
}

export function withoutFirst<Item extends { readonly tenant: string }>(
  rows: readonly Item[],
  { after, limit = CHUNK }: { readonly after?: string; readonly limit?: number } = {},
): readonly Item[] {
  return rows.filter(({ tenant }) => tenant !== after).slice(0, limit)
}
