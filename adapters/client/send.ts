import type { Issue } from '../../src/errors.ts'

/** The parts of an `ApiError`. */
export interface ApiProblem {
  readonly status: number | null
  readonly code: string
  readonly issues?: readonly Issue[]
  readonly idempotencyKey?: string | null
  readonly cause?: unknown
}

/** The server refused the call, or did not answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The HTTP status. `null` if there was no readable response. */
  readonly status: number | null
  /** The server's code, such as `unknown_user`. Without a response: `no_answer` or `unreadable_answer`. */
  readonly code: string
  /** The mistakes in the request, each with its path. */
  readonly issues: readonly Issue[]
  /** The key of the event. Send it again with this key, and it counts once. `null` for other calls. */
  readonly idempotencyKey: string | null

  constructor(message: string, { status, code, issues = [], idempotencyKey = null, cause }: ApiProblem) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.code = code
    this.issues = issues
    this.idempotencyKey = idempotencyKey
  }
}

export interface ClientOptions {
  /** The URL of the application API or user API: `https://api.example.com/v1`. In a browser also a path: `/game`. */
  readonly baseUrl: string | URL
  /** An application key, which is safe in a user's browser, or in a backend an admin key. Default: the app's session. */
  readonly apiKey?: string
  /** The tenant, in a game with tenants. Application keys have one already. */
  readonly tenant?: string
  /** When the browser sends cookies. Use `include` if the pages are on another host. Default: `same-origin`. */
  readonly credentials?: 'omit' | 'same-origin' | 'include'
  /**
   * The number of retries after no response, 429 or 503. The client waits as `Retry-After` says, but not if that is more
   * than 10 seconds. Retries are safe: the client adds idempotency keys to events, and no other call acts twice. Default: 2.
   */
  readonly retries?: number
  /** The time limit of each attempt, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number
  /** Default: the runtime's `fetch`. */
  readonly fetch?: typeof fetch
}

/** A call as sent. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly query: object
  /** `undefined` if there is none. */
  readonly body: unknown
  readonly idempotencyKey: string | null
  readonly signal: AbortSignal | undefined
}

const LONGEST_WAIT_MS = 10_000

/** Sends a call until it is answered, and reads the answer. */
export async function send(options: ClientOptions, sent: Sent): Promise<unknown> {
  const { retries = 2 } = options
  for (let tried = 0; ; tried += 1) {
    if (sent.signal?.aborted === true) throw sent.signal.reason
    const outcome = await tryOnce(options, sent)
    if (!('waitMs' in outcome)) return outcome.answer
    if (outcome.waitMs === null || tried >= retries) throw outcome.error
    await pause(outcome.waitMs * (outcome.isAsked ? 1 : 2 ** tried), sent.signal)
  }
}

type Outcome =
  | { readonly answer: unknown }
  /**
   * `waitMs` is null if a retry would get the same answer. `isAsked` is true if the server asked for exactly this
   * pause.
   */
  | { readonly error: ApiError; readonly waitMs: number | null; readonly isAsked: boolean }

async function tryOnce(options: ClientOptions, sent: Sent): Promise<Outcome> {
  const { idempotencyKey } = sent
  const limit = startLimit(options.timeoutMs ?? 30_000, sent.signal)
  let response: Response
  let text: string
  try {
    response = await request(options, sent, limit.signal)
    text = await response.text()
  } catch (cause) {
    if (sent.signal?.aborted === true) throw cause
    const message = `There was no answer to ${sent.method} ${sent.path}: it is not known whether it was carried out.`
    const error = new ApiError(message, { status: null, code: 'no_answer', idempotencyKey, cause })
    return { error, waitMs: 250 + Math.random() * 250, isAsked: false }
  } finally {
    limit.stop()
  }
  const { status, headers } = response
  const body = toJson(text)
  if (response.ok && body !== undefined) return { answer: body }
  const error = toApiError(sent, status, body)
  const isBusy = status === 429 || status === 503
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  // A longer wait rejects at once, so that a page can say so.
  if (isBusy && seconds * 1_000 > LONGEST_WAIT_MS) return { error, waitMs: null, isAsked: true }
  if (isBusy && seconds >= 0) return { error, waitMs: seconds * 1_000, isAsked: true }
  return { error, waitMs: isBusy ? 500 : null, isAsked: false }
}

/** Ends an attempt after a time, or with the call. React Native lacks `AbortSignal.any` and `AbortSignal.timeout`. */
function startLimit(ms: number, signal: AbortSignal | undefined): { readonly signal: AbortSignal; stop(): void } {
  const limit = new AbortController()
  const giveUp = (): void => limit.abort(signal?.reason)
  const timer = setTimeout(() => limit.abort(new Error(`There was no answer within ${ms} ms.`)), ms)
  signal?.addEventListener('abort', giveUp)
  const stop = (): void => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
  return { signal: limit.signal, stop }
}

/** Sends a call once. */
export function request(
  options: ClientOptions,
  { method, path, query, body, idempotencyKey }: Sent,
  signal: AbortSignal | null,
): Promise<Response> {
  const { apiKey, tenant, credentials = 'same-origin' } = options
  const headers: Record<string, string> = {
    ...(apiKey === undefined ? {} : { 'X-API-KEY': apiKey }),
    ...(tenant === undefined ? {} : { 'Tenant-ID': tenant }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(idempotencyKey === null ? {} : { 'Idempotency-Key': idempotencyKey }),
  }
  const url = `${String(options.baseUrl).replace(/\/+$/, '')}/${path}${toQuery(query)}`
  return (options.fetch ?? fetch)(url, {
    method,
    headers,
    credentials,
    signal,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** Sends a list as several values, and leaves undefined properties out. */
function toQuery(query: object): string {
  const search = new URLSearchParams()
  for (const [name, given] of Object.entries(query)) {
    for (const value of Array.isArray(given) ? given : [given]) {
      if (value !== undefined) search.append(name, String(value))
    }
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The error of an answer. A proxy may answer too, with a page of its own. */
export function toApiError(
  { method, path, idempotencyKey }: Pick<Sent, 'method' | 'path' | 'idempotencyKey'>,
  status: number,
  body: unknown,
): ApiError {
  if (typeof body === 'object' && body !== null && 'error' in body && 'code' in body) {
    const problem = body as ApiProblem & { readonly error: string }
    return new ApiError(problem.error, { ...problem, status, idempotencyKey })
  }
  const message = `The answer to ${method} ${path} was ${status} and could not be read.`
  return new ApiError(message, { status, code: 'unreadable_answer', idempotencyKey })
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** Pages without https have no `crypto.randomUUID`, and React Native has no `crypto`. */
export function randomKey(): string {
  const bytes = new Uint8Array(16)
  const random = globalThis.crypto?.getRandomValues(bytes) ?? bytes.map(() => Math.random() * 256)
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
