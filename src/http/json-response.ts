import type { HttpResponse } from './exchange.ts'

/** Answers are of one user at one moment: nobody is to keep them. */
export function toJsonResponse(
  status: number,
  body: unknown,
  headers: { readonly [name: string]: string } = {},
): HttpResponse {
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
    body: JSON.stringify(body),
  }
}

/** Lines of JSON, each sent when it is made: what stands between is not to collect them. */
export function toStreamResponse(status: number, body: AsyncIterable<string>): HttpResponse {
  return {
    status,
    headers: {
      'content-type': 'application/x-ndjson; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-content-type-options': 'nosniff',
      'x-accel-buffering': 'no',
    },
    body,
  }
}
