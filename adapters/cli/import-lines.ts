import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'
import type { ImportCompletion, ImportItem } from '../../src/api/events/requests.ts'
import { unknownProperty } from '../../src/game/suggest.ts'
import { wrongCall } from './text.ts'

/** What a line of the file says: an item, or why it is none. The number is that of its first line, from 1. */
export type Line = { readonly line: number } & Reading

export type Reading = { readonly item: ImportItem | ImportCompletion | ExportedLine } | { readonly problem: string }

/** A line of an export, which the import itself reads. */
export interface ExportedLine {
  readonly laurels: unknown
}

export function isExported(item: object): item is ExportedLine {
  return 'laurels' in item
}

/** No line or record of an import is as long. */
export const MOST_BYTES: number = 1 << 20

const instant = z.iso.datetime({ offset: true })

/** Null for anything but an instant with its zone: without it, the date would be that of whatever machine reads it. */
export function readInstant(text: unknown): Date | null {
  return typeof text === 'string' && instant.safeParse(text).success ? new Date(text) : null
}

export const NO_INSTANT = 'must be an ISO 8601 instant with its zone, such as 2026-03-02T09:10:00Z'

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

const PROPERTIES = ['metric', 'achievement', 'user', 'value', 'attributes', 'idempotencyKey', 'occurredAt'] as const

/** Reads one JSON object from each line; empty lines are passed over. */
export async function* readNdjson(bytes: Bytes): AsyncGenerator<Line> {
  let line = 0
  for await (const text of splitLines(withoutMark(bytes))) {
    line += 1
    const reading = readLine(text)
    if (reading !== null) yield { line, ...reading }
  }
}

/** Lines without their ends, too long ones cut off behind `MOST_BYTES`. Not `readline`: it ends lines at U+2028 too. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let length = 0
  const hold = (part: Buffer): void => {
    if (length <= MOST_BYTES) held.push(part)
    length += part.length
  }

  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      hold(chunk.subarray(start, end))
      yield Buffer.concat(held)
      held = []
      length = 0
      start = end + 1
    }
    hold(chunk.subarray(start))
  }
  if (length > 0) yield Buffer.concat(held)
}

function readLine(bytes: Buffer): Reading | null {
  if (bytes.length > MOST_BYTES) return { problem: 'is longer than 1 MiB' }
  if (!isUtf8(bytes)) return { problem: 'is not UTF-8' }
  const text = bytes.toString()
  return text.trim() === '' ? null : readObject(text)
}

function readObject(text: string): Reading {
  let object: unknown
  try {
    object = JSON.parse(text)
  } catch (error) {
    return { problem: `is not JSON: ${error instanceof Error ? error.message : error}` }
  }
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return { problem: 'is no JSON object' }
  return toItem(object)
}

/** A misspelt property would be left out without a word, and with it the key or the time of the event. */
function toItem(object: object): Reading {
  if (isExported(object)) return { item: object }
  const unknown = Object.keys(object).find((name) => !PROPERTIES.some((known) => known === name))
  if (unknown !== undefined) {
    return { problem: unknownProperty(unknown, PROPERTIES) }
  }
  // Everything else is checked by the import.
  const item = object as ImportItem
  if (item.occurredAt === undefined) return { item }
  const occurredAt = readInstant(item.occurredAt)
  return occurredAt === null ? { problem: `occurredAt ${NO_INSTANT}` } : { item: { ...item, occurredAt } }
}
