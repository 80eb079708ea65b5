import { parse, tenantId } from '../requests/input.ts'
import { type Caller, type ConsoleCaller, isOneUser } from './callers.ts'
import { findDenied, tellDenied } from './capabilities.ts'
import type { HttpRequest } from './exchange.ts'
import { Problem } from './problem.ts'
import type { PreparedCall, Route, Rules } from './route.ts'

/** The same bytes for every key that is not valid. */
export function unauthorized(): Problem {
  return new Problem('unauthorized', 'Send a valid API key in the header X-API-KEY, both parts of it: {prefix}.{body}.')
}

/** Where the game has tenants; a key of another tenant is as good as none. Throws 401, then 422 and 400. */
export function readTenant(request: HttpRequest, caller: Caller | null): string {
  if (caller?.kind === 'session') return caller.tenant
  const tenant = request.header('tenant-id')
  if (tenant === undefined || tenant === '') {
    throw new Problem('tenant_required', 'Send the tenant in the header Tenant-ID.')
  }
  if (caller?.kind === 'application' && caller.tenant !== tenant) throw unauthorized()
  if (tenant.includes(',')) {
    throw new Problem('malformed_request', 'Send the header Tenant-ID once, with one id that has no comma.')
  }
  if (!/^[\x20-\x7e]*$/.test(tenant)) {
    throw new Problem('invalid_request', 'The header Tenant-ID can hold ASCII characters only.')
  }
  return parse(tenantId, tenant, 'Tenant-ID')
}

/**
 * Throws 403 where the call is not for the caller to make, whether or not what it names exists: of another user first, then
 * of what the game and the key do not let it do.
 */
export function requireAllowed(caller: Caller | null, call: PreparedCall, game: Rules): void {
  if (!isOneUser(caller)) return
  const who = caller.kind === 'session' ? 'A session' : 'An application key'
  if (call.users === null) throw new Problem('forbidden', `${who} may not make this call: use an admin key.`)
  // One answer to both, so that it does not tell what is private.
  if (!call.users.every((user) => user === caller.userId) || call.isPrivate(game)) {
    throw new Problem('forbidden', `${who} may only be used for its own user, and for what that user may see.`)
  }
  if (caller.kind === 'session' && game.clients === null && call.deeds.some(({ type }) => type !== 'read')) {
    const help = 'the game has no `clients`, which names what signed-in users may write.'
    throw new Problem('forbidden', `${who} may only read: ${help}`)
  }
  const can = caller.kind === 'application' ? (caller.can ?? null) : null
  const denied = findDenied(game.clients, { can }, call.deeds)
  if (denied !== null) throw new Problem('forbidden', tellDenied(who, denied, game.clients))
}

/** Throws 403 where the route would change something, and whoever looks at the console may only read. */
export function requireAccess({ access }: ConsoleCaller, { changes }: Route): void {
  if (access === 'write' || !changes) return
  throw new Problem('forbidden', 'The console is read-only for you: this would change something.')
}
