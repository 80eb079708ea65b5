import { z } from 'zod'
import { unknownProperty } from '../game/suggest.ts'

/** Which properties an argument may have, as its schema says. */
type Known =
  | {
      readonly kind: 'list'
      readonly items: Known
      /** How many there may be: the schema refuses a longer list, whatever is in it. */
      readonly most: number
    }
  | {
      readonly kind: 'object'
      readonly properties: ReadonlyMap<string, Known | null>
      /** The schema itself refuses others, whoever asks. */
      readonly isStrict: boolean
    }

/** A property that the schema does not know, by its path. */
export interface Unknown {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** Where the schema of a list has no limit of its own. */
const MOST_ITEMS = 10_000

/** Of a request that is refused; nobody reads more. */
const MOST_UNKNOWN = 20

interface Walk {
  /** Absent: what is unknown is left out without a word, but where the schema itself refuses it. */
  readonly unknown?: Unknown[]
}

/** null: any property may be there, or none. Schemas are constants, so each is looked through once. */
const KNOWN = new WeakMap<z.core.$ZodType, { readonly known: Known | null }>()

/**
 * `input` without the properties that `schema` does not know. They are added to `unknown`, but for undefined ones, which
 * are absent. What has none is returned as it is.
 */
export function withoutUnknown(schema: z.ZodType, input: unknown, unknown?: Unknown[]): unknown {
  let cached = KNOWN.get(schema)
  if (cached === undefined) {
    cached = { known: toKnown(schema) }
    KNOWN.set(schema, cached)
  }
  return keep(cached.known, input, [], unknown === undefined ? {} : { unknown })
}

function toKnown(schema: z.core.$ZodType): Known | null {
  if (schema instanceof z.ZodObject) {
    const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape
    const properties = new Map(Object.entries(shape).map(([name, part]) => [name, toKnown(part)]))
    return { kind: 'object', properties, isStrict: schema.def.catchall !== undefined }
  }
  if (schema instanceof z.ZodArray) {
    const items = toKnown(schema.element)
    const { maximum } = schema._zod.bag
    return items === null ? null : { kind: 'list', items, most: typeof maximum === 'number' ? maximum : MOST_ITEMS }
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return toKnown(schema.unwrap())
  }
  if (schema instanceof z.ZodPipe) return toKnown(schema.in)
  return schema instanceof z.ZodUnion ? toKnownOfAny(schema.options) : null
}

/** Which of them is meant is for the schema to say; a name that none of them has is unknown. */
function toKnownOfAny(schemas: readonly z.core.$ZodType[]): Known | null {
  const properties = new Map<string, Known | null>()
  for (const schema of schemas) {
    const known = toKnown(schema)
    if (known?.kind === 'object') for (const [name, part] of known.properties) properties.set(name, part)
  }
  return properties.size === 0 ? null : { kind: 'object', properties, isStrict: true }
}

function keep(known: Known | null, input: unknown, path: readonly PropertyKey[], walk: Walk): unknown {
  if (known === null || typeof input !== 'object' || input === null) return input
  if (known.kind === 'object') return Array.isArray(input) ? input : keepProperties(known, input, path, walk)
  if (!Array.isArray(input) || input.length > known.most) return input
  const kept = input.map((item, index) => keep(known.items, item, [...path, index], walk))
  return kept.every((item, index) => item === input[index]) ? input : kept
}

function keepProperties(
  { properties, isStrict }: Extract<Known, { kind: 'object' }>,
  input: object,
  path: readonly PropertyKey[],
  walk: Walk,
): unknown {
  const strangers = Object.keys(input).filter((name) => !properties.has(name))
  for (const name of strangers) {
    if (walk.unknown === undefined || walk.unknown.length === MOST_UNKNOWN) break
    if (Reflect.get(input, name) === undefined) continue
    walk.unknown.push({ path: [...path, name], message: unknownProperty(name, [...properties.keys()]) })
  }
  if (walk.unknown === undefined && isStrict && strangers.length > 0) return input
  const changed: [string, unknown][] = []
  for (const [name, part] of properties) {
    const value: unknown = part === null ? undefined : Reflect.get(input, name)
    if (value === undefined) continue
    const kept = keep(part, value, [...path, name], walk)
    if (kept !== value) changed.push([name, kept])
  }
  if (strangers.length === 0 && changed.length === 0) return input
  const present = [...properties.keys()].flatMap((name): [string, unknown][] => {
    const value: unknown = Reflect.get(input, name)
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries([...present, ...changed])
}
