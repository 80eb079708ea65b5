import { isUtf8 } from 'node:buffer'
import { unknownProperty } from '../../src/game/suggest.ts'
import type { ImportItem } from '../../src/requests/types/metric-event.ts'
import { type Bytes, withoutMark } from './bytes.ts'
import { isExported, type Line, MOST_BYTES, NO_INSTANT, type Reading, readInstant } from './line.ts'

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
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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
