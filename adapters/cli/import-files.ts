import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CsvError, parse } from 'csv-parse/sync'
import { z } from 'zod'
import type { ImportCompletion, ImportItem } from '../../src/api/events/requests.ts'
import { quote, suggest, unknownProperty } from '../../src/suggest.ts'
import { defined, plural, wrongCall } from './terminal.ts'

/** An item of the file, or why a line is not one. `line` is the number of its first line, from 1. */
export type Line = { readonly line: number } & Reading

type Reading = { readonly item: ImportItem | ImportCompletion | ExportedLine } | { readonly problem: string }

export interface ExportedLine {
  readonly laurels: unknown
}

export function isExported(item: object): item is ExportedLine {
  return 'laurels' in item
}

export const MOST_BYTES: number = 1 << 20

const instant = z.iso.datetime({ offset: true })

/** Returns `null` if the text is not an instant with its zone. Without a zone, the date would depend on the machine. */
export function readInstant(text: unknown): Date | null {
  return typeof text === 'string' && instant.safeParse(text).success ? new Date(text) : null
}

export const NO_INSTANT = 'must be an ISO 8601 instant with its zone, such as 2026-03-02T09:10:00Z'

export type Bytes = AsyncIterable<Uint8Array>

export interface Source {
  readonly name: string
  readonly bytes: Bytes
  readonly fractionRead: () => number | null
}

/** `-` is standard input. */
export async function openSource(path: string, input: () => Bytes): Promise<Source> {
  if (path === '-') return { name: 'standard input', bytes: input(), fractionRead: () => null }
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

/** The same bytes up to the interruption. A silent pipe does not delay it. */
export async function* withoutWaiting(bytes: Bytes, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const aborted = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }))
  const iterator = bytes[Symbol.asyncIterator]()
  while (!signal.aborted) {
    const next = await Promise.race([iterator.next(), aborted])
    if (next === null || next.done === true) break
    yield next.value
  }
  // Not awaited: it may wait for the pending read.
  void Promise.resolve(iterator.return?.()).catch(() => undefined)
}

const PROPERTIES = ['metric', 'achievement', 'user', 'value', 'attributes', 'idempotencyKey', 'occurredAt'] as const

export async function* readNdjson(bytes: Bytes): AsyncGenerator<Line> {
  let line = 0
  for await (const text of splitLines(bytes)) {
    line += 1
    const reading = readLine(text)
    if (reading !== null) yield { line, ...reading }
  }
}

/** Lines without their ends, too long ones cut off behind `MOST_BYTES`. Not `readline`: it ends lines at U+2028 too. */
async function* splitLines(bytes: Bytes): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = []
  let length = 0
  let isFirst = true
  const hold = (part: Uint8Array): void => {
    if (length <= MOST_BYTES) held.push(part)
    length += part.length
  }
  const take = (): Buffer => {
    const line = Buffer.concat(held)
    const text = isFirst ? withoutMark(line) : line
    held = []
    length = 0
    isFirst = false
    return text
  }

  for await (const chunk of bytes) {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      hold(chunk.subarray(start, end))
      yield take()
      start = end + 1
    }
    hold(chunk.subarray(start))
  }
  if (length > 0) yield take()
}

/** Removes a byte order mark. Throws `invalid_request` for a byte order mark of UTF-16. */
function withoutMark(start: Buffer): Buffer {
  const mark = start.toString('hex', 0, 3)
  if (/^(fffe|feff)/.test(mark)) throw wrongCall('the file is UTF-16: save it as UTF-8')
  return mark === 'efbbbf' ? start.subarray(3) : start
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

/** Refuses unknown properties: a misspelt one could be the key or the time of the event. */
function toItem(object: object): Reading {
  if (isExported(object)) return { item: object }
  const unknown = Object.keys(object).find((name) => !PROPERTIES.some((known) => known === name))
  if (unknown !== undefined) return { problem: unknownProperty(unknown, PROPERTIES) }
  // Everything else is checked by the import.
  const item = object as ImportItem
  if (item.occurredAt === undefined) return { item }
  const occurredAt = readInstant(item.occurredAt)
  return occurredAt === null ? { problem: `occurredAt ${NO_INSTANT}` } : { item: { ...item, occurredAt } }
}

type Cells = Readonly<Partial<Record<string, string>>>

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** Reads the events and completions of a CSV file. Throws `invalid_request` if its columns do not fit the game. */
export async function* readCsv(bytes: Bytes, attributes: readonly string[]): AsyncGenerator<Line> {
  const records = readCsvRecords(bytes)
  const { value: first } = await records.next()
  if (first === undefined) throw wrongCall('the file is empty: its first line must name the columns')
  if ('problem' in first) throw wrongCall(`line ${first.line}, which must name the columns, ${first.problem}`)
  const columns = readHeader(first.fields, attributes)
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
  return readCells(Object.fromEntries(named.filter(([, field]) => field !== '')))
}

function readCells(cells: Cells): Reading {
  const { metric, achievement, userId: id, value = '', tz, idempotencyKey, occurredAt } = cells
  const isCompletion = achievement !== undefined
  if (isCompletion && metric !== undefined)
    return { problem: 'has a metric and an achievement: give each a line of its own' }
  const surplus = Object.keys(cells).find((column) => column === 'value' || column.startsWith(ATTRIBUTE))
  if (isCompletion && surplus !== undefined) return { problem: `has a ${surplus}, which completions do not have` }
  const missing = (isCompletion ? OF_COMPLETIONS : OF_EVENTS).find((column) => cells[column] === undefined)
  if (missing !== undefined) return { problem: `${missing} is empty` }
  if (!isCompletion && !NUMBER.test(value.trim())) return { problem: `value ${JSON.stringify(value)} is not a number` }
  const common = { user: { id, ...defined({ tz }) }, ...defined({ idempotencyKey, occurredAt: occurredAt?.trim() }) }
  if (isCompletion) return toItem({ achievement, ...common })
  return toItem({ metric, value: Number(value), attributes: toAttributes(cells), ...common })
}

function toAttributes(cells: Cells): Readonly<Record<string, string>> {
  const columns = Object.keys(cells).filter((column) => column.startsWith(ATTRIBUTE))
  return Object.fromEntries(columns.map((column) => [column.slice(ATTRIBUTE.length), cells[column] ?? '']))
}

const ATTRIBUTE = 'attributes.'

const OF_EVENTS = ['metric', 'userId', 'value'] as const
const OF_COMPLETIONS = ['achievement', 'userId', 'occurredAt'] as const
const NAMES = ['metric', 'achievement', 'userId', 'value', 'occurredAt', 'idempotencyKey', 'tz'] as const

function readHeader(fields: readonly string[], attributes: readonly string[]): readonly string[] {
  const columns = fields.map((field) => field.trim())
  const isOfCompletions = columns.includes('achievement')
  const required = [
    ...(isOfCompletions ? OF_COMPLETIONS : []),
    ...(isOfCompletions && !columns.includes('metric') ? [] : OF_EVENTS),
  ]
  const known = [...NAMES, ...attributes.map((name) => ATTRIBUTE + name)]
  const mistakes = [
    ...columns.filter((column) => !known.includes(column)).map((column) => describeUnknown(column, attributes)),
    ...required.filter((name) => !columns.includes(name)).map((name) => `the column ${quote(name)} is missing`),
    ...columns
      .filter((column, index) => columns.indexOf(column) !== index)
      .map((column) => `the column ${quote(column)} is there twice`),
  ]
  if (mistakes.length === 0) return columns
  const [other] = columns.length === 1 ? (/[;\t|]/.exec(columns[0] ?? '') ?? []) : []
  if (other !== undefined) throw wrongCall(`the columns are separated by ${JSON.stringify(other)}: use commas`)
  const all = [...new Set(mistakes)].join('; ')
  throw wrongCall(`the first line must name the columns: ${all}. There are: ${known.join(', ')}`)
}

/** Attributes are compared without their prefix, which would make any two of them alike. */
function describeUnknown(column: string, attributes: readonly string[]): string {
  const prefix = column.startsWith(ATTRIBUTE) ? ATTRIBUTE : ''
  const name = column.slice(prefix.length)
  const near = suggest(name, prefix === '' ? NAMES : attributes)
  if (near !== null) return `unknown column ${quote(column)}, did you mean ${quote(prefix + near)}?`
  const help = `: the game has no event attribute ${quote(name)}, add it to its eventAttributes`
  return `unknown column ${quote(column)}${prefix === '' ? '' : help}`
}

/** A record of a CSV file, or why there is none. `line` is the number of its first line, from 1. */
type CsvRecord = { readonly line: number } & ({ readonly fields: readonly string[] } | { readonly problem: string })

const QUOTE = 34

/** Reads records (RFC 4180) without empty lines. Broken quotes cost their own line only. */
async function* readCsvRecords(bytes: Bytes): AsyncGenerator<CsvRecord> {
  let line = 1
  let size = 0
  let isOpen = false
  let held: Buffer[] = []

  function* add(text: Buffer): Generator<CsvRecord> {
    held.push(text)
    size += text.length + 1
    if (hasOddQuotes(text)) isOpen = !isOpen
    if (!isOpen || size > MOST_BYTES) yield* end()
  }

  function* end(): Generator<CsvRecord> {
    const lines = held
    const reading = parseRecord(lines)
    const isBroken = 'problem' in reading
    const read = isBroken ? 1 : lines.length
    held = []
    size = 0
    isOpen = false
    if (!isBroken && !lines.every((text) => isUtf8(text))) yield { line, problem: 'is not UTF-8' }
    else if (isBroken || reading.fields.length > 0) yield { line, ...reading }
    line += read
    for (const text of lines.slice(read)) yield* add(text)
  }

  for await (const text of splitLines(bytes)) yield* add(text)
  while (held.length > 0) yield* end()
}

function hasOddQuotes(text: Buffer): boolean {
  return text.reduce((count, byte) => count + Number(byte === QUOTE), 0) % 2 === 1
}

const PROBLEMS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'opens a quote that is not closed',
  INVALID_OPENING_QUOTE: 'has a quote in a field that does not begin with one: quote the whole field',
  CSV_INVALID_CLOSING_QUOTE: 'has text behind a closing quote: a quote inside a quoted field is written twice',
}

function parseRecord(lines: readonly Buffer[]): { readonly fields: readonly string[] } | { readonly problem: string } {
  if (lines.some((line) => line.length > MOST_BYTES)) return { problem: 'is longer than 1 MiB' }
  const text = lines.join('\n').replace(/\r$/, '')
  try {
    const [fields = []] = parse(text, { record_delimiter: ['\r\n', '\n'], relax_column_count: true }) as string[][]
    return { fields }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return { problem: PROBLEMS[error.code] ?? error.message }
  }
}
