/** A request and its response as plain data: what every binding translates to and from. */

export interface HttpRequest {
  /** In capitals. */
  readonly method: string
  /** The mount point: the path under which the API is served. Absent or empty: it is the root, or not known. */
  readonly base?: string
  /** What follows the mount point, as it came: `/users/18?x=1`, still percent-encoded. */
  readonly target: string
  /** Whether it came over TLS. Absent: not known, as behind a proxy. */
  readonly isSecure?: boolean
  /** A header's value, by its name in small letters; one that came twice is joined by `, `. */
  header(name: string): string | undefined
  /** Reads at most `limit` bytes; asked at most once. */
  readBody(limit: number): Promise<HttpBody>
}

export type HttpBody =
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  | { readonly type: 'tooLarge' }
  /** The client has gone. */
  | { readonly type: 'brokenOff' }
  /** By a body parser of the host, before us. */
  | { readonly type: 'parsed'; readonly value: unknown }

export interface HttpResponse {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  /** A stream is read by whoever sends it, once; it is ended (`return`) where the client has gone. */
  readonly body: string | Uint8Array<ArrayBuffer> | AsyncIterable<string>
}

/**
 * Answers a request and never rejects. null: the connection is to be closed without an answer, because it is not known
 * whether what was asked for happened, and any answer would make the client repeat it or count on it.
 */
export type HttpHandler = (request: HttpRequest) => Promise<HttpResponse | null>

/** Where a request was sent to, as in `HttpRequest`. */
export interface Place {
  readonly base: string
  /** null: elsewhere, with nobody else to ask. */
  readonly target: string | null
}

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
