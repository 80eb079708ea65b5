import type { HttpRequest, HttpResponse } from './exchange.ts'
import type { CorsOptions } from './options.ts'

/** `credentials`: pages of the origins call with the browser's cookies for the server. */
export interface Cors extends CorsOptions {
  readonly credentials: boolean
}

const METHODS = 'GET, POST, PUT, PATCH, DELETE'
const HEADERS = 'X-API-KEY, Idempotency-Key, Content-Type, X-SDK-VERSION, Tenant-ID'
const EXPOSED = 'Retry-After'
const MAX_AGE_SECONDS = '7200'

export function corsHeaders(request: HttpRequest, { origins, credentials }: Cors): { readonly [name: string]: string } {
  if (origins === '*') return { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED }
  const origin = request.header('origin')
  if (origin === undefined || !origins.includes(origin)) return { vary: 'Origin' }
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED,
    ...(credentials ? { 'access-control-allow-credentials': 'true' } : {}),
    vary: 'Origin',
  }
}

/** A browser's question before the call itself; it carries no key. */
export function isPreflight(request: HttpRequest): boolean {
  return (
    request.method === 'OPTIONS' &&
    request.header('origin') !== undefined &&
    request.header('access-control-request-method') !== undefined
  )
}

export function toPreflightResponse(headers: { readonly [name: string]: string }): HttpResponse {
  const allowed = {
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': HEADERS,
    'access-control-max-age': MAX_AGE_SECONDS,
  }
  const isAllowed = headers['access-control-allow-origin'] !== undefined
  return { status: 204, headers: isAllowed ? { ...headers, ...allowed } : headers, body: '' }
}
