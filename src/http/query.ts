import { z } from 'zod'
import { GamificationError } from '../errors.ts'
import { HttpProblem } from './problem.ts'

/** No call needs more parameters; parameters beyond this number are never parsed. */
const MOST_PARAMETERS = 1_000
const MOST_ITEMS = 1_000

/** The type of a query parameter: text, a whole number, or the list of all its values. */
export type QueryKind = 'text' | 'integer' | 'list' | 'uuid-list'

export interface QueryParameter {
  readonly kind: QueryKind
  readonly description: string | undefined
  readonly required: boolean
  readonly example?: unknown
}

type Property = z.core.JSONSchema.JSONSchema

/** The query parameters of a schema: its properties without the mark `NOT_IN_QUERY`. */
export function queryOf(schema: z.ZodType): { readonly [name: string]: QueryParameter } {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const found = Object.entries(properties).flatMap(([name, property]): [string, QueryParameter][] => {
    if (typeof property === 'boolean' || property.inQuery === false) return []
    const { description, example } = property
    const parameter = { kind: kindOf(property), description, required: required.includes(name) }
    return [[name, example === undefined ? parameter : { ...parameter, example }]]
  })
  return Object.fromEntries(found)
}

function kindOf({ anyOf: [first] = [], ...property }: Property): QueryKind {
  const { type, items } = (first ?? property) as Property
  if (type === 'integer') return 'integer'
  if (type !== 'array') return 'text'
  return (items as Property).format === 'uuid' ? 'uuid-list' : 'list'
}

type Raw = readonly (readonly [name: string, value: string])[]

/**
 * Reads the parameters that a route knows, and ignores others. Throws `malformed_request` for percent-encoding that
 * cannot be read, anywhere in the query. A parameter of one value that came several times is left to the schema, as a list.
 */
export function readQuery(
  query: string,
  parameters: { readonly [name: string]: QueryParameter },
): { readonly [name: string]: unknown } {
  if (query === '') return {}
  const pairs = query.split('&', MOST_PARAMETERS + 1)
  if (pairs.length > MOST_PARAMETERS) {
    throw new HttpProblem('malformed_request', `The query has over ${MOST_PARAMETERS} parameters: send fewer at once.`)
  }
  const raw: Raw = pairs
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=')
      return equals === -1 ? [decode(pair), ''] : [decode(pair.slice(0, equals)), pair.slice(equals + 1)]
    })
  for (const [, value] of raw) decode(value)
  const read = Object.entries(parameters).flatMap(([name, { kind }]): [string, unknown][] => {
    const values = raw.filter(([given]) => nameOf(given) === name).map(([, value]) => value)
    return values.length === 0 ? [] : [[name, READERS[kind](values)]]
  })
  return Object.fromEntries(read)
}

/** `userIds[]` and `userIds[0]` are `userIds`, as clients of several languages write lists. */
function nameOf(given: string): string {
  return given.replace(/\[\d{0,9}\]$/, '')
}

const READERS: Record<QueryKind, (values: readonly string[]) => unknown> = {
  text: (values) => single(values.map(decode)),
  integer: (values) => single(values.map((value) => toInteger(decode(value)))),
  // A comma that is percent-encoded is part of a value.
  list: (values) => toItems(values).map(decode),
  'uuid-list': (values) => toItems(values.map(decode)),
}

/** No list may be as long, so that the schema refuses it, and its rest need not be read. */
function toItems(values: readonly string[]): readonly string[] {
  const items: string[] = []
  for (const value of values) {
    items.push(...value.split(',', MOST_ITEMS - items.length))
    if (items.length >= MOST_ITEMS) break
  }
  return items
}

function single(values: readonly unknown[]): unknown {
  return values.length === 1 ? values[0] : values
}

/** Other text stays text, so that the schema reports it. */
function toInteger(text: string): unknown {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new HttpProblem('malformed_request', 'The query has percent-encoding that cannot be read: send it as UTF-8.')
  }
}

/**
 * The part of a URL after the prefix under which an API is served, with its query, or `null` if it lies elsewhere.
 * `url` may be absolute, as clients send it to a proxy.
 */
export function toTarget(url: string, prefix: string): string | null {
  const target = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
  if (prefix === '') return target
  if (!target.startsWith(prefix)) return null
  const rest = target.slice(prefix.length)
  return rest === '' || rest.startsWith('/') || rest.startsWith('?') ? rest : null
}

/** Throws when a prefix cannot be one: it begins with a slash and does not end with one, or is empty. */
export function checkPrefix(prefix: string): string {
  if (prefix === '' || (typeof prefix === 'string' && /^\/.*[^/]$/.test(prefix))) return prefix
  throw wrongPrefix(prefix, 'must begin with a slash and not end with one')
}

/** The same, for a framework to which some characters mean more. */
export function checkPlainPrefix(prefix: string): string {
  if (/[:*]/.test(prefix)) throw wrongPrefix(prefix, 'must be a plain path, without parameters')
  return checkPrefix(prefix)
}

function wrongPrefix(prefix: unknown, rule: string): GamificationError {
  return new GamificationError('invalid_request', `The prefix ${JSON.stringify(prefix)} ${rule}: write '/v1'.`)
}
