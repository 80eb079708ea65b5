import type { HttpBody, HttpRequest, HttpResponse, RequestTarget } from '../../src/http/exchange.ts'
import { checkFetchRequest, isStream, toTarget } from '../../src/http/index.ts'

export async function readBody(request: Request, limit: number): Promise<HttpBody> {
  if (request.bodyUsed || request.body?.locked) return { type: 'brokenOff' }
  if (request.body === null) return { type: 'bytes', bytes: new Uint8Array() }
  const reader = request.body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      // The types say bytes; a host's own stream may hold text.
      const chunk: unknown = next.value
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : next.value
      size += bytes.length
      if (size > limit) {
        reader.releaseLock()
        return { type: 'tooLarge' }
      }
      chunks.push(bytes)
    }
  } catch {
    return { type: 'brokenOff' }
  }
  return { type: 'bytes', bytes: Buffer.concat(chunks) }
}

/** Reads and drops the rest of a body, so that the connection can take its next request. */
export function drop({ body }: Request): void {
  if (body === null || body.locked) return
  body.pipeTo(new WritableStream()).catch(() => undefined)
}

/**
 * Answers every request, and rejects only for a value that is not a `Request`. If it is not known whether a call was
 * carried out, the body of the answer breaks off. The connection is then closed, and no client takes the call for done
 * or undone.
 */
export type FetchHandler = (request: Request) => Promise<Response>

export function answerAt(
  ownPrefix: string,
  handle: (request: Request, place: RequestTarget) => Promise<HttpResponse | null>,
): FetchHandler {
  return async (request) => {
    checkFetchRequest(request)
    const target = toTarget(request.url.replace(/#.*$/s, ''), ownPrefix)
    const response = await handle(request, { base: ownPrefix, target })
    drop(request)
    return toResponse(response, request.method)
  }
}

export function fromFetch(request: Request, { base, target }: RequestTarget): HttpRequest {
  return {
    method: request.method,
    base,
    target: target ?? '',
    isSecure: request.url.startsWith('https:'),
    header: (name) => request.headers.get(name) ?? (name === 'host' ? URL.parse(request.url)?.host : undefined),
    readBody: (limit) => readBody(request, limit),
  }
}

function toResponse(response: HttpResponse | null, method: string): Response {
  if (response === null) return new Response(brokenOff())
  const { status, headers, body } = response
  if (status === 204 || method === 'HEAD') return new Response(null, { status, headers })
  return new Response(isStream(body) ? toReadable(body) : body, { status, headers })
}

/** Sends each line when it is read. The stream ends when the reader leaves. */
function toReadable(lines: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const iterator = lines[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  return new ReadableStream({
    pull: async (controller) => {
      const { value, done } = await iterator.next()
      if (done === true) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: async () => {
      await iterator.return?.()
    },
  })
}

function brokenOff(): ReadableStream {
  return new ReadableStream({
    start: (controller) => controller.error(new Error('It is not known whether the call was carried out.')),
  })
}
