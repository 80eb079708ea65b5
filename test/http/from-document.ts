import fc from 'fast-check'
import type { RawRequest } from './raw-connection.ts'

/* Requests as somebody makes them who has only the OpenAPI document, and the names of what is there. */

export interface Json {
  readonly [name: string]: unknown
}

export interface FromDocument {
  readonly raw: RawRequest
  /** The operation in the document. */
  readonly operation: Json
}

const USERS = ['ann', 'ann', 'bob', 'nobody']
const IDS = ['01956c3a-0000-7000-8000-000000000000', '01956c3a-0000-7000-8000-000000000001']

/** By the name of a property or parameter: what is there, and what is not. */
const NAMES: { readonly [name: string]: readonly unknown[] } = {
  userId: USERS,
  user: USERS,
  into: USERS,
  userIds: [['ann'], ['ann', 'nobody']],
  among: [['ann', 'bob']],
  key: ['words', 'laps', 'tour', 'first', 'xp', 'gym', 'top', 'secret', 'nope'],
  metric: ['words', 'laps', 'nope'],
  achievement: ['tour', 'first', 'nope'],
  achievements: [['tour'], ['nope']],
  streak: ['gym', 'nope'],
  systemId: ['xp', 'nope'],
  system: ['xp', 'nope'],
  leaderboard: ['top', 'nope'],
  name: ['progress', 'Ann'],
  tz: ['Europe/Berlin', 'Nowhere/Here'],
  url: ['https://example.com/hooks', 'ftp://example.com'],
  secret: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_short'],
  attributes: [{ plan: 'pro' }, { source: 'app' }, { nope: 'x' }],
  definition: [{ metrics: { words: { name: 'Words' } } }, { metrics: 7 }, null],
  runId: ['2026-01-01', 'nope'],
  run: ['2026-01-01', 'nope'],
}

/** In a path, by what the document says of the parameter. */
const PARAMETERS: { readonly [description: string]: readonly unknown[] } = {
  'user id': USERS,
  'metric key': ['words', 'nope'],
  'achievement key': ['tour', 'first', 'nope'],
  'points system key': ['xp', 'nope'],
  'id or key of a points system': ['xp', 'nope'],
  'key of a named streak': ['gym', 'nope'],
  'leaderboard key': ['top', 'secret', 'nope'],
}

const toJson = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {})
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Values of a schema. `name`: the property that it is of. */
function valuesOf(document: Json, given: unknown, name: string): fc.Arbitrary<unknown> {
  const schema = toJson(given)
  const { $ref, type, enum: values } = schema
  if (typeof $ref === 'string') {
    const parts = $ref.split('/').slice(1)
    return valuesOf(
      document,
      parts.reduce<unknown>((part, each) => toJson(part)[each], document),
      name,
    )
  }
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(values)) return fc.constantFrom(...values)
  const known = NAMES[name]
  if (known !== undefined && (type !== 'object' || name in { attributes: 1 })) return fc.constantFrom(...known)
  const kinds = listOf(schema.oneOf ?? schema.anyOf)
  if (kinds.length > 0) return fc.oneof(...kinds.map((kind) => valuesOf(document, kind, name)))
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return objectOf(document, schema)
    case 'array': {
      const items = valuesOf(document, schema.items, name)
      return fc.array(items, { minLength: Math.min(1, Number(schema.minItems ?? 1)), maxLength: 3 })
    }
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return numberOf(schema, type === 'integer')
    default:
      return textOf(schema, name)
  }
}

function objectOf(document: Json, { properties, required }: Json): fc.Arbitrary<unknown> {
  const entries = Object.entries(toJson(properties)).map(
    ([key, schema]) => [key, valuesOf(document, schema, key)] as const,
  )
  const requiredKeys = listOf(required).filter((key): key is string => typeof key === 'string')
  return fc.record(Object.fromEntries(entries), { requiredKeys })
}

function numberOf(schema: Json, isInteger: boolean): fc.Arbitrary<unknown> {
  const least = Number(schema.minimum ?? schema.exclusiveMinimum ?? -5)
  const most = Number(schema.maximum ?? schema.exclusiveMaximum ?? 1e6)
  const near = [least, least + 1, least + 2, 1, 3].filter((value) => value >= least && value <= most)
  return fc.constantFrom(...(isInteger ? near : [...near, Math.min(least + 0.5, most)]))
}

function textOf({ format, minLength, maxLength }: Json, name: string): fc.Arbitrary<unknown> {
  if (format === 'uuid') return fc.constantFrom(...IDS)
  if (format === 'date') return fc.constantFrom('2026-03-08', '2026-03-10', '2026-04-01')
  if (format === 'date-time') return fc.constantFrom('2026-03-08T10:00:00.000Z', '2026-03-09T10:00:00Z')
  if (/id$/i.test(name)) return fc.constantFrom(...USERS, ...IDS)
  return fc.string({ minLength: Number(minLength ?? 0), maxLength: Math.min(8, Number(maxLength ?? 8)) })
}

/** Requests of every operation in a document, by one of the keys. */
export function requestsOf(document: Json, prefix: string, keys: readonly string[]): fc.Arbitrary<FromDocument> {
  const all = Object.entries(toJson(document.paths)).flatMap(([path, methods]) =>
    Object.entries(toJson(methods))
      .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
      .map(([method, operation]) => requestOf(document, prefix + path, method, toJson(operation), keys)),
  )
  return fc.oneof(...all)
}

function requestOf(
  document: Json,
  path: string,
  method: string,
  operation: Json,
  keys: readonly string[],
): fc.Arbitrary<FromDocument> {
  const declared = listOf(operation.parameters).map(toJson)
  const values = declared.flatMap((parameter): [string, fc.Arbitrary<unknown>][] => {
    const { in: where, name, description, required, schema } = parameter
    if (typeof name !== 'string' || (where !== 'path' && where !== 'query')) return []
    const known = where === 'path' ? PARAMETERS[String(description)] : undefined
    const value = known === undefined ? valuesOf(document, schema, name) : fc.constantFrom(...known)
    return [[name, required === true ? value : fc.option(value, { nil: undefined })]]
  })
  const content = toJson(toJson(toJson(operation.requestBody).content)['application/json'])
  const body = 'schema' in content ? valuesOf(document, content.schema, '') : fc.constant(undefined)
  const example = content.example === undefined ? body : fc.oneof(body, fc.constant(content.example))
  const headers = fc.record({ key: fc.constantFrom(...keys), tenant: fc.constantFrom('acme', 'acme', 'a,b') })
  return fc
    .record({ given: fc.record(Object.fromEntries(values)), sent: example, headers })
    .map(({ given, sent, headers }) => {
      const text = (name: string): string => encodeURIComponent(String(toJson(given)[name]))
      const query = declared.flatMap(({ in: where, name }) => {
        const value = toJson(given)[String(name)]
        return where === 'query' && value !== undefined ? [`${String(name)}=${encodeURIComponent(String(value))}`] : []
      })
      const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => text(name))
      const typed: readonly (readonly [string, string])[] =
        sent === undefined ? [] : [['Content-Type', 'application/json']]
      return {
        operation,
        raw: {
          method: method.toUpperCase(),
          path: query.length === 0 ? target : `${target}?${query.join('&')}`,
          headers: [['X-API-KEY', headers.key] as const, ['Tenant-ID', headers.tenant] as const, ...typed],
          ...(sent === undefined ? {} : { body: Buffer.from(JSON.stringify(sent)) }),
        },
      }
    })
}
