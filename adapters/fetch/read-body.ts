import type { HttpBody } from '../../src/http/index.ts'

/** Reads a body up to a limit, and no further. */
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

/** Reads what is left of a body and drops it, so that the connection can go on to its next request. */
export function drop({ body }: Request): void {
  if (body === null || body.locked) return
  body.pipeTo(new WritableStream()).catch(() => undefined)
}
