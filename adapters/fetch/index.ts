import {
  adminApi as adminRoutes,
  applicationApi as applicationRoutes,
  checkPrefix,
  type HttpApi,
  serve,
  serveSessions,
  userApi as userRoutes,
} from '../../src/http/index.ts'
import type { HttpOptions, SessionOptions, SessionReaders } from '../../src/http/options.ts'
import type { DefinedGame, Gamification } from '../../src/index.ts'
import { answerAt, type FetchHandler, fromFetch } from './fetch-handler.ts'

export type { CorsOptions, HttpOptions, RateLimit, SessionOptions, WholeNumbers } from '../../src/http/options.ts'
export type { FetchHandler } from './fetch-handler.ts'

export interface FetchOptions extends HttpOptions {
  /** The path of the API. Empty if a router removes it from the URL. Default: `/v1` and `/admin/v1`. */
  readonly prefix?: string
}

/** Serves the application API: `/v1`, unless `prefix` says otherwise. */
export function applicationApi<G extends DefinedGame>(
  gamification: Gamification<G>,
  options: FetchOptions = {},
): FetchHandler {
  return answerWith(gamification, applicationRoutes, options)
}

/** Serves the admin API: `/admin/v1`, unless `prefix` says otherwise. */
export function adminApi<G extends DefinedGame>(
  gamification: Gamification<G>,
  options: FetchOptions = {},
): FetchHandler {
  return answerWith(gamification, adminRoutes, options)
}

export interface UserApiOptions extends SessionOptions, SessionReaders<Request>, Pick<FetchOptions, 'prefix'> {}

/**
 * Serves the calls of the signed-in user to the app's own pages. It needs no key: `user` reads the session, and no call can
 * name another user. Writes are accepted as JSON from pages of the app only. Default prefix: `/user/v1`.
 */
export function userApi<G extends DefinedGame>(gamification: Gamification<G>, options: UserApiOptions): FetchHandler {
  const handle = serveSessions<G, Request>(gamification, options, ['prefix'])
  return answerAt(checkPrefix(options.prefix ?? userRoutes.prefix), (request, place) =>
    handle(fromFetch(request, place), request),
  )
}

function answerWith<G extends DefinedGame>(
  gamification: Gamification<G>,
  api: HttpApi,
  options: FetchOptions,
): FetchHandler {
  const handle = serve(gamification, api, options, ['prefix'])
  return answerAt(checkPrefix(options.prefix ?? api.prefix), (request, place) => handle(fromFetch(request, place)))
}
