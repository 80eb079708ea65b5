import { extname } from 'node:path'
import type { SqliteOptions } from '../sqlite/opener.ts'
import { readDatabasePath } from './database.ts'
import { readChoice, readOptions, readWholeNumber, requireOption } from './options.ts'
import { wrongCall } from './text.ts'

export type Format = 'csv' | 'ndjson'

export interface ImportSettings {
  /** `-` is standard input. */
  readonly file: string
  readonly format: Format
  readonly game: string
  readonly database: string
  readonly tenant: string | null
  readonly sqlite: SqliteOptions
  /** How many refusals are printed. */
  readonly maxErrors: number
  readonly json: boolean
}

const OPTIONS = {
  game: { type: 'string' },
  db: { type: 'string' },
  format: { type: 'string' },
  tenant: { type: 'string' },
  synchronous: { type: 'string' },
  'max-errors': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

const FORMATS: ReadonlyMap<string, Format> = new Map([
  ['.csv', 'csv'],
  ['.ndjson', 'ndjson'],
  ['.jsonl', 'ndjson'],
])

/** null when help is asked for. */
export function readImportSettings(args: readonly string[]): ImportSettings | null {
  const { values, positionals } = readOptions(args, OPTIONS, 1)
  if (values.help === true) return null
  const [file] = positionals
  if (file === undefined) throw wrongCall('the file is missing: give a .ndjson or .csv file, or - for standard input')
  const synchronous = readChoice(values.synchronous, 'synchronous', ['NORMAL', 'FULL'])
  if (values.tenant === '') throw wrongCall('--tenant must not be empty')
  return {
    file,
    format: readFormat(file, values.format),
    game: requireOption(values.game, 'game', 'the module or JSON file of the game'),
    database: readDatabasePath(values.db),
    tenant: values.tenant ?? null,
    sqlite: synchronous === undefined ? {} : { synchronous },
    maxErrors: readWholeNumber(values['max-errors'] ?? '1000', 'max-errors'),
    json: values.json === true,
  }
}

function readFormat(file: string, given: string | undefined): Format {
  const format = readChoice(given, 'format', ['csv', 'ndjson']) ?? FORMATS.get(extname(file).toLowerCase())
  if (format !== undefined) return format
  const what = file === '-' ? 'standard input is' : `'${file}' is`
  throw wrongCall(`say what ${what} with --format csv or --format ndjson`)
}
