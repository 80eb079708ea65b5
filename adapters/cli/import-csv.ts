import { isUtf8 } from 'node:buffer'
import { CsvError, Parser } from 'csv-parse'
import { quote, suggest } from '../../src/game/suggest.ts'
import type { ImportItem } from '../../src/requests/types/metric-event.ts'
import {
  type Bytes,
  type Line,
  MOST_BYTES,
  NO_INSTANT,
  type Reading,
  readInstant,
  withoutMark,
} from './import-lines.ts'
import { plural, wrongCall } from './text.ts'

type Cells = ReadonlyMap<string, string>

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/**
 * Reads the events and completions of a CSV file, whose first record names the columns. Throws `invalid_request` where these are not what
 * a game with these event attributes takes.
 */
export async function readCsv(bytes: Bytes, attributes: readonly string[]): Promise<AsyncGenerator<Line>> {
  const records = readCsvRecords(bytes)
  const { value: first } = await records.next()
  if (first === undefined) throw wrongCall('the file is empty: its first line must name the columns')
  if ('problem' in first) throw wrongCall(`line ${first.line}, which must name the columns, ${first.problem}`)
  return readEvents(records, readHeader(first.fields, attributes))
}

async function* readEvents(records: AsyncIterable<CsvRecord>, columns: readonly string[]): AsyncGenerator<Line> {
  for await (const record of records) {
    if ('problem' in record) yield record
    // A row that a spreadsheet left empty.
    else if (record.fields.some((field) => field.trim() !== '')) {
      yield { line: record.line, ...readFields(record.fields, columns) }
    }
  }
}

function readFields(fields: readonly string[], columns: readonly string[]): Reading {
  if (fields.length !== columns.length) {
    return {
      problem: `has ${plural(fields.length, 'field')} where the header names ${plural(columns.length, 'column')}`,
    }
  }
  const named = columns.map((column, index) => [column, fields[index] ?? ''] as const)
  return toItem(new Map(named.filter(([, field]) => field !== '')))
}

function toItem(cells: Cells): Reading {
  const achievement = cells.get('achievement')
  if (achievement === undefined) return toEvent(cells)
  if (cells.has('metric')) return { problem: 'has a metric and an achievement: give each a line of its own' }
  return toCompletion(achievement, cells)
}

function toCompletion(achievement: string, cells: Cells): Reading {
  const surplus = [...cells.keys()].find((column) => column === 'value' || column.startsWith(ATTRIBUTE))
  if (surplus !== undefined) return { problem: `has a ${surplus}, which completions do not have` }
  const id = cells.get('userId')
  const occurred = cells.get('occurredAt')
  if (id === undefined || occurred === undefined) {
    return { problem: `${id === undefined ? 'userId' : 'occurredAt'} is empty` }
  }
  const occurredAt = readInstant(occurred.trim())
  if (occurredAt === null) return { problem: `occurredAt ${NO_INSTANT}` }
  return { item: { achievement, occurredAt, ...toUser(id, cells) } }
}

function toEvent(cells: Cells): Reading {
  const metric = cells.get('metric')
  const id = cells.get('userId')
  const value = cells.get('value')
  if (metric === undefined || id === undefined || value === undefined) {
    const missing = metric === undefined ? 'metric' : id === undefined ? 'userId' : 'value'
    return { problem: `${missing} is empty` }
  }
  if (!NUMBER.test(value.trim())) return { problem: `value ${JSON.stringify(value)} is not a number` }

  const occurred = cells.get('occurredAt')
  const occurredAt = readInstant(occurred?.trim())
  if (occurred !== undefined && occurredAt === null) return { problem: `occurredAt ${NO_INSTANT}` }
  return {
    item: { metric, value: Number(value), ...optional(id, cells), ...(occurredAt === null ? {} : { occurredAt }) },
  }
}

function toUser(id: string, cells: Cells): Pick<ImportItem, 'user' | 'idempotencyKey'> {
  const tz = cells.get('tz')
  const idempotencyKey = cells.get('idempotencyKey')
  return {
    user: tz === undefined ? { id } : { id, tz },
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  }
}

function optional(id: string, cells: Cells): Pick<ImportItem, 'user' | 'attributes' | 'idempotencyKey'> {
  const attributes = [...cells].filter(([column]) => column.startsWith(ATTRIBUTE))
  return {
    ...toUser(id, cells),
    attributes: Object.fromEntries(attributes.map(([column, text]) => [column.slice(ATTRIBUTE.length), text])),
  }
}

/** Before the name of an event attribute. */
const ATTRIBUTE = 'attributes.'

const OF_EVENTS = ['metric', 'userId', 'value'] as const
const OF_COMPLETIONS = ['achievement', 'userId', 'occurredAt'] as const
const NAMES = ['metric', 'achievement', 'userId', 'value', 'occurredAt', 'idempotencyKey', 'tz'] as const

/** The columns' names. Throws one `invalid_request` that says everything that is wrong with them. */
function readHeader(fields: readonly string[], attributes: readonly string[]): readonly string[] {
  const columns = fields.map((field) => field.trim())
  const isOfCompletions = columns.includes('achievement')
  const required = [
    ...(isOfCompletions ? OF_COMPLETIONS : []),
    ...(isOfCompletions && !columns.includes('metric') ? [] : OF_EVENTS),
  ]
  const known = [...NAMES, ...attributes.map((name) => ATTRIBUTE + name)]
  const unknown = columns.filter((column) => !known.includes(column))
  const mistakes = [
    ...unknown.map((column) => describeUnknown(column, known, attributes)),
    ...[...new Set(required)]
      .filter((name) => !columns.includes(name))
      .map((name) => `the column ${quote(name)} is missing`),
    ...new Set(columns.filter((column, index) => columns.indexOf(column) !== index).map(describeDouble)),
  ]
  if (mistakes.length === 0) return columns
  throw wrongCall(`the first line must name the columns: ${mistakes.join('; ')}. There are: ${known.join(', ')}`)
}

function describeUnknown(column: string, known: readonly string[], attributes: readonly string[]): string {
  if (column.startsWith(ATTRIBUTE)) return describeAttribute(column, attributes)
  const near = suggest(column, known)
  return `unknown column ${quote(column)}${near === null ? '' : `, did you mean ${quote(near)}?`}`
}

/** Compared without what all of them begin with, which would make any two of them alike. */
function describeAttribute(column: string, attributes: readonly string[]): string {
  const name = column.slice(ATTRIBUTE.length)
  const near = suggest(name, attributes)
  const help =
    near === null
      ? `: the game has no event attribute ${quote(name)}, add it to its eventAttributes`
      : `, did you mean ${quote(ATTRIBUTE + near)}?`
  return `unknown column ${quote(column)}${help}`
}

function describeDouble(column: string): string {
  return `the column ${quote(column)} is there twice`
}

/** A record of a CSV file, or why there is none. The number is that of its first line, from 1. */
type CsvRecord = { readonly line: number } & ({ readonly fields: readonly string[] } | { readonly problem: string })

const NEWLINE = 10
const RETURN = 13
const REPLACEMENT = '\ufffd'
const EMPTY = Buffer.alloc(0)

/**
 * Reads the records of a CSV file (RFC 4180; lines end with LF or CRLF), empty lines passed over. A line with broken
 * quotes costs that line and no other: the parser stops there, and a new one begins behind it.
 */
async function* readCsvRecords(bytes: Bytes): AsyncGenerator<CsvRecord> {
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

interface Found {
  readonly fields: readonly string[]
  /** Where it ends, in bytes from where the parser began. */
  readonly end: number
}

interface CsvParser {
  /** The records found since they were last taken. */
  take(): readonly Found[]
  /** Why the parser stopped, null when it did not. */
  feed(bytes: Buffer, isLast: boolean): Promise<string | null>
}

const PROBLEMS: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE: 'has a quote in a field that does not begin with one: quote the whole field',
  CSV_INVALID_CLOSING_QUOTE: 'has text behind a closing quote: a quote inside a quoted field is written twice',
  CSV_QUOTE_NOT_CLOSED: 'opens a quote that is not closed',
}

/** csv-parse, which keeps what it found when it stops at a mistake. */
function startCsvParser(): CsvParser {
  let found: Found[] = []
  const parser = new Parser({
    record_delimiter: ['\r\n', '\n'],
    skip_empty_lines: true,
    relax_column_count: true,
    on_record: (fields: string[], { bytes }) => {
      found.push({ fields, end: bytes })
      return null
    },
  })
  parser.on('error', () => undefined).resume()

  return {
    take: () => {
      const taken = found
      found = []
      return taken
    },
    feed: (bytes, isLast) =>
      new Promise((resolve, reject) => {
        const done = (error?: Error | null): void => {
          if (!error) resolve(null)
          else if (error instanceof CsvError) resolve(PROBLEMS[error.code] ?? error.message)
          else reject(error)
        }
        if (isLast) parser.end(bytes, () => done(parser.errored))
        else parser.write(bytes, done)
      }),
  }
}
