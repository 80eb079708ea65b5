import type { ServerResponse } from 'node:http'
import {
  adminApi as adminRoutes,
  applicationApi as applicationRoutes,
  checkPrefix,
  checkServing,
  checkSessions,
  fromNode,
  type HttpApi,
  type HttpResponse,
  serve,
  serveSessions,
  toNode,
  toTarget,
  userApi as userRoutes,
} from '../../src/http/index.ts'
import type { NodeRequest } from '../../src/http/node.ts'
import type { HttpOptions, SessionOptions } from '../../src/http/options.ts'
import type { DefinedGame, Gamification } from '../../src/index.ts'

export type { CorsOptions, HttpOptions, RateLimit, SessionOptions } from '../../src/http/options.ts'

export interface MountOptions extends HttpOptions {
  /**
   * The path it answers under where no router has taken it off: on a plain `node:http` server, or `app.use(handler)`
   * without a path. Default: `/v1` and `/admin/v1`.
   */
  readonly prefix?: string
}

type RoutedRequest = NodeRequest & { readonly originalUrl?: string; readonly baseUrl?: string }

/** Works on Express 4 and 5, and on a plain `node:http` server; before or after `express.json()`. */
export type RequestListener<Request extends RoutedRequest = RoutedRequest> = (
  request: Request,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void

/** Serves the application API: `app.use('/v1', applicationApi(gamification))`. */
export function applicationApi<G extends DefinedGame>(
  gamification: Gamification<G>,
  options: MountOptions = {},
): RequestListener {
  return serveKeys(gamification, applicationRoutes, options)
}

/** Serves the admin API: `app.use('/admin/v1', adminApi(gamification))`. */
export function adminApi<G extends DefinedGame>(
  gamification: Gamification<G>,
  options: MountOptions = {},
): RequestListener {
  return serveKeys(gamification, adminRoutes, options)
}

/** `Request` is the host's own type of a request: `(request: express.Request) => request.session.userId`. */
export interface UserApiOptions<Request> extends SessionOptions, Pick<MountOptions, 'prefix'> {
  /** The id of the user who is signed in; null or undefined: nobody, which is answered with 401. */
  readonly user: (request: Request) => string | null | undefined | Promise<string | null | undefined>
  /** The id of the user's tenant, where the game has tenants. */
  readonly tenant?: (request: Request) => string | Promise<string>
}

/**
 * Serves what one user may do, to the app's own pages: no key, the user is whom the app's session names, and cannot name
 * another. Mount it after the session: `app.use('/game', userApi(gamification, { user: (request) => … }))`. What changes
 * something is taken as JSON from a page of the app only.
 */
export function userApi<G extends DefinedGame, Request extends RoutedRequest>(
  gamification: Gamification<G>,
  given: UserApiOptions<Request>,
): RequestListener<Request> {
  checkSessions(gamification, given, ['prefix'])
  const { prefix = userRoutes.prefix, user, tenant, ...options } = given
  const handle = serveSessions(gamification, userRoutes, options)
  return listen(checkPrefix(prefix), (request: Request, target) =>
    handle(fromNode(request, target), { user: () => user(request), tenant: () => tenant?.(request) }),
  )
}

function serveKeys<G extends DefinedGame>(
  gamification: Gamification<G>,
  api: HttpApi,
  given: MountOptions,
): RequestListener {
  checkServing(gamification, given, ['prefix'])
  const { prefix = api.prefix, ...options } = given
  const handle = serve(gamification, api, options)
  return listen(checkPrefix(prefix), (request, target) => handle(fromNode(request, target)))
}

function listen<Request extends RoutedRequest>(
  ownPrefix: string,
  handle: (request: Request, target: string) => Promise<HttpResponse | null>,
): RequestListener<Request> {
  return (request, response, next) => {
    const { url = '/' } = request
    const target = isMounted(request) ? toTarget(withSlash(request, url), '') : toTarget(url, ownPrefix)
    if (target === null && next !== undefined) {
      next()
      return
    }
    // Elsewhere, with nobody else to answer: no route is there.
    void handle(request, target ?? '').then((answer) => toNode(answer, request, response))
  }
}

/** Whether a router that was given a path has taken it off. Others than Express keep the whole URL, and no `baseUrl`. */
function isMounted({ url, originalUrl, baseUrl }: RoutedRequest): boolean {
  return baseUrl === undefined ? originalUrl !== undefined && originalUrl !== url : baseUrl !== ''
}

/** Express 4 takes off a second slash with the path. */
function withSlash({ originalUrl, baseUrl }: RoutedRequest, url: string): string {
  return originalUrl === `${baseUrl}/${url}` ? `/${url}` : url
}
