import { z } from 'zod'
import { parseDate } from '../rules/calendar.ts'
import { outline, quote, suggest } from '../suggest.ts'
import { hasAtMost } from './json.ts'
import type { StoredEmails, StoredReminder } from './stored-definition.ts'

/* Schemas whose mistakes say what would be right. They expect data that `copyJson` made. */

const KEY_MISTAKE = 'has a key that is empty or longer than 255 characters; rename it'

export function isKey(value: string): boolean {
  return value !== '' && hasAtMost(255, value)
}

type Raw = { readonly code?: string | undefined; readonly input?: unknown }

function mend(what: string): (issue: Raw) => string {
  return (issue) =>
    issue.input === undefined ? `is missing; give ${what}` : `must be ${what}, not ${show(issue.input)}`
}

function show(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

export function textPart(what: string, fits: (value: string) => boolean = () => true): z.ZodString {
  return z.string({ error: mend(what) }).refine(fits, { error: mend(what) })
}

export const datePart: z.ZodString = textPart('a date as YYYY-MM-DD', (value) => parseDate(value) !== null)

export function number(what: string, fits: (value: number) => boolean): z.ZodNumber {
  return z.number({ error: mend(what) }).refine(fits, { error: mend(what) })
}

export function integer(what: string, least: number, most: number = Number.MAX_SAFE_INTEGER): z.ZodNumber {
  const isFit = (value: number): boolean => Number.isSafeInteger(value) && value >= least && value <= most
  return z
    .number({ error: mend(what) })
    .refine(isFit, { error: (issue) => mend(`${what}${boundFor(issue.input)}`)(issue) })
}

/** The bound to name for a whole number that is no safe integer; empty for anything else. */
function boundFor(input: unknown): string {
  if (!Number.isInteger(input) || Number.isSafeInteger(input)) return ''
  const most = Number.MAX_SAFE_INTEGER
  return Number(input) > 0 ? ` of at most ${most}` : ` of at least -${most}`
}

export function oneOf<const Values extends readonly [string, ...string[]]>(
  ...values: Values
): z.ZodEnum<{ [Value in Values[number]]: Value }> {
  return z.enum(values, { error: ({ input }) => choose(values, input) })
}

function choose(values: readonly string[], input: unknown): string {
  const what = `${values.slice(0, -1).map(quote).join(', ')} or ${values.slice(-1).map(quote).join()}`
  if (input === undefined) return `is missing; give ${what}`
  const near = typeof input === 'string' ? suggest(input, values) : null
  return `must be ${what}, not ${show(input)}${near === null ? '' : `; did you mean ${quote(near)}?`}`
}

/**
 * A schema for objects of several kinds, which `property` distinguishes. An object of an unknown kind is checked for the
 * common properties too, so that all its mistakes are reported at once.
 */
export function oneOfKinds<
  const Kinds extends readonly [z.core.$ZodTypeDiscriminable, ...z.core.$ZodTypeDiscriminable[]],
>(property: string, common: z.core.$ZodLooseShape, kinds: Kinds): z.ZodType<z.output<Kinds[number]>> {
  const union = z.discriminatedUnion(property, kinds, {
    error: (issue) => {
      if (issue.code !== 'invalid_union') return mend('an object')(issue)
      const names = Array.isArray(issue.options) ? issue.options.map(String) : []
      return choose(names, new Map(Object.entries(Object(issue.input))).get(property))
    },
  })
  const anyKind = z.looseObject(common, { error: mend('an object') })
  return z.unknown().transform((input, context) => {
    const known = context.issues.length
    const parsed = parseAs(union, input, context)
    if (context.issues.length > known) parseAs(anyKind, input, context)
    return parsed
  })
}

export function parseAs<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  context: z.core.$RefinementCtx,
): z.output<Schema> {
  const parsed = schema.safeParse(input)
  pass(parsed.error?.issues ?? [], [], context)
  return parsed.success ? parsed.data : z.NEVER
}

function pass(issues: readonly z.core.$ZodIssue[], path: readonly string[], context: z.core.$RefinementCtx): void {
  for (const issue of issues) context.issues.push({ ...issue, path: [...path, ...issue.path], input: undefined })
}

export function wordOr<const Word extends string, Schema extends z.ZodType>(
  word: Word,
  schema: Schema,
): z.ZodType<Word | z.output<Schema>> {
  return z.unknown().transform((input, context) => {
    if (input === word) return word
    if (typeof input !== 'string') return parseAs(schema, input, context)
    context.issues.push({ code: 'custom', message: mend(`an object or ${quote(word)}`)({ input }), input })
    return z.NEVER
  })
}

/** A property that is not allowed here. `why` says where it belongs, or what to do. */
export function absent(why: string): z.ZodExactOptional<z.ZodNever> {
  return z.never({ error: () => why }).exactOptional()
}

export function list<Item extends z.ZodType>(item: Item): z.ZodArray<Item> {
  return z.array(item, { error: mend('a list') })
}

export function flagPart(): z.ZodBoolean {
  return z.boolean({ error: mend('true or false') })
}

/** `an object with max`: the required properties of an object. */
export function outlineOf(shape: z.core.$ZodLooseShape, kind?: string): string {
  const required = Object.entries(shape).flatMap(([name, part]) => (part._zod.optin === undefined ? [name] : []))
  return outline(required, Object.keys(shape), kind)
}

export function object<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  what?: string,
): z.ZodObject<Shape, z.core.$strict> {
  const properties = Object.keys(shape)
  return z.strictObject(shape, {
    error: (issue) =>
      // One issue names all unknown keys. Its message carries the known ones, so that `explainIssue` can make a mistake
      // of each.
      issue.code === 'unrecognized_keys' ? properties.join(' ') : mend(what ?? outlineOf(shape))(issue),
  })
}

/** An object with free keys. Unlike zod's own, it accepts `__proto__` and reports each key's mistake. */
export function record<Value extends z.ZodType>(value: Value): z.ZodType<{ readonly [key: string]: z.output<Value> }> {
  return z.unknown().transform((input, context) => {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      context.issues.push({ code: 'custom', message: mend('an object')({ input }), input })
      return z.NEVER
    }
    const entries: [string, z.output<Value>][] = []
    for (const [key, item] of Object.entries(input)) {
      if (!isKey(key)) context.issues.push({ code: 'custom', message: KEY_MISTAKE, path: [key], input })
      const parsed = value.safeParse(item)
      if (parsed.success) entries.push([key, parsed.data])
      pass(parsed.error?.issues ?? [], [key], context)
    }
    return Object.fromEntries(entries)
  })
}

export const LARGEST = 1e15

export const name: z.ZodString = textPart('a string that is not empty', (given) => given !== '')
export const description: z.ZodExactOptional<z.ZodString> = textPart('a string').exactOptional()
export const key: z.ZodString = textPart('a string of 1 to 255 characters', isKey)
export const value: z.ZodNumber = number('a number between -1e15 and 1e15', (amount) => Math.abs(amount) <= LARGEST)
export const length: z.ZodNumber = integer('a whole number from 1', 1)
const attributeValue = textPart('a string of at most 1,024 characters', (given) => hasAtMost(1_024, given))
export const filters: z.ZodDefault<z.ZodType<{ readonly [attribute: string]: string }>> = record(
  attributeValue,
).default({})

/** The hours that lie within every month, whatever its length and its changes of clocks. */
const MOST_HOURS = 27 * 24
const LONGEST_STALE = 72
const staleAfter = object({
  hours: integer(`a whole number of hours from 1 to ${LONGEST_STALE}`, 1, LONGEST_STALE),
}).default({ hours: 2 })

export const reminders: z.ZodType<readonly StoredReminder[]> = list(
  object({
    key: textPart('a string of 1 to 255 characters', isKey),
    // `checkConsistency` checks that they are within the period.
    before: object({ hours: integer(`a whole number of hours from 1 to ${MOST_HOURS}`, 1, MOST_HOURS) }),
    staleAfter,
  }),
)

export const emails: z.ZodType<StoredEmails> = object({
  recap: oneOf('daily', 'weekly', 'monthly', 'yearly').exactOptional(),
  reactivation: list(integer('a whole number of days from 1 to 365', 1, 365)).default([3, 5, 7, 14, 30]),
  achievements: flagPart().default(true),
  staleAfter,
})
