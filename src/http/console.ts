import { describeGiven } from '../options.ts'
import { requireOwnPage } from './authorize.ts'
import type { HttpRequest, HttpResponse } from './exchange.ts'
import { answer, createServer, type Engine, type Server } from './handler.ts'
import type { ConsoleAccess, ConsoleCaller } from './options.ts'
import { HttpProblem } from './problem.ts'
import { toTarget } from './query.ts'
import { type HttpApi, ok, type Route, routesOf } from './route.ts'

/** The host's answer about the viewer of the console. */
export interface ConsoleSession {
  /** `read` or `write`. Null and undefined deny access. */
  access(): unknown
}

export interface ConsoleSettings {
  readonly version: string
  /** The tenant that the pages begin with, if the game has tenants, or `null` if the viewer chooses one. */
  readonly tenant: string | null
  readonly origins?: readonly string[]
}

/** Answers the requests of the console's pages, below `/api`. Otherwise as `HttpHandler`. */
export type ConsoleHandler = (request: HttpRequest, session: ConsoleSession) => Promise<HttpResponse | null>

const ROOT = '/api'

/**
 * Serves tables of routes to viewers whom the host authorizes, with all rights of an admin key, or only its reads.
 * Other callers learn nothing about the routes, public ones included.
 */
export function createConsoleHandler(
  engine: Engine,
  apis: readonly HttpApi[],
  { origins, ...settings }: ConsoleSettings,
): ConsoleHandler {
  const tables = apis.map(({ prefix, routes }) => ({ prefix: ROOT + prefix, server: createServer(engine, routes) }))
  const { multiTenant } = engine.game.rules
  const hasWebhookKey = engine.webhooks.hasKey
  const describe = (access: ConsoleAccess): Server =>
    createServer(engine, [description({ access, multiTenant, hasWebhookKey, ...settings })])
  const others: Record<ConsoleAccess, Server> = { read: describe('read'), write: describe('write') }

  const find = (request: HttpRequest, { access }: ConsoleCaller): readonly [server: Server, below: HttpRequest] => {
    const base = request.base ?? ''
    for (const { prefix, server } of tables) {
      const target = toTarget(request.target, prefix)
      if (target !== null) return [server, { ...request, base: base + prefix, target }]
    }
    return [others[access], { ...request, base: base + ROOT, target: toTarget(request.target, ROOT) ?? '' }]
  }

  return async (request, session) => {
    try {
      requireOwnSite(request)
      requireOwnPage(request, origins)
      const caller = await readAccess(session)
      if (caller === null)
        throw new HttpProblem('unauthorized', 'Sign in: the request comes from a person who may not see the console.')
      const [server, below] = find(request, caller)
      return await answer(server, below, performance.now(), async () => caller)
    } catch (error) {
      const refuse = (): never => {
        throw error
      }
      return answer({ ...others.read, dispatch: refuse }, request, performance.now(), refuse)
    }
  }
}

/** Returns `null` if the host denies access. Throws a `TypeError` for any other answer. */
export async function readAccess(session: ConsoleSession): Promise<ConsoleCaller | null> {
  const access = await session.access()
  if (access === 'read' || access === 'write') return { kind: 'console', access }
  if (access === null || access === undefined) return null
  throw new TypeError(`The option authorize answered ${describeGiven(access)}: answer 'read', 'write' or null.`)
}

/** Throws 403 for requests from pages of other sites, which browsers mark, though such a page could not read the answer. */
function requireOwnSite(request: HttpRequest): void {
  const site = request.header('sec-fetch-site')
  if (site === undefined || site === 'same-origin' || site === 'none') return
  throw new HttpProblem('forbidden', "This is for the console's own pages: the request is from a page of another site.")
}

interface Info extends Pick<ConsoleSettings, 'version' | 'tenant'> {
  readonly access: ConsoleAccess
  readonly multiTenant: boolean
  readonly hasWebhookKey: boolean
}

function description(body: Info): Route {
  return routesOf('Console')('GET /console.json', 'console', {
    summary: 'Get what the console may do here',
    // The host has authorized the caller already, and it belongs to no tenant.
    isPublic: true,
    answers: ok('For the pages of the console.', { type: 'object' }),
    run: async () => body,
  })
}
