import { Problem } from './problem.ts'
import type { QueryKind, QueryParameter } from './route.ts'

/** More than any call has use for; what is beyond is never looked at. */
const MOST_PARAMETERS = 1_000
const MOST_ITEMS = 1_000

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
    throw new Problem('malformed_request', `The query has over ${MOST_PARAMETERS} parameters: send fewer at once.`)
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

/** What is no whole number stays text, for the schema to say so. */
function toInteger(text: string): unknown {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new Problem('malformed_request', 'The query has percent-encoding that cannot be read: send it as UTF-8.')
  }
}
