import type { ImportItem } from '../../src/requests/types/metric-event.ts'
import type { Bytes } from './bytes.ts'
import { ATTRIBUTE, readHeader } from './csv-header.ts'
import { type CsvRecord, readCsvRecords } from './csv-records.ts'
import { type Line, NO_INSTANT, type Reading, readInstant } from './line.ts'
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
