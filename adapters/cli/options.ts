import { type ParseArgsConfig, parseArgs } from 'node:util'
import { z } from 'zod'
import { toCount, unknownWord, wrongCall } from './terminal.ts'

/** An option of a command: how the help shows it, and how its value is read. */
export interface Option<Value = unknown> {
  /** The placeholder of its value, as `<file>`. `null` if it is a switch. */
  readonly value: string | null
  readonly help: string
  readonly isList?: boolean
  /** True if the value may be left out. It is read as the empty text then. */
  readonly isValueOptional?: boolean
  readonly variable?: string
  /** Throws `invalid_request` if the value is wrong, or if a required one is missing. */
  read(given: unknown, name: string): Value
}

export type Options = Readonly<Record<string, Option>>
export type Values<O extends Options> = { readonly [Name in keyof O]: ReturnType<O[Name]['read']> }

export function flagOption(help: string): Option<boolean> {
  return { value: null, help, read: (given) => given === true }
}

/** An option whose value is what `parse` makes of the text. `undefined` if it is not given. */
export function parsedOption<Value>(
  value: string,
  help: string,
  parse: (text: string, name: string) => Value,
): Option<Value | undefined> {
  return { value, help, read: (given, name) => (given === undefined ? undefined : parse(String(given), name)) }
}

export function textOption(value: string, help: string): Option<string | undefined> {
  return parsedOption(value, help, (text) => text)
}

export function required<Value>(option: Option<Value | undefined>, meaning: string): Option<Value> {
  return {
    ...option,
    read: (given, name) => {
      const value = given ? option.read(given, name) : undefined
      if (value === undefined) throw wrongCall(`--${name} is missing: give ${meaning}`)
      return value
    },
  }
}

/** An option that may be given without a value; it then is the empty text. */
export function orNothing<Value>(option: Option<Value>): Option<Value | ''> {
  return { ...option, isValueOptional: true, read: (given, name) => (given === '' ? '' : option.read(given, name)) }
}

export function orVariable<Value>(option: Option<Value>, variable: string): Option<Value> {
  return { ...option, variable, help: `${option.help}; variable ${variable}` }
}

export function texts(value: string, help: string): Option<readonly string[] | undefined> {
  return { value, help, isList: true, read: (given) => given as readonly string[] | undefined }
}

export function listOption(value: string, help: string): Option<readonly string[] | undefined> {
  const trimmed = (text: string) => text.split(',').map((item) => item.trim())
  return parsedOption(value, help, (text) => trimmed(text).filter((item) => item !== ''))
}

export function choice<Choice extends string>(
  choices: readonly Choice[],
  value: string,
  help: string,
): Option<Choice | undefined> {
  return parsedOption(value, help, (text, name) => {
    const choice = choices.find((each) => each.toLowerCase() === text.toLowerCase())
    if (choice === undefined) throw wrongCall(unknownWord(`value of --${name}`, text, choices))
    return choice
  })
}

export function whole<Default extends number | undefined>(
  value: string,
  help: string,
  otherwise: Default,
  [least, most]: readonly [least: number, most: number] = [0, Number.MAX_SAFE_INTEGER],
): Option<number | Default> {
  const read = (given: unknown, name: string) => {
    if (given === undefined) return otherwise
    const number = Number(given)
    if (/^\d+$/.test(String(given)) && number >= least && number <= most) return number
    const range = most === Number.MAX_SAFE_INTEGER ? 'on' : `to ${toCount(most)}`
    throw wrongCall(`--${name} must be a whole number from ${least} ${range}, not '${given}'`)
  }
  return { value, help, read }
}

export function dateOption(help: string, example: string): Option<string | undefined> {
  return parsedOption('<date>', help, (text, name) => {
    if (z.iso.date().safeParse(text).success) return text
    throw wrongCall(`--${name} must be a date such as ${example}, not '${text}'`)
  })
}

type DatabaseOptions = Readonly<Record<'db' | 'schema', Option<string | undefined>>>

const databaseOptions = (more = ''): DatabaseOptions => ({
  db: textOption(
    '<file|url>',
    `the SQLite database, or the URL of a Postgres database${more}\n(default: the variable DATABASE_URL)`,
  ),
  schema: textOption('<name>', 'the schema in Postgres (default: laurels)'),
})

export const JSON_RESULT: Option<boolean> = flagOption('print the result as JSON')

export const ONLY_DATABASE: DatabaseOptions = databaseOptions()
export const DATABASE: DatabaseOptions & { readonly json: Option<boolean> } = { ...ONLY_DATABASE, json: JSON_RESULT }
export const NEW_DATABASE: DatabaseOptions = databaseOptions('; a file or a schema is made if it does not exist')

export const TENANT: Option<string | undefined> = textOption('<id>', 'the tenant, in a game that has tenants')
export const GAME_FILES: string =
  "a module (.ts, .js, .mjs) that exports it as default or as 'game', or its definition (.json)"

export const GAME: Option<string> = required(
  textOption('<file>', `the game: ${GAME_FILES}`),
  'the module or JSON file of the game',
)

type Given = Readonly<Record<string, unknown>>

/** Throws `invalid_request` for an unknown option or a missing value. */
export function parseCall(args: readonly string[], table: Options): { values: Given; positionals: readonly string[] } {
  const options: NonNullable<ParseArgsConfig['options']> = { help: { type: 'boolean', short: 'h' } }
  const known = [...Object.keys(table), 'help'].map((name) => `--${name}`)
  for (const [name, { value, isList = false }] of Object.entries(table)) {
    options[name] = { type: value === null ? 'boolean' : 'string', multiple: isList }
  }
  const config = { args: args.map(withValue), options, allowPositionals: true }
  // A misspelt option is reported first, so that its value is not reported instead.
  for (const token of parseArgs({ ...config, strict: false, tokens: true }).tokens) {
    if (token.kind !== 'option' || Object.hasOwn(options, token.name)) continue
    throw wrongCall(unknownWord('option', token.rawName, known))
  }
  /** An option whose value is left out, with an empty one: `--streak --json`. */
  function withValue(arg: string, index: number): string {
    const isAlone = args[index + 1]?.startsWith('--') ?? true
    return isAlone && arg.startsWith('--') && table[arg.slice(2)]?.isValueOptional === true ? `${arg}=` : arg
  }
  try {
    return parseArgs({ ...config, strict: true })
  } catch (error) {
    throw error instanceof TypeError ? wrongCall(error.message) : error
  }
}

export function readValues<O extends Options>(
  given: Given,
  options: O,
  variable: (name: string) => string | undefined,
): Values<O> {
  const values = Object.entries(options).map(([name, option]) => {
    const set = option.variable === undefined ? undefined : variable(option.variable)
    // An empty variable, such as from a compose file, is no value.
    return [name, option.read(given[name] ?? (set === '' ? undefined : set), name)]
  })
  return Object.fromEntries(values) as Values<O>
}
