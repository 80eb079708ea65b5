import fc from 'fast-check'
import { z } from 'zod'

/** A value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

interface Schema {
  readonly $ref?: string
  readonly $defs?: { readonly [name: string]: Schema }
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: { readonly [name: string]: Schema }
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
}

/** What a field of this name may well hold in the game; the schema alone would hardly ever hit one of them. */
export type Words = { readonly [field: string]: fc.Arbitrary<Json> }

/** Values that the schema describes. */
export function fromSchema(schema: z.ZodType, words: Words): fc.Arbitrary<Json> {
  const converted = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema
  const definitions = converted.$defs ?? {}

  function of(part: Schema, name: string): fc.Arbitrary<Json> {
    const word = words[name]
    return word === undefined ? described(part, name) : fc.oneof({ weight: 9, arbitrary: word }, described(part, name))
  }

  function described(part: Schema, name: string): fc.Arbitrary<Json> {
    if (part.$ref !== undefined) return described(definitions[part.$ref.replace('#/$defs/', '')] ?? {}, name)
    if (part.enum !== undefined) return fc.constantFrom(...part.enum)
    if (part.anyOf !== undefined) return fc.oneof(...part.anyOf.map((option) => described(option, name)))
    if (Array.isArray(part.type)) return fc.oneof(...part.type.map((type) => described({ ...part, type }, name)))
    switch (part.type) {
      case 'null':
        return fc.constant(null)
      case 'boolean':
        return fc.boolean()
      case 'integer':
      case 'number':
        return fc.oneof(
          fc.integer({ min: 1, max: 50 }),
          fc.double({ min: part.minimum ?? -1e15, max: 1e15, noNaN: true }),
        )
      case 'string':
        return fc.string({ minLength: part.minLength ?? 0, maxLength: Math.min(part.maxLength ?? 20, 20) })
      case 'array':
        return fc.array(of(part.items ?? {}, name.replace(/s$/, '')), {
          minLength: part.minItems ?? 0,
          maxLength: Math.min(part.maxItems ?? 4, 4),
        })
      case 'object':
        return object(part)
      default:
        return fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>
    }
  }

  function object({ properties = {}, required = [], additionalProperties }: Schema): fc.Arbitrary<Json> {
    if (typeof additionalProperties === 'object') {
      return fc.dictionary(fc.string({ maxLength: 8 }), described(additionalProperties, ''), { maxKeys: 2 })
    }
    const fields = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, of(part, name)]))
    return fc.record(fields, { requiredKeys: [...required] }) as fc.Arbitrary<Json>
  }

  return of(converted, '')
}

const ODD_STRINGS = [
  '',
  ' ',
  '.',
  '..',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00\ud800',
  '😀'.repeat(255),
  'x'.repeat(255),
  'x'.repeat(256),
  'x'.repeat(1_025),
  'x'.repeat(5_000),
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '%00',
  '%zz',
  "' or 1=1 --",
  '"; drop table laurels_users; --',
  '\u202eabc\u200b',
  'e\u0301',
  '2024-02-30',
  'Infinity',
  '-0',
  'null',
]

export const oddString: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...ODD_STRINGS),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
)

function nest(depth: number): Json {
  let value: Json = null
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { attributes: value }
  return value
}

const oddNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, -0, -1, 0.1, 1e15, 1e15 + 1, -1e15, -1e16, 1e300, -1e308, 5e-324, 2 ** 31, 2 ** 53, 2 ** 64, 101),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

/** Values that hardly any schema describes. */
export const oddJson: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, false, [], {}, [[]], { __proto__: null, id: 5 } as unknown as Json),
  oddNumber,
  oddString,
  fc.constantFrom(3, 50, 600).map(nest),
  fc.constantFrom(100, 101, 1_001).map((length) => Array.from({ length }, (_, index) => ({ userId: `u${index}` }))),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
  fc.dictionary(fc.constantFrom('__proto__', 'constructor', 'id', 'user', 'plan'), fc.string({ maxLength: 3 })),
)

type Path = readonly (string | number)[]

const CHANGES = ['replace', 'drop', 'wrap', 'stringify', 'rename', 'double'] as const

export interface Mutation {
  readonly change: (typeof CHANGES)[number]
  /** Which of all places, as a share of them. */
  readonly place: number
  readonly value: Json
}

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  change: fc.constantFrom(...CHANGES),
  place: fc.double({ min: 0, max: 0.999, noNaN: true }),
  value: oddJson,
})

/** The value with something in it that was not meant. */
export function mutate(json: Json, { change, place, value }: Mutation): Json {
  const paths = pathsOf(json, [])
  const path = paths[Math.floor(place * paths.length)] ?? []
  return at(json, path, change, value)
}

function pathsOf(json: Json, path: Path): readonly Path[] {
  if (typeof json !== 'object' || json === null || path.length > 6) return [path]
  return [path, ...Object.entries(json).flatMap(([name, child]) => pathsOf(child, [...path, name]))]
}

function at(json: Json, path: Path, change: Mutation['change'], value: Json): Json {
  const [name, ...rest] = path
  if (name === undefined) return changed(json, change, value)
  if (Array.isArray(json)) {
    return json.flatMap((child, index) => {
      if (index !== Number(name)) return [child]
      if (rest.length === 0 && change === 'drop') return []
      if (rest.length === 0 && change === 'double') return [child, child]
      return [at(child, rest, change, value)]
    })
  }
  const entries = Object.entries(json as { readonly [name: string]: Json }).flatMap(
    ([key, child]): [string, Json][] => {
      if (key !== name) return [[key, child]]
      if (rest.length === 0 && change === 'drop') return []
      if (rest.length === 0 && change === 'rename') return [[typeof value === 'string' ? value : `${key}s`, child]]
      return [[key, at(child, rest, change, value)]]
    },
  )
  return Object.fromEntries(entries)
}

function changed(json: Json, change: Mutation['change'], value: Json): Json {
  switch (change) {
    case 'wrap':
      return [json]
    case 'stringify':
      return JSON.stringify(json)
    case 'double':
      return [json, json]
    default:
      return value
  }
}
