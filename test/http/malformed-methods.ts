import type { Exception, MalformedCase } from './malformed-cases.ts'

const noSuchRequest: readonly Exception[] = [
  {
    bindings: ['fetch'],
    status: 405,
    says: 'JSON of the host of the tests',
    reason: 'a Request cannot have this method',
  },
]

const ALLOWED: readonly (readonly [path: string, methods: readonly string[]])[] = [
  ['/v1/achievements/tour/complete', ['POST']],
  ['/v1/metrics/words/event', ['POST']],
  ['/v1/users', ['POST']],
  ['/v1/users/ann', ['GET', 'HEAD', 'PUT', 'PATCH']],
  ['/v1/users/ann/metrics/words/event-summary', ['GET', 'HEAD']],
  ['/v1/streaks', ['GET', 'HEAD']],
  ['/v1/openapi.json', ['GET', 'HEAD']],
  ['/admin/v1/application-api-keys', ['POST', 'GET', 'HEAD', 'DELETE']],
  ['/admin/v1/metrics/events', ['POST']],
]

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'M-SEARCH',
  'LOCK',
  'QUERY',
]

/** Paths of each kind with every method that they do not take; without a key, since the method is asked for first. */
export const WRONG_METHODS: readonly { readonly path: string; readonly cases: readonly MalformedCase[] }[] =
  ALLOWED.map(([path, allow]) => ({
    path,
    cases: METHODS.filter((method) => !allow.includes(method)).map((method) => ({
      what: `${method} ${path}`,
      request: { method, path, headers: [['X-API-KEY', 'none'] as const] },
      status: 405,
      code: 'method_not_allowed',
      allow,
      ...(method === 'TRACE' ? { exceptions: noSuchRequest } : {}),
    })),
  }))
