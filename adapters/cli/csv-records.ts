import { isUtf8 } from 'node:buffer'
import { type Bytes, withoutMark } from './bytes.ts'
import { type Found, startCsvParser } from './csv-parser.ts'
import { MOST_BYTES } from './line.ts'

/** A record of a CSV file, or why there is none. The number is that of its first line, from 1. */
export type CsvRecord = { readonly line: number } & (
  | { readonly fields: readonly string[] }
  | { readonly problem: string }
)

const NEWLINE = 10
const RETURN = 13
const REPLACEMENT = '\ufffd'
const EMPTY = Buffer.alloc(0)

/**
 * Reads the records of a CSV file (RFC 4180; lines end with LF or CRLF), empty lines passed over. A line with broken
 * quotes costs that line and no other: the parser stops there, and a new one begins behind it.
 */
export async function* readCsvRecords(bytes: Bytes): AsyncGenerator<CsvRecord> {
  const reader = createReader()
  for await (const chunk of withoutMark(bytes)) yield* await reader.read(chunk, false)
  yield* await reader.read(EMPTY, true)
}

interface Reader {
  read(chunk: Buffer, isLast: boolean): Promise<readonly CsvRecord[]>
}

function createReader(): Reader {
  let parser = startCsvParser()
  /** What comes after the last record, where it begins for the parser, and the number of its first line. */
  let held: Buffer = EMPTY
  let offset = 0
  let line = 1
  /** The end of a broken line has not come yet. */
  let isInBroken = false

  function take(length: number): Buffer {
    const taken = held.subarray(0, length)
    held = held.subarray(length)
    line += countLines(taken)
    return taken
  }

  function takeBlank(): void {
    offset += take(lengthOfBlank(held)).length
  }

  function takeRecord({ fields, end }: Found): CsvRecord {
    takeBlank()
    const first = line
    const bytes = take(end - offset)
    offset = end
    const isText = !fields.some((field) => field.includes(REPLACEMENT)) || isUtf8(bytes)
    return isText ? { line: first, fields } : { line: first, problem: 'is not UTF-8' }
  }

  /** The line at which the parser stopped. */
  function takeBroken(problem: string): CsvRecord {
    const broken = { line, problem }
    const end = held.indexOf(NEWLINE)
    isInBroken = end === -1
    take(isInBroken ? held.length : end + 1)
    parser = startCsvParser()
    offset = 0
    return broken
  }

  /** What is left of a chunk behind the broken line. */
  function afterBroken(chunk: Buffer): Buffer {
    const end = chunk.indexOf(NEWLINE)
    if (end === -1) return EMPTY
    isInBroken = false
    line += 1
    return chunk.subarray(end + 1)
  }

  return {
    read: async (chunk, isLast) => {
      const records: CsvRecord[] = []
      const bytes = isInBroken ? afterBroken(chunk) : chunk
      held = held.length === 0 ? bytes : Buffer.concat([held, bytes])
      for (let next = bytes; ; next = held) {
        const problem = await parser.feed(next, isLast)
        for (const found of parser.take()) records.push(takeRecord(found))
        takeBlank()
        if (problem === null && held.length <= MOST_BYTES) return records
        records.push(takeBroken(problem ?? 'opens a quote that is not closed within 1 MiB'))
      }
    },
  }
}

function countLines(bytes: Buffer): number {
  let count = 0
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, end + 1)) count += 1
  return count
}

/** Of the empty lines at the beginning. */
function lengthOfBlank(bytes: Buffer): number {
  let length = 0
  for (;;) {
    const end = bytes[length] === RETURN ? length + 1 : length
    if (bytes[end] !== NEWLINE) return length
    length = end + 1
  }
}
