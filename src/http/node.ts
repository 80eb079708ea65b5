import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import type { HttpBody, HttpRequest, HttpResponse, RequestTarget } from './exchange.ts'
import { isStream } from './stream.ts'

/** A request of Node's, which a body parser of the host may have read already. */
export type NodeRequest = IncomingMessage & { readonly body?: unknown }

/** `source` is the stream of the body, which a host may have replaced. */
export function fromNode(
  request: NodeRequest,
  { base, target }: RequestTarget,
  source: Readable = request,
): HttpRequest {
  return {
    method: request.method ?? 'GET',
    base,
    target: target ?? '',
    isSecure: 'encrypted' in request.socket && request.socket.encrypted === true,
    header: (name) => {
      if (name === 'content-type') return contentType(request)
      // HTTP/2 has another name for it.
      const value = request.headers[name] ?? (name === 'host' ? request.headers[':authority'] : undefined)
      return typeof value === 'string' ? value : value?.join(', ')
    },
    readBody: (limit) => readBody(source, request, limit),
  }
}

/**
 * Stops a body to which something of the host listens already: its bytes would be gone by the time the key was checked.
 * Called before anything is waited for. Returns what lets the rest of the body go.
 */
export function holdBody(source: Readable): () => void {
  if (source.readableFlowing !== true) return () => undefined
  source.pause()
  return () => source.resume()
}

function readBody(source: Readable, { body }: NodeRequest, limit: number): Promise<HttpBody> {
  // Read by the host; `complete` alone would also hold for a short body that waits in the buffer.
  if (source.readableEnded) return Promise.resolve(toParsed(body, limit))
  if (source.destroyed) return Promise.resolve({ type: 'brokenOff' })
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = []
    let size = 0
    const finish = (read: HttpBody): void => {
      // The listener for errors stays, because an unhandled later error would end the process.
      source.off('data', take).off('end', end).off('close', breakOff)
      resolve(read)
    }
    const take = (chunk: Uint8Array | string): void => {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      size += bytes.length
      chunks.push(bytes)
      if (size <= limit) return
      finish({ type: 'tooLarge' })
      // The rest is read and dropped, so that the connection can continue to its next request.
      source.resume()
    }
    const end = (): void =>
      finish({ type: 'bytes', bytes: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks) })
    const breakOff = (): void => finish({ type: 'brokenOff' })
    source.on('data', take).on('end', end).on('error', breakOff).on('close', breakOff)
    source.resume()
  })
}

function toParsed(body: unknown, limit: number): HttpBody {
  const read = typeof body === 'string' ? Buffer.from(body) : body === undefined ? new Uint8Array() : body
  if (!(read instanceof Uint8Array)) return { type: 'parsed', value: read }
  return read.length > limit ? { type: 'tooLarge' } : { type: 'bytes', bytes: read }
}

/**
 * Node gives only the first of several values; the handler refuses several. A header that the host removed is read as
 * sent.
 */
function contentType({ headers, rawHeaders }: NodeRequest): string | undefined {
  const given: string[] = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (isContentType(rawHeaders[index] ?? '')) given.push(rawHeaders[index + 1] ?? '')
  }
  return given.length > 1 ? given.join(', ') : (headers['content-type'] ?? given[0])
}

/** Names of headers come in any letters; most of them are of another length. */
function isContentType(name: string): boolean {
  return name.length === 12 && name.toLowerCase() === 'content-type'
}

/** null closes the connection. */
export function toNode(response: HttpResponse | null, request: IncomingMessage, to: ServerResponse): void {
  if (response === null) {
    // A request that was read to its end would leave its connection open.
    request.socket.destroy()
    return
  }
  // A host that stopped waiting has answered already.
  if (to.headersSent) return
  const { status, headers, body } = response
  to.statusCode = status
  for (const [name, value] of Object.entries(headers)) {
    // The host may vary its answers by something of its own.
    const known = name === 'vary' ? to.getHeader(name) : undefined
    to.setHeader(name, known === undefined ? value : `${known}, ${value}`)
  }
  if (isStream(body)) {
    // Writes each line when it is made. The stream ends if the client has gone, and the response breaks off if it fails.
    pipeline(Readable.from(body), to, () => undefined)
    return
  }
  if (status !== 204) to.setHeader('content-length', Buffer.byteLength(body))
  to.end(body)
}
