import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { wrongCall } from './text.ts'

export type Bytes = AsyncIterable<Uint8Array>

/** A file to be read, or standard input. */
export interface Source {
  /** As a person calls it. */
  readonly name: string
  readonly bytes: Bytes
  /** From 0 to 1; null where the size is not known. */
  readonly fractionRead: () => number | null
}

export async function openFile(path: string): Promise<Source> {
  const file = resolve(path)
  const stats = await stat(file).catch(() => null)
  if (stats === null) throw wrongCall(`there is no file ${file}`)
  if (stats.isDirectory()) throw wrongCall(`${file} is a directory`)

  let read = 0
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of createReadStream(file)) {
      yield chunk
      read += chunk.length
    }
  }
  // A pipe has no size.
  const fractionRead = (): number | null => (stats.isFile() && stats.size > 0 ? Math.min(1, read / stats.size) : null)
  return { name: file, bytes: counted(), fractionRead }
}

/** The same bytes up to the interruption, which is not kept waiting by a pipe that has nothing to say. */
export async function* untilAborted(bytes: Bytes, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const aborted = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }))
  const iterator = bytes[Symbol.asyncIterator]()
  while (!signal.aborted) {
    const next = await Promise.race([iterator.next(), aborted])
    if (next === null || next.done === true) break
    yield next.value
  }
  // Not awaited: it may wait for the very read that was given up.
  void Promise.resolve(iterator.return?.()).catch(() => undefined)
}

/** Takes a byte order mark away; throws `invalid_request` for that of UTF-16. */
export async function* withoutMark(bytes: Bytes): AsyncGenerator<Buffer> {
  let start: Buffer | null = Buffer.alloc(0)
  for await (const chunk of bytes) {
    if (start === null) {
      yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      continue
    }
    start = Buffer.concat([start, chunk])
    if (start.length < 3) continue
    yield withoutMarkAtStart(start)
    start = null
  }
  if (start !== null) yield withoutMarkAtStart(start)
}

function withoutMarkAtStart(start: Buffer): Buffer {
  const mark = start.toString('hex', 0, 3)
  if (/^(fffe|feff)/.test(mark)) throw wrongCall('the file is UTF-16: save it as UTF-8')
  return mark === 'efbbbf' ? start.subarray(3) : start
}
