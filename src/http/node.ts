import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { HttpBody, HttpRequest, HttpResponse } from './exchange.ts'

/** A request of Node's, which a body parser of the host may have read already. */
export type NodeRequest = IncomingMessage & { readonly body?: unknown }

/** `source` is where the body is read from: a host may have put a stream of its own in place of the request's. */
export function fromNode(request: NodeRequest, target: string, source: Readable = request): HttpRequest {
  return {
    method: request.method ?? 'GET',
    target,
    header: (name) => {
      const value = request.headers[name]
      return typeof value === 'string' ? value : value?.join(', ')
    },
    readBody: (limit) => readBody(source, request, limit),
  }
}

function readBody(source: Readable, { body }: NodeRequest, limit: number): Promise<HttpBody> {
  // Read by the host; `complete` alone would also hold for a short body that waits in the buffer.
  if (source.readableEnded) return Promise.resolve(toParsed(body))
  if (source.destroyed) return Promise.resolve({ type: 'brokenOff' })
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = []
    let size = 0
    const finish = (read: HttpBody): void => {
      source.off('data', take).off('end', end).off('error', breakOff).off('close', breakOff)
      resolve(read)
    }
    const take = (chunk: Uint8Array): void => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= limit) return
      finish({ type: 'tooLarge' })
      // The rest is read and dropped, so that the connection can go on to its next request.
      source.resume()
    }
    const end = (): void =>
      finish({ type: 'bytes', bytes: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks) })
    const breakOff = (): void => finish({ type: 'brokenOff' })
    source.on('data', take).on('end', end).on('error', breakOff).on('close', breakOff)
    source.resume()
  })
}

function toParsed(body: unknown): HttpBody {
  if (body === undefined) return { type: 'bytes', bytes: new Uint8Array() }
  if (typeof body === 'string') return { type: 'bytes', bytes: Buffer.from(body) }
  return body instanceof Uint8Array ? { type: 'bytes', bytes: body } : { type: 'parsed', value: body }
}

/** null closes the connection. */
export function toNode(response: HttpResponse | null, request: IncomingMessage, to: ServerResponse): void {
  if (response === null) {
    // A request that was read to its end would leave its connection open.
    request.socket.destroy()
    return
  }
  // A host that gave up waiting has answered already.
  if (to.headersSent) return
  const { status, headers, body } = response
  to.statusCode = status
  for (const [name, value] of Object.entries(headers)) {
    // The host may vary its answers by something of its own.
    const known = name === 'vary' ? to.getHeader(name) : undefined
    to.setHeader(name, known === undefined ? value : `${known}, ${value}`)
  }
  if (status !== 204) to.setHeader('content-length', Buffer.byteLength(body))
  to.end(body)
}
