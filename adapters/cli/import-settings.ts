import { extname } from 'node:path'
import { type ChosenDatabase, DATABASE_OPTIONS, readDatabase } from './database.ts'
import type { Environment } from './environment.ts'
import { readChoice, readOptions, readWholeNumber, requireOption } from './options.ts'
import { readTenant } from './tenant.ts'
import { wrongCall } from './text.ts'

export type Format = 'csv' | 'ndjson'

export interface ImportSettings {
  /** `-` is standard input. */
  readonly file: string
  readonly format: Format
  readonly game: string
  readonly database: ChosenDatabase
  readonly tenant: string | null
  /** Whether messages about the import are published. */
  readonly notify: boolean
  /** How many refusals are printed. */
  readonly maxErrors: number
  readonly json: boolean
}

const OPTIONS = {
  game: { type: 'string' },
  ...DATABASE_OPTIONS,
  format: { type: 'string' },
  tenant: { type: 'string' },
  notify: { type: 'boolean' },
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
export function readImportSettings(args: readonly string[], environment: Environment): ImportSettings | null {
  const { values, positionals } = readOptions(args, OPTIONS, 1)
  if (values.help === true) return null
  const [file] = positionals
  if (file === undefined) throw wrongCall('the file is missing: give a .ndjson or .csv file, or - for standard input')
  const synchronous = readChoice(values.synchronous, 'synchronous', ['NORMAL', 'FULL'])
  return {
    file,
    format: readFormat(file, values.format),
    game: requireOption(values.game, 'game', 'the module or JSON file of the game'),
    database: readDatabase(values, environment, synchronous === undefined ? {} : { synchronous }),
    tenant: readTenant(values.tenant),
    notify: values.notify === true,
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
