import { lookup as resolveByHost } from 'node:dns/promises'
import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { z } from 'zod'
import type { Webhook, WebhookDelivery, WebhookTry } from '../../api/keys/types.ts'
import { toInstantText } from '../../api/users/answer.ts'
import { GamificationError } from '../../errors.ts'
import { quote, suggest } from '../../game/suggest.ts'
import type { Delivery } from '../../storage/outbox.ts'
import { toldTenant } from '../messages.ts'
import { readSecret, SECRET_RULE } from './signed-request.ts'
import type { StoredWebhook } from './stored-webhook.ts'

/**
 * What is not the public internet: nothing is sent there unless the host allows it. Two lists: one alone would hold
 * addresses of one kind against ranges of the other.
 */
const INSIDE_V4: BlockList = new BlockList()
const INSIDE_V6: BlockList = new BlockList()

const RANGES_V4: readonly (readonly [net: string, prefix: number])[] = [
  // This host, and what no packet may come from.
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Carriers' networks.
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Of the link; clouds answer with credentials there.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  // Documentation.
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  // Benchmarks of devices.
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast, reserved, and to all.
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

const RANGES_V6: readonly (readonly [net: string, prefix: number])[] = [
  // Only 2000::/3 is given out: loopback, unique local, link local, site local and multicast are all outside of it.
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  // Teredo, ORCHID, benchmarks and what else is for protocols.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
]

for (const [net, prefix] of RANGES_V4) INSIDE_V4.addSubnet(net, prefix, 'ipv4')
for (const [net, prefix] of RANGES_V6) INSIDE_V6.addSubnet(net, prefix, 'ipv6')

/** Whether an address leads to this machine, its network, or nowhere; true for what is no address. */
export function isInside(address: string): boolean {
  const family = isIP(address)
  if (family === 0) return true
  if (family === 4) return INSIDE_V4.check(address, 'ipv4')
  const bytes = toBytes(address)
  if (bytes === null) return true
  const inner = innerV4(bytes)
  if (inner !== null) return INSIDE_V4.check(inner, 'ipv4')
  return INSIDE_V6.check(toText(bytes), 'ipv6')
}

/** The IPv4 address that an IPv6 address stands for, where it is made of one: whoever routes it goes there. */
function innerV4(bytes: readonly number[]): string | null {
  const startsWith = (...prefix: readonly number[]): boolean => prefix.every((byte, index) => bytes[index] === byte)
  // ::ffff:a.b.c.d, mapped.
  if (startsWith(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff)) return bytes.slice(12).join('.')
  // 64:ff9b::a.b.c.d, through NAT64.
  if (startsWith(0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0)) return bytes.slice(12).join('.')
  // 2002:aabb:ccdd::, 6to4.
  if (startsWith(0x20, 0x02)) return bytes.slice(2, 6).join('.')
  return null
}

function toText(bytes: readonly number[]): string {
  const words = Array.from({ length: 8 }, (_, index) => (bytes[2 * index] ?? 0) * 256 + (bytes[2 * index + 1] ?? 0))
  return words.map((word) => word.toString(16)).join(':')
}

/** The 16 bytes of an IPv6 address, without its zone. */
function toBytes(address: string): readonly number[] | null {
  const [plain = ''] = address.split('%')
  // A URL writes every address in one way, without an IPv4 part.
  const written = URL.parse(`http://[${plain}]/`)?.hostname.slice(1, -1)
  if (written === undefined) return null
  const [head = '', tail] = written.split('::')
  const words = (text: string): readonly string[] => (text === '' ? [] : text.split(':'))
  const [left, right] = [words(head), words(tail ?? '')]
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0')
  const all = [...left, ...zeros, ...right]
  if (all.length !== 8) return null
  return all.flatMap((word) => {
    const value = Number.parseInt(word, 16)
    return [value >> 8, value & 0xff]
  })
}

export const MOST_IN_URL = 2_048

/**
 * What is wrong with the address of a webhook, as the rest of a sentence; null: nothing that can be known before the
 * name is resolved.
 */
export function urlProblem(text: string, allowInternal: boolean): string | null {
  if (text.length > MOST_IN_URL) return `must have at most ${MOST_IN_URL} characters`
  const url = URL.parse(text)
  if (url === null) return 'must be a URL, as https://example.com/hooks'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https:// or http://'
  if (url.username !== '' || url.password !== '') return 'must have no user and no password in it'
  if (url.hash !== '') return 'must have no fragment (#): it is never sent'
  if (!allowInternal && isLiteralInside(url)) return 'must not be an internal address, unless allowInternal is given'
  return null
}

/** The host as sockets take it: an IPv6 address without its brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

/** Whether the host, as it is written, is internal. Names are resolved only when something is sent. */
function isLiteralInside(url: URL): boolean {
  const host = hostOf(url)
  if (isIP(host) !== 0) return isInside(host)
  return host === 'localhost' || host.endsWith('.localhost')
}

function refuse(path: string, message: string): never {
  throw new GamificationError('invalid_request', `Invalid webhook: ${path}: ${message}`, {
    issues: [{ path, message }],
  })
}

/** Returns the URL as requests use it. */
export function checkUrl(url: string, allowInternal: boolean): string {
  const problem = urlProblem(url, allowInternal)
  if (problem !== null) refuse('url', problem)
  return new URL(url).href
}

export function checkSecret(secret: string | undefined): void {
  // Never repeated, not even a wrong one.
  if (secret !== undefined && readSecret(secret) === null) refuse('secret', SECRET_RULE)
}

export function checkTypes(types: readonly string[], known: readonly string[]): void {
  for (const [index, type] of types.entries()) {
    if (known.includes(type)) continue
    const near = suggest(type, known)
    const help = near === null ? `there are ${known.join(', ')}` : `did you mean ${quote(near)}?`
    refuse(`types[${index}]`, `there is no message of the type ${quote(type)}; ${help}`)
  }
}

export interface Address {
  readonly address: string
  readonly family: number
}

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly Address[]>

export interface SenderOptions {
  /** Default: as the machine resolves names. */
  readonly resolve?: Resolve
  /** For a whole try: name, connection, request and answer. */
  readonly timeoutMs?: number
}

export interface Post {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
  readonly allowInternal: boolean
}

/** What came back. */
export interface Answer {
  /** null: no answer came. */
  readonly status: number | null
  /** Why the answer does not count; null: all of it came. */
  readonly error: string | null
  readonly retryAfter: string | undefined
  /** The beginning of what was answered. */
  readonly text: string
}

/** Sends once. Never rejects. When `signal` aborts, the request ends without a whole answer. */
export type Send = (post: Post, signal?: AbortSignal) => Promise<Answer>

const TIMEOUT_MS = 15_000
const MOST_HEADER_BYTES = 16_384
/** More is not read: the connection is closed. */
const MOST_BODY_BYTES = 65_536
const SHOWN_BYTES = 1_024
/** Informational answers (1xx) before the answer itself. */
const MOST_INFORMATIONAL = 10

class Inside extends Error {}

export function createSender({ resolve = resolveAll, timeoutMs = TIMEOUT_MS }: SenderOptions = {}): Send {
  return (post, signal) =>
    new Promise((finish) => {
      const url = new URL(post.url)
      const failed = (error: string): Answer => ({ status: null, error, retryAfter: undefined, text: '' })
      // Sockets ask nobody for the address of an address.
      if (!post.allowInternal && isLiteralInside(url)) return finish(failed(INTERNAL))
      const call = open(url, post, lookupBy(resolve, post.allowInternal))
      let answer = failed('no answer came')
      const end = (ended: Answer): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        finish(ended)
        // What is not read is not waited for.
        call.destroy()
      }
      const timer = setTimeout(
        () => end({ ...answer, error: `no whole answer within ${timeoutMs / 1_000} s` }),
        timeoutMs,
      )
      const abort = (): void => end({ ...answer, error: 'the process was closed meanwhile' })
      signal?.addEventListener('abort', abort)
      let informational = 0
      call.on('information', () => {
        informational += 1
        if (informational > MOST_INFORMATIONAL)
          end({ ...answer, error: `more than ${MOST_INFORMATIONAL} informational answers (1xx) came` })
      })
      call.on('error', (error) => end({ ...answer, error: describe(error) }))
      call.on('close', () => {
        // A whole answer may be there, and not be read yet.
        if (answer.status === null) end({ ...answer, error: 'the connection was closed' })
      })
      call.on('response', (response) => {
        const { statusCode = null, headers } = response
        answer = { status: statusCode, error: null, retryAfter: headers['retry-after'], text: '' }
        read(response, (text) => {
          answer = { ...answer, text }
        }).then(
          () => end(answer),
          () => end({ ...answer, error: 'the answer broke off' }),
        )
      })
      call.end(post.body)
    })
}

function open(url: URL, { headers, body }: Post, lookup: LookupFunction): ClientRequest {
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    lookup,
    // A connection of its own, so that the address is looked at each time. Redirects are followed by nobody.
    agent: false,
    maxHeaderSize: MOST_HEADER_BYTES,
  }
  return url.protocol === 'https:' ? httpsRequest(url, options) : httpRequest(url, options)
}

/** Resolves names for sockets. A name of which one address is inside is refused: another try might take that one. */
function lookupBy(resolve: Resolve, allowInternal: boolean): LookupFunction {
  return (name, options, callback) => {
    resolve(name).then(
      (found) => {
        const inside = !allowInternal && found.some(({ address }) => isInside(address))
        const [first] = found
        if (inside) return callback(new Inside(), '')
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

/** Reads to the end, or as much as is read at all; tells the beginning. Rejects where the answer breaks off. */
async function read(response: IncomingMessage, tell: (text: string) => void): Promise<void> {
  let shown = Buffer.alloc(0)
  let bytes = 0
  for await (const chunk of response.iterator({ destroyOnReturn: false })) {
    if (!(chunk instanceof Uint8Array)) continue
    bytes += chunk.length
    if (shown.length < SHOWN_BYTES) {
      shown = Buffer.concat([shown, chunk.subarray(0, SHOWN_BYTES - shown.length)])
      tell(toShown(shown))
    }
    if (bytes > MOST_BODY_BYTES) return
  }
}

/** Text that any database keeps. */
function toShown(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\0', '\ufffd')
}

const INTERNAL = 'the URL leads to an internal address, which is not allowed'

/** Without addresses: whoever may see deliveries may not know the network. */
function describe(error: unknown): string {
  if (error instanceof Inside) return INTERNAL
  const reasons: unknown[] = error instanceof AggregateError ? [error, ...error.errors] : [error]
  const codes = reasons.flatMap((each) =>
    each instanceof Error && 'code' in each && typeof each.code === 'string' ? [each.code] : [],
  )
  return codes[0] === undefined ? 'the request failed' : `the request failed (${codes[0]})`
}

/** One try of a delivery, as it is kept. */
export interface Try {
  readonly at: number
  readonly status: number | null
  readonly ms: number
  readonly error: string | null
}

/** What became of the last tries, the newest last, and the beginning of the last answer. */
export interface Tries {
  readonly tries: readonly Try[]
  readonly answer: string
}

const MOST_KEPT = 10
const NO_TRIES: Tries = { tries: [], answer: '' }

const schema: z.ZodType<Tries> = z.object({
  tries: z.array(
    z.object({ at: z.number(), status: z.number().nullable(), ms: z.number(), error: z.string().nullable() }),
  ),
  answer: z.string(),
})

export const NO_LOG: string = JSON.stringify(NO_TRIES)

function readTries(log: string): Tries {
  return schema.safeParse(JSON.parse(log)).data ?? NO_TRIES
}

export function withTry(log: string, made: Try, answer: string): string {
  return JSON.stringify({ tries: [...readTries(log).tries, made].slice(-MOST_KEPT), answer })
}

/** Without anything of its secrets. */
export function toWebhook(stored: StoredWebhook, deliveries: Webhook['deliveries']): Webhook {
  const { id, name, url, types, order, serviceSignature, allowInternal, disabled, createdAt } = stored
  return {
    id,
    name,
    url,
    types,
    order,
    serviceSignature,
    allowInternal,
    status: disabled === null ? 'active' : 'disabled',
    disabled: disabled === null ? null : { at: toInstantText(disabled.at), because: disabled.because },
    created: toInstantText(createdAt),
    deliveries,
  }
}

export function toWebhookDelivery(delivery: Delivery, multiTenant: boolean): WebhookDelivery {
  const { messageId: id, type, at, tenant, user, state, tries, nextAt } = delivery
  return {
    id,
    type,
    at: toInstantText(at),
    tenant: toldTenant(tenant, multiTenant),
    userId: user,
    state,
    tries,
    nextTryAt: state !== 'waiting' || nextAt === null ? null : toInstantText(nextAt),
    lastTry: lastTryOf(delivery),
  }
}

function lastTryOf({ log }: Delivery): WebhookTry | null {
  const { tries, answer } = readTries(log)
  const last = tries.at(-1)
  if (last === undefined) return null
  return { at: toInstantText(last.at), status: last.status, durationMs: last.ms, error: last.error, answer }
}
