import type { ServerResponse } from 'node:http'
import type { HttpResponse, RequestTarget } from '../../src/http/exchange.ts'
import { checkNodeResponse, holdBody, toNode, toTarget } from '../../src/http/index.ts'
import type { NodeRequest } from '../../src/http/node.ts'

export type RoutedRequest = NodeRequest & { readonly originalUrl?: string; readonly baseUrl?: string }

/** Works on Express 4 and 5, and on a plain `node:http` server; before or after `express.json()`. */
export type RequestListener<Request extends RoutedRequest = RoutedRequest> = (
  request: Request,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void

/** Answers requests below a prefix, or below the path that a router has mounted it on. */
export function listen<Request extends RoutedRequest>(
  ownPrefix: string,
  handle: (request: Request, place: RequestTarget) => Promise<HttpResponse | null>,
): RequestListener<Request> {
  return (request, response, next) => {
    checkNodeResponse(response)
    const { url = '/' } = request
    const isBelow = isMounted(request)
    const target = isBelow ? toTarget(asSent(request, url), '') : toTarget(url, ownPrefix)
    if (target === null && next !== undefined) {
      next()
      return
    }
    const release = holdBody(request)
    const base = isBelow ? mountOf(request) : ownPrefix
    void handle(request, { base, target }).then((answer) => {
      toNode(answer, request, response)
      release()
    })
  }
}

/** True if a router has removed its path from the URL. Only Express does so, and sets `baseUrl`. */
function isMounted({ url, originalUrl, baseUrl }: RoutedRequest): boolean {
  return baseUrl === undefined ? originalUrl !== undefined && originalUrl !== url : baseUrl !== ''
}

function mountOf({ url = '/', originalUrl = '', baseUrl }: RoutedRequest): string {
  if (baseUrl !== undefined) return baseUrl
  return originalUrl.endsWith(url) ? originalUrl.slice(0, -url.length) : ''
}

/** Express 4 removes a second slash with the path, and every router adds one if the path is empty. */
function asSent({ originalUrl = '', baseUrl }: RoutedRequest, url: string): string {
  if (originalUrl === `${baseUrl}/${url}`) return `/${url}`
  return /^\/(?:\?|$)/.test(url) && !originalUrl.endsWith(url) ? url.slice(1) : url
}
