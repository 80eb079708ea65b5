import type { KeyHolder } from '../engine/answers/wire/keys.ts'
import { parse, tenantId } from '../requests/input.ts'
import type { HttpRequest } from './exchange.ts'
import { Problem } from './problem.ts'
import type { PreparedCall, Rules } from './route.ts'

/** The same bytes for every key that is not valid. */
export function unauthorized(): Problem {
  return new Problem('unauthorized', 'Send a valid API key in the header X-API-KEY, both parts of it: {prefix}.{body}.')
}

/** Where the game has tenants; a key of another tenant is as good as none. Throws 401, then 422 and 400. */
export function readTenant(request: HttpRequest, holder: KeyHolder | null): string {
  const tenant = request.header('tenant-id')
  if (tenant === undefined || tenant === '') {
    throw new Problem('tenant_required', 'Send the tenant in the header Tenant-ID.')
  }
  if (holder?.kind === 'application' && holder.tenant !== tenant) throw unauthorized()
  if (tenant.includes(',')) {
    throw new Problem('malformed_request', 'Send the header Tenant-ID once, with one id that has no comma.')
  }
  if (!/^[\x20-\x7e]*$/.test(tenant)) {
    throw new Problem('invalid_request', 'The header Tenant-ID can hold ASCII characters only.')
  }
  return parse(tenantId, tenant, 'Tenant-ID')
}

/** Throws 403 where the key is not one for this call, whether or not what it names exists. */
export function requireAllowed(holder: KeyHolder | null, call: PreparedCall, game: Rules): void {
  if (holder?.kind !== 'application') return
  const isOwn = call.users?.every((user) => user === holder.userId) ?? false
  if (isOwn && !call.isPrivate(game)) return
  throw new Problem('forbidden', 'An application key may only be used for its own user, and not for this.')
}
