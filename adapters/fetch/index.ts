import {
  adminApi as adminRoutes,
  applicationApi as applicationRoutes,
  checkPrefix,
  checkServing,
  type HttpApi,
  type HttpOptions,
  type HttpRequest,
  type HttpResponse,
  serve,
  toTarget,
} from '../../src/http/index.ts'
import type { DefinedGame, Gamification } from '../../src/index.ts'
import { drop, readBody } from './read-body.ts'

export type { CorsOptions, HttpOptions } from '../../src/http/index.ts'

export interface FetchOptions extends HttpOptions {
  /** The path it answers under. Default: `/v1` and `/admin/v1`; empty where a router has taken it off the URL. */
  readonly prefix?: string
}

/**
 * Answers every request and never rejects. When it is not known whether a call was carried out, the body of the answer
 * breaks off, so that the connection is closed and no client takes it for done or undone.
 */
export type FetchHandler = (request: Request) => Promise<Response>

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

function answerWith<G extends DefinedGame>(
  gamification: Gamification<G>,
  api: HttpApi,
  given: FetchOptions,
): FetchHandler {
  checkServing(gamification, given, ['prefix'])
  const { prefix = api.prefix, ...options } = given
  const handle = serve(gamification, api, options)
  const ownPrefix = checkPrefix(prefix)
  return async (request) => {
    const response = await handle(fromFetch(request, toTarget(request.url.replace(/#.*$/s, ''), ownPrefix) ?? ''))
    drop(request)
    return toResponse(response, request.method)
  }
}

function fromFetch(request: Request, target: string): HttpRequest {
  return {
    method: request.method,
    target,
    header: (name) => request.headers.get(name) ?? undefined,
    readBody: (limit) => readBody(request, limit),
  }
}

function toResponse(response: HttpResponse | null, method: string): Response {
  if (response === null) return new Response(brokenOff())
  const { status, headers, body } = response
  return new Response(status === 204 || method === 'HEAD' ? null : body, { status, headers })
}

function brokenOff(): ReadableStream {
  return new ReadableStream({
    start: (controller) => controller.error(new Error('It is not known whether the call was carried out.')),
  })
}
