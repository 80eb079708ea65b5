import type { ServerResponse } from 'node:http'
import {
  adminApi as adminRoutes,
  applicationApi as applicationRoutes,
  checkPrefix,
  checkServing,
  fromNode,
  type HttpApi,
  type HttpOptions,
  type NodeRequest,
  serve,
  toNode,
  toTarget,
} from '../../src/http/index.ts'
import type { DefinedGame, Gamification } from '../../src/index.ts'

export type { CorsOptions, HttpOptions } from '../../src/http/index.ts'

export interface MountOptions extends HttpOptions {
  /**
   * The path it answers under where no router has taken it off: on a plain `node:http` server, or `app.use(handler)`
   * without a path. Default: `/v1` and `/admin/v1`.
   */
  readonly prefix?: string
}

type RoutedRequest = NodeRequest & { readonly originalUrl?: string; readonly baseUrl?: string }

/** Works on Express 4 and 5, and on a plain `node:http` server; before or after `express.json()`. */
export type RequestListener = (
  request: RoutedRequest,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void

/** Serves the application API: `app.use('/v1', applicationApi(gamification))`. */
export function applicationApi<G extends DefinedGame>(
  gamification: Gamification<G>,
  options: MountOptions = {},
): RequestListener {
  return listen(gamification, applicationRoutes, options)
}

/** Serves the admin API: `app.use('/admin/v1', adminApi(gamification))`. */
export function adminApi<G extends DefinedGame>(
  gamification: Gamification<G>,
  options: MountOptions = {},
): RequestListener {
  return listen(gamification, adminRoutes, options)
}

function listen<G extends DefinedGame>(
  gamification: Gamification<G>,
  api: HttpApi,
  given: MountOptions,
): RequestListener {
  checkServing(gamification, given, ['prefix'])
  const { prefix = api.prefix, ...options } = given
  const handle = serve(gamification, api, options)
  const ownPrefix = checkPrefix(prefix)
  return (request, response, next) => {
    const { url = '/' } = request
    const target = isMounted(request) ? toTarget(withSlash(request, url), '') : toTarget(url, ownPrefix)
    if (target === null && next !== undefined) {
      next()
      return
    }
    // Elsewhere, with nobody else to answer: no route is there.
    void handle(fromNode(request, target ?? '')).then((answer) => toNode(answer, request, response))
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
