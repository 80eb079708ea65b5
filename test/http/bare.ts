import {
  adminApi,
  applicationApi,
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  isStream,
  serve,
} from '../../src/http/index.ts'
import type { DefinedGame, Gamification } from '../../src/index.ts'
import type { RawRequest } from './raw-connection.ts'

/** An answer of the handler, or of a server. */
export interface Told {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** The handlers of both APIs with no binding around them, asked as a socket would be. */
export interface Bare {
  /** Returns `null` if the connection would be closed. Returns `undefined` if the path is under neither prefix. */
  ask(request: RawRequest): Promise<Told | null | undefined>
}

export function createBare(gamification: Gamification<DefinedGame>): Bare {
  const handlers: readonly (readonly [prefix: string, handle: HttpHandler])[] = [
    ['/v1', serve(gamification, applicationApi, {})],
    ['/admin/v1', serve(gamification, adminApi, {})],
  ]
  return {
    ask: async (raw) => {
      const found = handlers.find(([prefix]) => new RegExp(`^${prefix}(?=[/?]|$)`).test(raw.path))
      if (found === undefined) return undefined
      const [prefix, handle] = found
      const answer = await handle(toHttpRequest(raw, raw.path.slice(prefix.length)))
      if (answer === null) return null
      return { ...answer, headers: new Map(Object.entries(answer.headers)), body: await toText(answer.body) }
    },
  }
}

/** Reads every line of a stream. */
async function toText(body: HttpResponse['body']): Promise<string> {
  if (!isStream(body)) return String(body)
  let text = ''
  for await (const line of body) text += line
  return text
}

function toHttpRequest({ method, headers = [], body, chunk }: RawRequest, target: string): HttpRequest {
  const values = new Map<string, string>()
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    // As every server does.
    const trimmed = value.replace(/^[ \t]+|[ \t]+$/g, '')
    values.set(key, values.has(key) ? `${values.get(key)}, ${trimmed}` : trimmed)
  }
  const bytes = Buffer.from(body ?? '')
  if (body !== undefined && chunk === undefined) values.set('content-length', String(bytes.length))
  return {
    method,
    target,
    header: (name) => values.get(name),
    readBody: async (limit) => (bytes.length > limit ? { type: 'tooLarge' } : { type: 'bytes', bytes }),
  }
}
