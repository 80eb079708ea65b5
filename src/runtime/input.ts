import { z } from 'zod'
import { GamificationError, type Issue } from '../errors.ts'
import { hasAtMost, isText } from '../game/json.ts'
import { type Day, localDate, parseDate } from '../rules/calendar.ts'
import { unknownProperty } from '../suggest.ts'
import {
  describeIssue,
  type Known,
  toIssuePath,
  toIssueText,
  type UnknownKeys,
  undefinedProperties,
  unknownProperties,
} from './input-issues.ts'

function textProblem(value: string, most: number): string | null {
  if (!isText(value)) return 'must be well-formed Unicode without U+0000'
  if (value === '') return 'must not be empty'
  if (!hasAtMost(most, value)) return `must have at most ${most} characters`
  return null
}

/** A string of 1 to `most` characters. */
export function text(most: number): z.ZodString {
  return z
    .string()
    .meta({ minLength: 1, maxLength: most })
    .check((context) => {
      const message = textProblem(context.value, most)
      if (message !== null) context.issues.push({ code: 'custom', message, input: context.value })
    })
}

/** Why something was done, as the log keeps it. */
export const reasonText: z.ZodString = text(1_024)

const MOST_IN_VALUE = 1_024
const MOST_IN_NAME = 255
const MOST_ATTRIBUTES = 1_000
const MOST_ISSUES = 20

export function isRecord(input: unknown): input is Readonly<Record<string, unknown>> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return false
  const prototype: unknown = Object.getPrototypeOf(input)
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null
}

/** An object of strings by name, read into a map: `__proto__` is an ordinary name there. */
export const attributes: z.ZodType<ReadonlyMap<string, string>> = z
  .unknown()
  .meta({
    type: 'object',
    maxProperties: MOST_ATTRIBUTES,
    propertyNames: { maxLength: MOST_IN_NAME },
    additionalProperties: { type: 'string', maxLength: MOST_IN_VALUE },
  })
  .transform((input, context) => {
    const map = new Map<string, string>()
    if (!isRecord(input)) {
      context.issues.push({ code: 'custom', message: 'must be an object of strings', input })
      return map
    }
    const names = Object.keys(input).filter((name) => input[name] !== undefined)
    if (names.length > MOST_ATTRIBUTES) {
      context.issues.push({ code: 'custom', message: `must have at most ${MOST_ATTRIBUTES} attributes`, input })
      return map
    }
    for (const name of names) {
      const value = input[name]
      const message = attributeProblem(name, value)
      if (message !== null) context.issues.push({ code: 'custom', message, input: value, path: [name] })
      else if (typeof value === 'string') map.set(name, value)
      // A body may have a thousand lists of a thousand attributes, and no answer shows more.
      if (context.issues.length >= MOST_ISSUES) return map
    }
    return map
  })

/** `attribute:value,attribute:value`: no more than a request line holds. */
export const attributesText: z.ZodString = z.string().max(16_384)

export const filtersText: z.ZodType<string | undefined> = attributesText
  .optional()
  .meta({ example: 'plan:pro,region:eu' })

function attributeProblem(name: string, value: unknown): string | null {
  if (typeof value !== 'string') return 'must be a string'
  if (!isText(name)) return 'must have a name of well-formed Unicode without U+0000'
  if (!hasAtMost(MOST_IN_NAME, name)) return `must have a name of at most ${MOST_IN_NAME} characters`
  if (!isText(value)) return 'must be well-formed Unicode without U+0000'
  return hasAtMost(MOST_IN_VALUE, value) ? null : `must have at most ${MOST_IN_VALUE} characters`
}

/** Default false. */
export const yesOrNo: z.ZodType<boolean> = z
  .union([z.boolean(), z.enum(['true', 'false'])], { error: 'must be true or false' })
  .transform((value) => value === true || value === 'true')
  .default(false)

/** Anything but `true` is false, as on the hosted service. */
export const flag: z.ZodType<boolean> = z
  .unknown()
  .transform((value) => value === true || value === 'true')
  .default(false)

/** A user's id: 1 to 255 characters, kept byte for byte, not `.` or `..`, which no path can hold. */
export const userId: z.ZodString = text(255).check((context) => {
  if (context.value === '.' || context.value === '..') {
    context.issues.push({ code: 'custom', message: "must not be '.' or '..'", input: context.value })
  }
})

/**
 * An optional property. Reads `null` as absent, because clients send it for values that their caller left undefined.
 */
export function optional<Out, In>(schema: z.ZodType<Out, In>): z.ZodType<Out | undefined, In | null | undefined> {
  return schema.nullish().transform((value) => value ?? undefined)
}

export function aFunction<Of extends (...given: never[]) => unknown>(): z.ZodType<Of> {
  return z.custom<Of>((value) => typeof value === 'function', 'must be a function')
}

/** The fields that are there. */
export function withoutUndefined<Fields extends object>(fields: Fields): Present<Fields> {
  const present: { -readonly [Name in keyof Fields]?: Fields[Name] } = {}
  for (const name in fields) if (fields[name] !== undefined) present[name] = fields[name]
  return present as Present<Fields>
}

type Present<Fields> = { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/**
 * A request that was read. Optional properties without a default may be undefined. `Changed`: the properties that are
 * read as another type.
 */
export type Parsed<Request, WithDefault extends keyof Request = never, Changed extends object = object> = Optional<
  Omit<Request, WithDefault | keyof Changed>
> &
  Readonly<Required<Pick<Request, WithDefault>>> &
  Changed

type Optional<Request> = {
  readonly [Name in keyof Request]: object extends Pick<Request, Name> ? Request[Name] | undefined : Request[Name]
}

/** A list of 1 to `most` items. */
export function listUpTo<Out, In>(item: z.ZodType<Out, In>, most: number): z.ZodArray<z.ZodType<Out, In>> {
  return z.array(item).min(1).max(most)
}

/** How many there are at most in an answer. */
export function upTo(most: number, standard: number, least = 1): z.ZodDefault<z.ZodInt> {
  return z.int().min(least).max(most).default(standard)
}

/** The mark of a property that is no parameter of the query: HTTP sets it in another way. */
export const NOT_IN_QUERY: { readonly inQuery: false } = { inQuery: false }

export interface PrivateRequest {
  /** If false, the answer leaves out private leaderboards. Default true. */
  readonly includePrivate?: boolean
}

/** Over HTTP the rights of the caller decide it. */
export const includePrivate: z.ZodDefault<z.ZodBoolean> = z.boolean().default(true).meta(NOT_IN_QUERY)

/** ISO 8601 with a zone. */
export const instant: z.ZodType<Date, string> = z.iso
  .datetime({ offset: true, error: 'must be an instant, YYYY-MM-DDTHH:MM:SS.sssZ' })
  .max(40, 'must be an instant, YYYY-MM-DDTHH:MM:SS.sssZ')
  .transform((given) => new Date(given))

/** A plain date. */
export const date: z.ZodType<Day, string> = z
  .string()
  .meta({ format: 'date' })
  .transform((text, context): Day => {
    const parsed = parseDate(text)
    if (parsed !== null) return parsed
    context.issues.push({ code: 'custom', message: 'must be a date, YYYY-MM-DD', input: text })
    return 0
  })

/** A plain date, or an instant, which is read as its date in UTC. */
export const dateOrInstant: z.ZodType<Day, string> = z
  .string()
  .max(40)
  .meta({ example: '2026-03-10' })
  .transform((text, context): Day => {
    const at = instant.safeParse(text)
    const parsed = at.success ? localDate('UTC', at.data.getTime()) : parseDate(text)
    if (parsed !== null) return parsed
    context.issues.push({ code: 'custom', message: 'must be a date, YYYY-MM-DD, or an instant', input: text })
    return 0
  })

/** A tenant's id: 1 to 255 characters, kept byte for byte. */
export const tenantId: z.ZodString = text(255)

/** The key or id of a part of the game. */
export const gameKey: z.ZodString = text(255)

/** A cursor that an earlier answer has: an id of any length, encoded. */
export const cursorText: z.ZodString = text(4_096)

export const keyId: z.ZodString = text(255).regex(/^[\x21-\x7e]*$/, 'must be the id of an API key')

const MOST_IN_MESSAGE = 3

/** Returns the parsed input, or every mistake in it. An unknown property is a mistake, and comes first. */
export function read<T>(schema: z.ZodType<T>, input: unknown): { readonly data: T } | { readonly issues: Issue[] } {
  const first = schema.safeParse(input)
  if (first.success) return { data: first.data }
  const known: Known = new Map()
  const error = (issue: z.core.$ZodRawIssue): string | undefined => {
    if (issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodObject) {
      known.set(issue.keys, Object.keys(issue.inst.shape))
    }
    return describeIssue(issue)
  }
  let parsed = schema.safeParse(input, { error })
  const absent = undefinedProperties(parsed.error?.issues ?? [], input)
  if (absent.length > 0) parsed = schema.safeParse(omit(input, absent), { error })
  if (parsed.success) return { data: parsed.data }
  const { issues } = parsed.error
  const others = issues.filter(({ code }) => code !== 'unrecognized_keys')
  const toIssue = ({ path, message }: z.core.$ZodIssue): Issue => ({ path: toIssuePath(path), message })
  const unknown = [...unknownProperties(issues, known, []).values()]
    .sort((left, right) => left.path.length - right.path.length)
    .slice(0, MOST_ISSUES)
    .map(({ path, key, names }) => ({ path: toIssuePath([...path, key]), message: unknownProperty(key, [...names]) }))
  return { issues: [...unknown, ...others.map(toIssue)] }
}

/** Reads an argument. Throws `invalid_request` with the first mistakes. `what` names the argument in the message. */
export function parse<T>(schema: z.ZodType<T>, input: unknown, what: string): T {
  const parsed = read(schema, input)
  if ('data' in parsed) return parsed.data
  const found = parsed.issues
  const shown = found.slice(0, MOST_IN_MESSAGE).map(toIssueText)
  const more = found.length > shown.length ? [`and ${found.length - shown.length} more`] : []
  const issues = found.slice(0, MOST_ISSUES)
  throw new GamificationError('invalid_request', `Invalid ${what}: ${[...shown, ...more].join('; ')}`, { issues })
}

/**
 * Reads the body of a request, as `withoutUnknown` returns it. Throws `invalid_request` for every other mistake, and for an
 * object with more than 2,000 properties outside a game's definition: no request needs them, and naming them takes long.
 */
export function parseBody<T>(schema: z.ZodType<T>, input: unknown): { readonly body: unknown; readonly data: T } {
  if (isCrowded(input)) {
    throw new GamificationError(
      'invalid_request',
      `Invalid body: an object must have at most ${MOST_PROPERTIES} properties`,
    )
  }
  const parsed = schema.safeParse(input)
  if (parsed.success) return { body: input, data: parsed.data }
  const body = withoutUnknown(schema, input, parsed.error)
  return { body, data: parse(schema, body, 'body') }
}

const MOST_PROPERTIES = 2_000

/** True if an object in a body has too many properties. It is a loop, because unknown properties may be nested deeply. */
function isCrowded(input: unknown): boolean {
  const rest: unknown[] = [input]
  while (rest.length > 0) {
    const value = rest.pop()
    if (typeof value !== 'object' || value === null) continue
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object') rest.push(item)
      continue
    }
    const names = Object.keys(value)
    if (names.length > MOST_PROPERTIES) return true
    for (const name of names) {
      const child: unknown = Reflect.get(value, name)
      if (name !== 'definition' && typeof child === 'object') rest.push(child)
    }
  }
  return false
}

/** Returns JSON without the properties that the schema does not know: clients of the hosted service may send more. */
export function withoutUnknown(
  schema: z.ZodType,
  input: unknown,
  error: z.ZodError | undefined = schema.safeParse(input).error,
): unknown {
  const unknown = (error?.issues ?? []).filter((issue) => issue.code === 'unrecognized_keys')
  return unknown.length === 0 ? input : omit(input, unknown)
}

/**
 * A copy without some properties. Copies only the objects on their paths: the host may read the body again, and a value
 * that no schema looks at may be nested so deeply that copying it would overflow the stack.
 */
function omit(value: unknown, unknown: readonly UnknownKeys[]): unknown {
  const keys = new Set(unknown.flatMap((each) => (each.path.length === 0 ? each.keys : [])))
  const below = Map.groupBy(
    unknown.filter(({ path }) => path.length > 0),
    ({ path }) => String(path[0]),
  )
  const copy = (name: string, child: unknown): unknown => {
    const inside = below.get(name)
    if (inside === undefined) return child
    const unknownInside = inside.map((each) => ({ ...each, path: each.path.slice(1) }))
    return omit(child, unknownInside)
  }
  if (Array.isArray(value)) return value.map((child, index) => copy(String(index), child))
  const entries = Object.entries(Object(value)).filter(([name]) => !keys.has(name))
  return Object.fromEntries(entries.map(([name, child]) => [name, copy(name, child)]))
}
