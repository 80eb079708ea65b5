import type { z } from 'zod'
import type { Action, Rules } from '../api/endpoint.ts'
import { describeGiven } from '../options.ts'
import { parse, tenantId, userId } from '../runtime/input.ts'
import { findDenied, toDenialMessage } from './capabilities.ts'
import type { HttpRequest } from './exchange.ts'
import { type Caller, type ConsoleCaller, isOneUser, type SessionReaders, type SessionUser } from './options.ts'
import { HttpProblem } from './problem.ts'
import type { PreparedCall, Route } from './route.ts'

/** The same bytes for every key that is not valid. */
export function unauthorized(): HttpProblem {
  return new HttpProblem(
    'unauthorized',
    'Send a valid API key in the header X-API-KEY, both parts of it: {prefix}.{body}.',
  )
}

/**
 * Reads the tenant if the game has tenants. A key of another tenant counts as invalid. Throws 401, then 422 and 400.
 */
export function readTenant(request: HttpRequest, caller: Caller | null): string {
  if (caller?.kind === 'session') return caller.tenant
  const tenant = request.header('tenant-id')
  if (tenant === undefined || tenant === '') {
    throw new HttpProblem('tenant_required', 'Send the tenant in the header Tenant-ID.')
  }
  if (caller?.kind === 'application' && caller.tenant !== tenant) throw unauthorized()
  if (tenant.includes(',')) {
    throw new HttpProblem('malformed_request', 'Send the header Tenant-ID once, with one id that has no comma.')
  }
  if (!/^[\x20-\x7e]*$/.test(tenant)) {
    throw new HttpProblem('invalid_request', 'The header Tenant-ID can hold ASCII characters only.')
  }
  return parse(tenantId, tenant, 'Tenant-ID')
}

/**
 * Throws 403 if the caller may not make the call. Checks the named users first, then the rights from the game and the
 * key. The answer does not depend on what exists.
 */
export function requireAllowed(caller: Caller | null, call: PreparedCall, game: Rules): void {
  if (!isOneUser(caller)) return
  const who = caller.kind === 'session' ? 'A session' : 'An application key'
  if (call.users === null) throw new HttpProblem('forbidden', `${who} may not make this call: use an admin key.`)
  // Both cases get one answer, so that it does not reveal private keys.
  if (!call.users.every((user) => user === caller.userId) || call.isPrivate(game)) {
    throw new HttpProblem('forbidden', `${who} may only be used for its own user, and for what that user may see.`)
  }
  const isOther = ({ type }: Action): boolean => type !== 'read' && type !== 'choice'
  if (caller.kind === 'session' && game.clients === null && call.actions.some(isOther)) {
    const help = 'the game has no `clients`, which names what signed-in users may write.'
    throw new HttpProblem('forbidden', `${who} may only read: ${help}`)
  }
  const can = caller.kind === 'application' ? (caller.can ?? null) : null
  const denied = findDenied(game.clients, can, call.actions)
  if (denied !== null) throw new HttpProblem('forbidden', toDenialMessage(who, denied, game.clients))
}

export function requireAccess({ access }: ConsoleCaller, { changes }: Route): void {
  if (access === 'write' || !changes) return
  throw new HttpProblem('forbidden', 'The console is read-only for you: this would change something.')
}

/** Throws 401 if no user is signed in, and a `TypeError` if the host's answer is no id. */
export async function readSession<Request>(
  { user: readUser, tenant: readTenantOf, among }: SessionReaders<Request>,
  own: Request,
  multiTenant: boolean,
): Promise<SessionUser> {
  const user = await readUser(own)
  if (user === null || user === undefined) {
    throw new HttpProblem('unauthorized', 'Sign in: the request has no session of a user.')
  }
  const tenant = multiTenant ? readOption('tenant', tenantId, await readTenantOf?.(own)) : ''
  const session = { kind: 'session', tenant, userId: readOption('user', userId, user) } as const
  return among === undefined ? session : { ...session, among: () => among(own) }
}

/** A wrong answer of the host is a fault of the server: the caller cannot mend it. */
function readOption(name: string, schema: z.ZodType<string>, answered: unknown): string {
  const { data, error } = schema.safeParse(answered)
  if (data !== undefined) return data
  const mistake = typeof answered === 'string' ? error?.issues[0]?.message : 'must be a string'
  throw new TypeError(`The option ${name} of userApi answered ${describeGiven(answered)}: an id ${mistake}.`)
}

const SAFE = ['GET', 'HEAD', 'OPTIONS']

/**
 * A browser sends the session's cookies for every page that asks. A call that changes something must therefore come from
 * a page of the app: with the app's origin, and as JSON, which other sites cannot send without asking. Throws 403 and 415.
 */
export function requireOwnPage(request: HttpRequest, origins: readonly string[] | undefined): void {
  if (SAFE.includes(request.method)) return
  const origin = request.header('origin')
  if (origin === undefined || !(origins === undefined ? isOfHost(origin, request) : origins.includes(origin))) {
    const why =
      origin === undefined ? ': send the header Origin, as browsers do' : ", and the header Origin names another site's"
    throw new HttpProblem('forbidden', `Writes are accepted only from a page of the app${why}.`)
  }
  if (/^application\/json\s*(?:;|$)/i.test(request.header('content-type') ?? '')) return
  throw new HttpProblem(
    'unsupported_media_type',
    'Send the body as JSON, with the header Content-Type: application/json.',
  )
}

function isOfHost(origin: string, request: HttpRequest): boolean {
  const host = request.header('host')
  const known = URL.parse(origin)
  if (host === undefined || known === null || known.origin !== origin) return false
  // A proxy may have taken TLS off, so a page over https is accepted when the request came over http.
  const isOfScheme = known.protocol === 'https:' || (known.protocol === 'http:' && request.isSecure !== true)
  return isOfScheme && known.host === host.toLowerCase()
}
