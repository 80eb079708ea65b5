import { type ParseArgsConfig, parseArgs } from 'node:util'
import { unknownWord, wrongCall } from './text.ts'

type Options = NonNullable<ParseArgsConfig['options']>

export interface Parsed<O extends Options> {
  readonly values: ReturnType<typeof parseArgs<{ options: O; allowPositionals: true; strict: true }>>['values']
  readonly positionals: readonly string[]
}

/** Reads a command's options; throws `invalid_request` with what is wrong. At most `most` other arguments. */
export function readOptions<O extends Options>(args: readonly string[], options: O, most: number): Parsed<O> {
  refuseUnknown(args, options)
  const { values, positionals } = parseStrictly(args, options)
  const surplus = positionals[most]
  if (surplus !== undefined) throw wrongCall(`there is an argument too many: '${surplus}'`)
  return { values, positionals }
}

/** Before all else, so that a misspelt option is named and not its value. */
function refuseUnknown(args: readonly string[], options: Options): void {
  const { tokens } = parseArgs({ args: [...args], options, allowPositionals: true, strict: false, tokens: true })
  for (const token of tokens) {
    if (token.kind !== 'option' || Object.hasOwn(options, token.name)) continue
    const known = Object.keys(options).map((name) => `--${name}`)
    throw wrongCall(unknownWord('option', token.rawName, known))
  }
}

function parseStrictly<O extends Options>(args: readonly string[], options: O): Parsed<O> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    if (error instanceof TypeError) throw wrongCall(error.message)
    throw error
  }
}

/** The value of an option without which the command can do nothing. */
export function requireOption(value: string | undefined, name: string, meaning: string): string {
  if (value === undefined || value === '') throw wrongCall(`--${name} is missing: give ${meaning}`)
  return value
}

export function readChoice<Choice extends string>(
  value: string | undefined,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  if (value === undefined) return undefined
  const choice = choices.find((each) => each.toLowerCase() === value.toLowerCase())
  if (choice === undefined) throw wrongCall(unknownWord(`value of --${name}`, value, choices))
  return choice
}

export function readWholeNumber(value: string, name: string): number {
  const number = Number(value)
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(number)) {
    throw wrongCall(`--${name} must be a whole number from 0 on, not '${value}'`)
  }
  return number
}
