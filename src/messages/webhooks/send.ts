import { lookup as resolveByHost } from 'node:dns/promises'
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import type { LookupFunction } from 'node:net'
import { isInside, isLiteralInside } from './addresses.ts'

export interface Address {
  readonly address: string
  readonly family: number
}

export type Resolve = (name: string) => Promise<readonly Address[]>

export interface SenderOptions {
  readonly resolve?: Resolve
  /** For a whole attempt: name, connection, request and response. */
  readonly timeoutMs?: number
}

export interface Post {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
  readonly allowInternal: boolean
}

export interface WebhookResponse {
  readonly status: number | null
  /** Why the response does not count. `null` if it is complete. */
  readonly error: string | null
  readonly retryAfter: string | undefined
  readonly text: string
}

/** Sends once. Never rejects. When `signal` aborts, the request ends without a complete response. */
export type Send = (post: Post, signal?: AbortSignal) => Promise<WebhookResponse>

const TIMEOUT_MS = 15_000
const MOST_HEADER_BYTES = 16_384
/** The connection is closed after this many bytes. */
const MOST_BODY_BYTES = 65_536
const SHOWN_BYTES = 1_024
/** Informational answers, such as 103, come before the answer. */
const MOST_INFORMATIONAL = 10

/** A failure whose message may be shown to readers of deliveries. */
class Failed extends Error {}

const NO_ANSWER: WebhookResponse = { status: null, error: null, retryAfter: undefined, text: '' }

export function createSender({ resolve = resolveAll, timeoutMs = TIMEOUT_MS }: SenderOptions = {}): Send {
  return async (post, signal) => {
    const url = new URL(post.url)
    // Sockets do not call `lookup` for a literal address.
    if (!post.allowInternal && isLiteralInside(url)) return { ...NO_ANSWER, error: INTERNAL }
    const call = await open(url, post, lookupBy(resolve, post.allowInternal))
    let answer = NO_ANSWER
    let stopped: string | null = null
    const stop = (why: string): void => {
      stopped ??= why
      call.destroy()
    }
    const abort = (): void => stop('the process was closed during the request')
    const timer = setTimeout(() => stop(`no whole answer within ${timeoutMs / 1_000} s`), timeoutMs)
    signal?.addEventListener('abort', abort)
    if (signal?.aborted === true) abort()
    try {
      const response = await responseTo(call, post.body)
      answer = { ...answer, status: response.statusCode ?? null, retryAfter: response.headers['retry-after'] }
      await read(response, (text) => {
        answer = { ...answer, text }
      })
      return answer
    } catch (error) {
      return { ...answer, error: stopped ?? (answer.status === null ? describe(error) : 'the answer broke off') }
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      // The rest of the body is not read.
      call.destroy()
    }
  }
}

function responseTo(call: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    call.on('error', reject)
    call.on('close', () => reject(new Failed('the connection was closed')))
    call.on('response', resolve)
    let informational = 0
    call.on('information', () => {
      informational += 1
      if (informational > MOST_INFORMATIONAL) call.destroy(new Failed('there were too many informational answers'))
    })
    call.end(body)
  })
}

async function open(url: URL, { headers, body }: Post, lookup: LookupFunction): Promise<ClientRequest> {
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    lookup,
    // A new connection per request, so that its address is checked each time. Redirects are never followed.
    agent: false,
    maxHeaderSize: MOST_HEADER_BYTES,
  }
  // Loaded here: these modules load fetch too, and most processes send nothing.
  const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'))
  return request(url, options)
}

/** Resolves names for sockets. Rejects a name if any of its addresses is internal, because another attempt might use it. */
function lookupBy(resolve: Resolve, allowInternal: boolean): LookupFunction {
  return (name, options, callback) => {
    resolve(name).then(
      (found) => {
        const inside = !allowInternal && found.some(({ address }) => isInside(address))
        const [first] = found
        if (inside) return callback(new Failed(INTERNAL), '')
        if (first === undefined) return callback(new Error('The name has no address.'), '')
        if (options.all === true) return callback(null, [...found])
        callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }
}

async function resolveAll(name: string): Promise<readonly Address[]> {
  return resolveByHost(name, { all: true })
}

/** Reads the body up to a limit and reports its beginning. Rejects if the response breaks off. */
async function read(response: IncomingMessage, report: (text: string) => void): Promise<void> {
  let shown = Buffer.alloc(0)
  let bytes = 0
  for await (const chunk of response.iterator({ destroyOnReturn: false })) {
    if (!(chunk instanceof Uint8Array)) continue
    bytes += chunk.length
    if (shown.length < SHOWN_BYTES) {
      shown = Buffer.concat([shown, chunk.subarray(0, SHOWN_BYTES - shown.length)])
      report(toShown(shown))
    }
    if (bytes > MOST_BODY_BYTES) return
  }
}

/** Postgres stores no NUL characters. */
function toShown(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\0', '\ufffd')
}

const INTERNAL = 'the URL leads to an internal address, which is not allowed'

/** Names no address, because readers of deliveries must not learn about the network. */
function describe(error: unknown): string {
  if (error instanceof Failed) return error.message
  const reasons: unknown[] = error instanceof AggregateError ? [error, ...error.errors] : [error]
  const codes = reasons.flatMap((each) =>
    each instanceof Error && 'code' in each && typeof each.code === 'string' ? [each.code] : [],
  )
  return codes[0] === undefined ? 'the request failed' : `the request failed (${codes[0]})`
}
