import {
  adminApi as adminRoutes,
  applicationApi as applicationRoutes,
  checkPrefix,
  fromNode,
  type HttpApi,
  serve,
  serveSessions,
  userApi as userRoutes,
} from '../../src/http/index.ts'
import type { HttpOptions, SessionOptions, SessionReaders } from '../../src/http/options.ts'
import type { DefinedGame, Gamification } from '../../src/index.ts'
import { listen, type RequestListener, type RoutedRequest } from './listen.ts'

export type { CorsOptions, HttpOptions, RateLimit, SessionOptions, WholeNumbers } from '../../src/http/options.ts'
export type { RequestListener } from './listen.ts'

export interface MountOptions extends HttpOptions {
  /**
   * The path of the API if no router removes it from the URL: on a plain `node:http` server, or with `app.use(handler)`
   * without a path. Default: `/v1` and `/admin/v1`.
   */
  readonly prefix?: string
}

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

/** `Request` is your framework's type: `(request: express.Request) => request.session.userId`. */
export interface UserApiOptions<Request>
  extends SessionOptions,
    SessionReaders<Request>,
    Pick<MountOptions, 'prefix'> {}

/**
 * Serves the calls of the signed-in user to the app's own pages. It needs no key: `user` reads the session, and no call can
 * name another user. Writes are accepted as JSON from pages of the app only. Mount it after the session:
 * `app.use('/game', userApi(gamification, { user: (request) => … }))`.
 */
export function userApi<G extends DefinedGame, Request extends RoutedRequest>(
  gamification: Gamification<G>,
  options: UserApiOptions<Request>,
): RequestListener<Request> {
  const handle = serveSessions<G, Request>(gamification, options, ['prefix'])
  return listen(checkPrefix(options.prefix ?? userRoutes.prefix), (request: Request, place) =>
    handle(fromNode(request, place), request),
  )
}

function serveKeys<G extends DefinedGame>(
  gamification: Gamification<G>,
  api: HttpApi,
  options: MountOptions,
): RequestListener {
  const handle = serve(gamification, api, options, ['prefix'])
  return listen(checkPrefix(options.prefix ?? api.prefix), (request, place) => handle(fromNode(request, place)))
}
