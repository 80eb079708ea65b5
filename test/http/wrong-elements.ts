// Requests with 256 KiB of what is wrong, in every place of every route: made from the table of routes, so that a new
// route, and a new list in an old one, is among them.

import { z } from 'zod'
import { adminApi, applicationApi, type HttpApi } from '../../src/http/index.ts'
import type { RawRequest } from './raw-connection.ts'

type Route = HttpApi['routes'][number]

/** What is used here of JSON Schema. */
interface Schema {
  readonly $ref?: string
  readonly $defs?: { readonly [name: string]: Schema }
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: { readonly [name: string]: Schema }
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly maxItems?: number
  readonly maxLength?: number
  readonly maxProperties?: number
  readonly format?: string
}

export interface Wrong {
  readonly name: string
  readonly request: Omit<RawRequest, 'headers'>
}

/** The body may have as many bytes, and a little less is sent. */
const BYTES = 256 * 1_024 - 2_048

const repeat = (element: string): string =>
  Array(Math.floor(BYTES / (element.length + 1)))
    .fill(element)
    .join(',')
const UUID = '01956c3a-0000-7000-8000-000000000000'

/** JSON texts in place of a list. */
const LISTS: readonly (readonly [what: string, text: string])[] = [
  ['numbers', `[${repeat('1')}]`],
  ['nulls', `[${repeat('null')}]`],
  ['empty strings', `[${repeat('""')}]`],
  ['empty objects', `[${repeat('{}')}]`],
  ['ids that are none', `[${repeat('{"userId":1,"id":1,"key":1}')}]`],
  ['long strings', `[${repeat(`"${'\\u0001'.repeat(400)}"`)}]`],
  [
    'as many long strings as there may be',
    `[${Array(10)
      .fill(`"${'\\u0001'.repeat(4_000)}"`)
      .join(',')}]`,
  ],
  ['lists in lists', `${'['.repeat(1_000)}${']'.repeat(1_000)}`],
  ['one long string', `"${'x'.repeat(BYTES)}"`],
]

const names = (count: number, name: (index: number) => string, value: string): string =>
  `{${Array.from({ length: count }, (_, index) => `${JSON.stringify(name(index))}:${value}`).join(',')}}`

/** JSON texts in place of an object. */
const OBJECTS: readonly (readonly [what: string, text: string])[] = [
  ['names that nobody knows', names(20_000, (index) => `n${index}`, '1')],
  ['texts under names that nobody knows', names(18_000, (index) => `n${index}`, '"x"')],
  ['nine hundred of them', names(900, (index) => `${index}${'\u0001'.repeat(30)}`, '1')],
  ['nine hundred texts', names(900, (index) => `${index}${'\u0001'.repeat(30)}`, '"x"')],
  ['long names', names(30, (index) => `${index}${'\u0001'.repeat(1_300)}`, '1')],
  ['a list', `[${repeat('1')}]`],
]

const TEXTS: readonly (readonly [what: string, text: string])[] = [
  ['a long text', `"${'x'.repeat(BYTES)}"`],
  ['a long text of what has to be escaped', `"${'\\u0001'.repeat(BYTES / 6)}"`],
  ['the longest text there may be', `"${'\\u0001'.repeat(255)}"`],
  ['a list', `[${repeat('1')}]`],
]

/** Every wrong request to every route of both APIs. */
export function wrongRequests(): readonly Wrong[] {
  return [...wrongOf('/v1', applicationApi), ...wrongOf('/admin/v1', adminApi)]
}

function wrongOf(prefix: string, { routes }: HttpApi): readonly Wrong[] {
  return routes.flatMap((route) => [
    ...wrongBodies(prefix, route),
    ...wrongQueries(prefix, route),
    ...wrongPaths(prefix, route),
  ])
}

const pathOf = (prefix: string, { path }: Route): string => prefix + path.replaceAll(/\{\w+\}/g, 'ann')

function wrongBodies(prefix: string, route: Route): readonly Wrong[] {
  if (route.bodySchema === null) return []
  const root = z.toJSONSchema(route.bodySchema, { io: 'input', unrepresentable: 'any' }) as Schema
  return placesOf(root, root).flatMap(({ place, texts, wrap }) =>
    texts.map(([what, text]) => ({
      name: `${route.operationId}: ${what} at ${place === '' ? 'the body' : place}`,
      request: { method: route.method, path: pathOf(prefix, route), body: wrap(text) },
    })),
  )
}

interface Place {
  readonly place: string
  readonly schema: Schema
  readonly texts: readonly (readonly [what: string, text: string])[]
  /** The whole body with a text of JSON at this place, and right elsewhere. */
  wrap(text: string): string
}

function placesOf(root: Schema, given: Schema, place = '', wrap: Place['wrap'] = (text) => text): readonly Place[] {
  const schema = resolve(root, given)
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((option) => placesOf(root, option, place, wrap))
  if (schema.type === 'array') {
    const inner = (text: string): string => wrap(`[${text}]`)
    return [{ place, schema, texts: LISTS, wrap }, ...placesOf(root, schema.items ?? {}, `${place}[0]`, inner)]
  }
  if (schema.type === 'object') {
    const properties = Object.entries(schema.properties ?? {})
    const inner = properties.flatMap(([name, property]) => {
      const others = (schema.required ?? []).filter((required) => required !== name)
      const rest = others.map((other) => `,${JSON.stringify(other)}:${valid(root, schema.properties?.[other] ?? {})}`)
      return placesOf(root, property, `${place}.${name}`, (text) =>
        wrap(`{${JSON.stringify(name)}:${text}${rest.join('')}}`),
      )
    })
    return [{ place, schema, texts: OBJECTS, wrap }, ...inner]
  }
  return schema.type === 'string' ? [{ place, schema, texts: TEXTS, wrap }] : []
}

/** Where a body, or a list in a query, may be of any length. */
export function boundlessPlaces(): readonly string[] {
  return [...applicationApi.routes, ...adminApi.routes].flatMap(({ operationId, bodySchema, querySchema }) =>
    [bodySchema, querySchema].flatMap((schema) => {
      if (schema === null) return []
      const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema
      return placesOf(root, root)
        .filter(({ schema: found }) => !isBounded(found))
        .map(({ place }) => `${operationId}: ${place}`)
    }),
  )
}

function isBounded(schema: Schema): boolean {
  if (schema.type === 'array') return schema.maxItems !== undefined
  if (schema.type === 'object') return schema.additionalProperties === undefined || isClosed(schema)
  return schema.enum !== undefined || schema.maxLength !== undefined || ['date', 'uuid'].includes(schema.format ?? '')
}

function isClosed({ additionalProperties, maxProperties }: Schema): boolean {
  return additionalProperties === false || maxProperties !== undefined
}

function resolve(root: Schema, schema: Schema): Schema {
  const name = schema.$ref?.replace('#/$defs/', '')
  return name === undefined ? schema : (root.$defs?.[name] ?? {})
}

/** JSON text of something that the schema takes. */
function valid(root: Schema, given: Schema): string {
  const schema = resolve(root, given)
  if (schema.anyOf !== undefined) return valid(root, schema.anyOf[0] ?? {})
  if (schema.enum !== undefined) return JSON.stringify(schema.enum[0])
  if (schema.type === 'array') return `[${valid(root, schema.items ?? {})}]`
  if (schema.type === 'number' || schema.type === 'integer') return '1'
  if (schema.type === 'boolean') return 'true'
  if (schema.type !== 'object') return '"ann"'
  const fields = (schema.required ?? []).map((name) => `"${name}":${valid(root, schema.properties?.[name] ?? {})}`)
  return `{${fields.join(',')}}`
}

function wrongQueries(prefix: string, route: Route): readonly Wrong[] {
  const required = Object.entries(route.query).filter(([, query]) => query.required)
  return ['nobody', ...Object.keys(route.query)].flatMap((name) => {
    const others = required
      .filter(([other]) => other !== name)
      .map(([other, { example }]) => `&${other}=${example ?? UUID}`)
    const queries: readonly (readonly [what: string, query: string])[] = [
      ['commas', `${name}=${','.repeat(BYTES)}`],
      ['ones', `${name}=${repeat('1')}`],
      ['a colon each', `${name}=${repeat('a:b')}`],
      ['a long text', `${name}=${'x'.repeat(BYTES)}`],
      ['escapes', `${name}=${'%01'.repeat(BYTES / 3)}`],
      [
        'itself again and again',
        Array(Math.floor(BYTES / (name.length + 3)))
          .fill(`${name}=1`)
          .join('&'),
      ],
      ['names without a value', '&a'.repeat(BYTES / 2)],
    ]
    return queries.map(([what, query]) => ({
      name: `${route.operationId}: ${what} in the query ${name}`,
      request: { method: route.method, path: `${pathOf(prefix, route)}?${query}${others.join('')}` },
    }))
  })
}

function wrongPaths(prefix: string, route: Route): readonly Wrong[] {
  return Object.keys(route.params).flatMap((param) =>
    [
      ['a long text', 'x'.repeat(BYTES)],
      ['escapes', '%01'.repeat(BYTES / 3)],
      ['slashes', '/'.repeat(BYTES)],
      ['the longest name there may be', '%01'.repeat(255)],
    ].map(([what, text]) => ({
      name: `${route.operationId}: ${what} as {${param}}`,
      request: {
        method: route.method,
        path: pathOf(prefix, { ...route, path: route.path.replace(`{${param}}`, text ?? '') }),
      },
    })),
  )
}
