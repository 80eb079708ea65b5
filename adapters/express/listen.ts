import type { ServerResponse } from 'node:http'
import type { HttpResponse } from '../../src/http/exchange.ts'
import { checkNodeResponse, toNode, toTarget } from '../../src/http/index.ts'
import type { NodeRequest } from '../../src/http/node.ts'

export type RoutedRequest = NodeRequest & { readonly originalUrl?: string; readonly baseUrl?: string }

/** Works on Express 4 and 5, and on a plain `node:http` server; before or after `express.json()`. */
export type RequestListener<Request extends RoutedRequest = RoutedRequest> = (
  request: Request,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void

/** Answers what lies below a prefix, or where a router has mounted it. `target` null: elsewhere, with nobody else to ask. */
export function listen<Request extends RoutedRequest>(
  ownPrefix: string,
  handle: (request: Request, target: string | null) => Promise<HttpResponse | null>,
): RequestListener<Request> {
  return (request, response, next) => {
    checkNodeResponse(response)
    const { url = '/' } = request
    const target = isMounted(request) ? toTarget(asSent(request, url), '') : toTarget(url, ownPrefix)
    if (target === null && next !== undefined) {
      next()
      return
    }
    void handle(request, target).then((answer) => toNode(answer, request, response))
  }
}

/** Whether a router that was given a path has taken it off. Others than Express keep the whole URL, and no `baseUrl`. */
function isMounted({ url, originalUrl, baseUrl }: RoutedRequest): boolean {
  return baseUrl === undefined ? originalUrl !== undefined && originalUrl !== url : baseUrl !== ''
}

/** Express 4 takes off a second slash with the path, and every router puts one where the path is all there is. */
function asSent({ originalUrl = '', baseUrl }: RoutedRequest, url: string): string {
  if (originalUrl === `${baseUrl}/${url}`) return `/${url}`
  return /^\/(?:\?|$)/.test(url) && !originalUrl.endsWith(url) ? url.slice(1) : url
}
