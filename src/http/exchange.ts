/** A request and its response as plain data: what every binding translates to and from. */

export interface HttpRequest {
  /** In capitals. */
  readonly method: string
  /** The mount point: the path under which the API is served. Absent or empty: it is the root, or not known. */
  readonly base?: string
  /** The raw path after the mount point, such as `/users/18?x=1`, still percent-encoded. */
  readonly target: string
  /** True if it came over TLS. Absent if not known, for example behind a proxy. */
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
  /** A stream is read once, by the binding. The binding ends it (`return`) if the client has gone. */
  readonly body: string | Uint8Array<ArrayBuffer> | AsyncIterable<string>
}

/**
 * Answers a request and never rejects. If it resolves to `null`, the binding closes the connection without an answer.
 * It is not known then if the call was carried out, and any answer would make the client repeat it or rely on it.
 */
export type HttpHandler = (request: HttpRequest) => Promise<HttpResponse | null>

/** The URL that a request was sent to, as in `HttpRequest`. */
export interface RequestTarget {
  readonly base: string
  /** `null` if the path lies elsewhere, and there is no other handler. */
  readonly target: string | null
}

const NO_SNIFF = { 'x-content-type-options': 'nosniff' }
/** All answers share it. */
const JSON_HEADERS = Object.freeze({
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  ...NO_SNIFF,
})

/** A JSON response. Caches must not keep it: it is for one user at one moment. */
export function toJsonResponse(
  status: number,
  body: unknown,
  headers: { readonly [name: string]: string } | null = null,
  toText: (body: unknown) => string = JSON.stringify,
): HttpResponse {
  return { status, headers: headers === null ? JSON_HEADERS : { ...JSON_HEADERS, ...headers }, body: toText(body) }
}

/** Lines of JSON, each sent when it is made. Headers ask proxies not to buffer them. */
export function toStreamResponse(status: number, body: AsyncIterable<string>): HttpResponse {
  const caching = { 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' }
  return { status, headers: { 'content-type': 'application/x-ndjson; charset=utf-8', ...caching, ...NO_SNIFF }, body }
}
