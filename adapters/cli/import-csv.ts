import { isUtf8 } from 'node:buffer'
import { CsvError, parse } from 'csv-parse/sync'
import { quote, suggest } from '../../src/game/suggest.ts'
import {
  type Bytes,
  type Line,
  MOST_BYTES,
  NO_INSTANT,
  type Reading,
  readInstant,
  splitLines,
  withoutMark,
} from './import-lines.ts'
import { defined, plural, wrongCall } from './text.ts'

/** The cells that are not empty, by their columns. */
type Cells = Readonly<Partial<Record<string, string>>>

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
  return toItem(Object.fromEntries(named.filter(([, field]) => field !== '')))
}

function toItem(cells: Cells): Reading {
  const { metric = '', achievement, userId: id = '', value = '', tz, idempotencyKey, occurredAt: occurred } = cells
  const isCompletion = achievement !== undefined
  if (isCompletion && metric !== '') return { problem: 'has a metric and an achievement: give each a line of its own' }
  const surplus = Object.keys(cells).find((column) => column === 'value' || column.startsWith(ATTRIBUTE))
  if (isCompletion && surplus !== undefined) return { problem: `has a ${surplus}, which completions do not have` }
  const missing = (isCompletion ? OF_COMPLETIONS : OF_EVENTS).find((column) => cells[column] === undefined)
  if (missing !== undefined) return { problem: `${missing} is empty` }
  if (!isCompletion && !NUMBER.test(value.trim())) return { problem: `value ${JSON.stringify(value)} is not a number` }
  const occurredAt = readInstant(occurred?.trim()) ?? undefined
  if (occurred !== undefined && occurredAt === undefined) return { problem: `occurredAt ${NO_INSTANT}` }

  const common = { user: { id, ...defined({ tz }) }, ...defined({ idempotencyKey }) }
  if (isCompletion && occurredAt !== undefined) return { item: { achievement, occurredAt, ...common } }
  return {
    item: { metric, value: Number(value), ...common, attributes: toAttributes(cells), ...defined({ occurredAt }) },
  }
}

function toAttributes(cells: Cells): Readonly<Record<string, string>> {
  const columns = Object.keys(cells).filter((column) => column.startsWith(ATTRIBUTE))
  return Object.fromEntries(columns.map((column) => [column.slice(ATTRIBUTE.length), cells[column] ?? '']))
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

const QUOTE = 34

/**
 * Reads the records of a CSV file (RFC 4180; lines end with LF or CRLF), empty lines passed over. A line with broken
 * quotes costs that line and no other: the lines behind it are read again.
 */
async function* readCsvRecords(bytes: Bytes): AsyncGenerator<CsvRecord> {
  let line = 1
  /** The lines of a record that may go on. */
  let held: Buffer[] = []
  let size = 0
  let isOpen = false

  function* add(text: Buffer): Generator<CsvRecord> {
    held.push(text)
    size += text.length + 1
    if (hasOddQuotes(text)) isOpen = !isOpen
    // A record goes on until its quotes are even. Its first line is tried at once, because it may be broken.
    if (isOpen && held.length > 1 && size <= MOST_BYTES) return
    const reading = parseRecord(held)
    if (reading !== null) yield* end(reading)
    else if (size > MOST_BYTES) yield* end({ problem: `${NOT_CLOSED} within 1 MiB` })
  }

  function* end(reading: Parsed): Generator<CsvRecord> {
    const lines = held
    const first = line
    const again = 'problem' in reading ? lines.slice(1) : []
    line += lines.length - again.length
    held = []
    size = 0
    isOpen = false
    if ('problem' in reading) yield { line: first, ...reading }
    else if (reading.fields.length > 0) yield { line: first, ...toText(reading, lines) }
    for (const text of again) yield* add(text)
  }

  for await (const text of splitLines(withoutMark(bytes))) yield* add(text)
  while (held.length > 0) yield* end({ problem: NOT_CLOSED })
}

function hasOddQuotes(text: Buffer): boolean {
  let isOdd = false
  for (let at = text.indexOf(QUOTE); at !== -1; at = text.indexOf(QUOTE, at + 1)) isOdd = !isOdd
  return isOdd
}

function toText({ fields }: { readonly fields: readonly string[] }, lines: readonly Buffer[]): Parsed {
  return lines.every((line) => isUtf8(line)) ? { fields } : { problem: 'is not UTF-8' }
}

/** No fields: the line is empty. */
type Parsed = { readonly fields: readonly string[] } | { readonly problem: string }

const NOT_CLOSED = 'opens a quote that is not closed'

const PROBLEMS: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE: 'has a quote in a field that does not begin with one: quote the whole field',
  CSV_INVALID_CLOSING_QUOTE: 'has text behind a closing quote: a quote inside a quoted field is written twice',
}

/** Null if a quote is not closed. */
function parseRecord(lines: readonly Buffer[]): Parsed | null {
  if (lines.some((line) => line.length > MOST_BYTES)) return { problem: 'is longer than 1 MiB' }
  const text = lines.join('\n').replace(/\r$/, '')
  if (!text.includes('"')) return { fields: text === '' ? [] : text.split(',') }
  try {
    const [fields = []] = parse(text, { record_delimiter: ['\r\n', '\n'], relax_column_count: true }) as string[][]
    return { fields }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return error.code === 'CSV_QUOTE_NOT_CLOSED' ? null : { problem: PROBLEMS[error.code] ?? error.message }
  }
}
