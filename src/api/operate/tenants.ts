import type { Context } from '../../runtime/context.ts'
import { parse, tenantId } from '../../runtime/input.ts'
import { publicCall, tracedCall } from '../../runtime/tracing.ts'
import type { DeletedTenant, TenantsResponse } from '../../shapes/users.ts'
import { clearTenant } from '../../sql/queries.ts'
import { loadTenants } from '../../sql/user-lists.ts'
import { wait } from '../../storage/steps.ts'
import { exportAll } from './export-users.ts'
import {
  type ExportOptions,
  exportOptions,
  type TenantDeletionOptions,
  type TenantsRequest,
  tenantsRequest,
} from './requests.ts'
import { eachUser, usersFrom } from './walk-users.ts'

/** Tenants as a whole. In a game without tenants there is one, whose id is empty. */
export interface TenantsApi {
  /** Returns a page of the tenants that have users, in order of id, with their counts. */
  list(request?: TenantsRequest): Promise<TenantsResponse>
  /** Exports everything that is stored about a tenant's users, as lines of JSON, each with a line break. */
  export(id: string, options?: ExportOptions): AsyncGenerator<string>
  /**
   * Deletes the users of a tenant one by one, then all other rows of it. If the call is interrupted, repeat it to
   * delete the remaining users. Users who are created during the call may remain.
   */
  delete(id: string, options?: TenantDeletionOptions): Promise<DeletedTenant>
}

export function createTenants(context: Context): TenantsApi {
  return {
    list: (request) => publicCall('tenants.list', 'internal', () => listTenants(context, request)),
    export: (id, options = {}) => exportAll(context, readTenant(id), options),
    delete: (id, options) => tracedCall('tenants.delete', async () => deleteTenant(context, id, options)),
  }
}

async function listTenants({ storage }: Context, request: unknown = {}): Promise<TenantsResponse> {
  const { after, limit } = parse(tenantsRequest, request, 'request')
  // One item more than the page says whether another page follows.
  const found = await loadTenants(storage, { limit: limit + 1, ...(after === undefined ? {} : { after }) })
  const tenants = found.slice(0, limit).map(({ tenant, users }) => ({ id: tenant, users }))
  return { tenants, after: found.length > limit ? (tenants.at(-1)?.id ?? null) : null }
}

async function deleteTenant({ storage }: Context, given: unknown, options: unknown = {}): Promise<DeletedTenant> {
  const id = readTenant(given)
  const { onProgress, signal } = parse(exportOptions, options, 'options')
  let users = 0
  for await (const { user } of usersFrom(eachUser, storage, id)) {
    signal?.throwIfAborted()
    if ((await storage.transaction((tx) => wait(tx.removeUser({ tenant: id, user })))) === 'unknown') continue
    users += 1
    onProgress?.({ users, last: user })
  }
  await clearTenant(storage, id)
  return { id, users }
}

/** The empty text is the tenant of a game without tenants. */
function readTenant(id: unknown): string {
  return id === '' ? '' : parse(tenantId, id, 'tenant id')
}
