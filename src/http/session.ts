import type { z } from 'zod'
import { describeGiven } from '../options.ts'
import { tenantId, userId } from '../requests/input.ts'
import type { SessionUser } from './callers.ts'
import type { HttpRequest } from './exchange.ts'
import { Problem } from './problem.ts'

/** What the host says of the session of a request. */
export interface Session {
  /** The user's id; null or undefined: nobody is signed in. */
  user(): unknown
  /** The tenant's id, where the game has tenants. */
  tenant(): unknown
}

/** Throws 401 where nobody is signed in, and a fault where the host's answer is none. */
export async function readSession(session: Session, multiTenant: boolean): Promise<SessionUser> {
  const user = await session.user()
  if (user === null || user === undefined) {
    throw new Problem('unauthorized', 'Sign in: the request has no session of a user.')
  }
  const tenant = multiTenant ? readOption('tenant', tenantId, await session.tenant()) : ''
  return { kind: 'session', tenant, userId: readOption('user', userId, user) }
}

/** What the host answers wrongly is a fault of the server, and nothing that who asks could mend. */
function readOption(name: string, schema: z.ZodType<string>, answered: unknown): string {
  const { data, error } = schema.safeParse(answered)
  if (data !== undefined) return data
  const mistake = typeof answered === 'string' ? error?.issues[0]?.message : 'must be a string'
  throw new TypeError(`The option ${name} of userApi answered ${describeGiven(answered)}: an id ${mistake}.`)
}

const SAFE = ['GET', 'HEAD', 'OPTIONS']

/**
 * A browser sends the cookies of the session whichever page asks. What changes something is therefore to come from a page
 * of the app: with an origin of its own, and as JSON, which pages of others cannot send unasked. Throws 403 and 415.
 */
export function requireOwnPage(request: HttpRequest, origins: readonly string[] | undefined): void {
  if (SAFE.includes(request.method)) return
  const origin = request.header('origin')
  if (origin === undefined || !(origins === undefined ? isOfHost(origin, request) : origins.includes(origin))) {
    throw new Problem(
      'forbidden',
      origin === undefined
        ? 'What changes something is taken from a page of the app only: send the header Origin, as browsers do.'
        : "What changes something is taken from a page of the app only, and the header Origin names another site's.",
    )
  }
  if (/^application\/json\s*(?:;|$)/i.test(request.header('content-type') ?? '')) return
  throw new Problem('unsupported_media_type', 'Send the body as JSON, with the header Content-Type: application/json.')
}

/** Whether the page is from where the request was sent to. */
function isOfHost(origin: string, request: HttpRequest): boolean {
  const host = request.header('host')
  const known = URL.parse(origin)
  if (host === undefined || known === null || known.origin !== origin) return false
  // A proxy may have taken TLS off, so a page over https is accepted when the request came over http.
  const isOfScheme = known.protocol === 'https:' || (known.protocol === 'http:' && request.isSecure !== true)
  return isOfScheme && known.host === host.toLowerCase()
}
