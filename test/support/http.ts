import type { RateLimit } from '../../adapters/fetch/index.ts'
import { memory } from '../../adapters/memory/index.ts'
import type { GameDefinition, Storage } from '../../src/index.ts'
import { type BindingName, listen } from './bindings.ts'
import { type Engine, NOON, openOn } from './engine.ts'

export { BINDINGS, type BindingName, sendRaw } from './bindings.ts'

export interface HttpOptions {
  readonly definition: GameDefinition
  readonly binding?: BindingName
  /** Default: memory(). */
  readonly storage?: Storage
  readonly cors?: { readonly origins: readonly string[] | '*' }
  /** Options of pages that use a session. */
  readonly origins?: readonly string[]
  readonly rateLimit?: RateLimit
  readonly wholeNumbers?: 'round' | 'floor'
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** As it came. */
  readonly text: string
  /** Parsed; undefined when the text is empty. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
  readonly body: any
}

interface Call {
  /** Sent as JSON with the content type, unless it is a string, which is sent unchanged. */
  readonly body?: unknown
  /** Default: the server's admin key. No key if null. */
  readonly key?: string | null
  readonly headers?: Record<string, string>
}

export interface Server {
  /** `http://127.0.0.1:port` */
  readonly base: string
  readonly port: number
  readonly adminKey: string
  /** The same engine in-process; `at` sets its clock, which starts at `NOON`. */
  readonly engine: Engine
  /** `path` as `/v1/users/ann`. */
  call(method: string, path: string, call?: Call): Promise<Answer>
  /** Makes an application key through the admin API and returns the full key. */
  applicationKey(userId: string, tenant?: string): Promise<string>
  close(): Promise<void>
}

/** An engine on an empty storage, with one admin key, served on a port of its own. */
export async function openServer(options: HttpOptions): Promise<Server> {
  const { definition, binding = 'node', storage = memory(), cors, origins, rateLimit, wholeNumbers } = options
  const engine = await openOn(storage, { now: NOON }, definition)
  const { base, port, close } = await listen(binding, engine, {
    ...(cors === undefined ? {} : { cors }),
    ...(origins === undefined ? {} : { origins }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
    ...(wholeNumbers === undefined ? {} : { wholeNumbers }),
  })
  const { key: adminKey } = await engine.adminKeys.create()

  const call: Server['call'] = async (method, path, { body, key = adminKey, headers = {} } = {}) => {
    const isJson = body !== undefined && typeof body !== 'string'
    const response = await fetch(base + path, {
      method,
      headers: {
        ...(key === null ? {} : { 'X-API-KEY': key }),
        ...(isJson ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : String(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: text === '' ? undefined : toJson(text) }
  }

  return {
    base,
    port,
    adminKey,
    engine,
    call,
    applicationKey: async (userId, tenant) => {
      const { body } = await call('POST', '/admin/v1/application-api-keys', {
        body: [{ userId }],
        headers: tenant === undefined ? {} : { 'Tenant-ID': tenant },
      })
      return body.created[0].key
    },
    close: async () => {
      await close()
      await engine.close()
    },
  }
}

/** HTML of a host's own, say, stays text. */
function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
