import { z } from 'zod'
import type { Issue } from '../errors.ts'
import { outlineOf } from '../game/schema-parts.ts'
import { quoteName } from '../rules/names.ts'

/** The path of an issue as a person writes it: `user.attributes["a b"]`. */
export function toIssuePath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((parent, part) => {
    if (typeof part === 'number') return `${parent}[${part}]`
    const name = String(part)
    // A longer one is quoted, which shortens it.
    if (!/^[A-Za-z_$][\w$]{0,59}$/.test(name)) return `${parent}[${quoteName(name)}]`
    return parent === '' ? name : `${parent}.${name}`
  }, '')
}

const KINDS: { readonly [kind: string]: string } = {
  array: 'a list',
  boolean: 'true or false',
  date: "a valid Date, such as new Date('2026-03-02T09:00:00Z')",
  nonoptional: 'given',
  number: 'a finite number',
  object: 'an object',
  string: 'a string',
}

/**
 * The shape that a schema expects, such as `a list of objects with userId`. Returns `null` if the kind of its values
 * says it.
 */
function wantedBy(schema: unknown): string | null {
  if (schema instanceof z.ZodNumberFormat) return 'a whole number'
  if (schema instanceof z.ZodObject) return outlineOf(schema.shape)
  const item = schema instanceof z.ZodArray ? schema.element : null
  return item instanceof z.ZodObject ? outlineOf(item.shape, 'a list of objects') : null
}

/** The kind of the input, without its content, which may be a secret. */
function kindOf(input: unknown): string {
  if (Array.isArray(input)) return 'a list'
  if (input === null) return 'null'
  return typeof input === 'object' ? 'an object' : `a ${typeof input}`
}

function insteadOf(input: unknown): string {
  return input === undefined ? '; it is missing' : `, not ${kindOf(input)}`
}

/** Describes the expected value. Returns `undefined` if the schema's own words do. */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type': {
      const wanted = `must be ${wantedBy(issue.inst) ?? KINDS[issue.expected] ?? issue.expected}`
      // NaN has the kind number in JavaScript, so the kind does not describe the mistake.
      return issue.expected === 'number' && typeof issue.input === 'number' ? wanted : wanted + insteadOf(issue.input)
    }
    case 'invalid_value': {
      const wanted = `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
      const isOfKind = issue.values.some((value) => typeof value === typeof issue.input)
      return isOfKind ? wanted : wanted + insteadOf(issue.input)
    }
    case 'too_small':
      if (issue.origin === 'array') return `must have at least ${plural(issue.minimum, 'item')}`
      return `must be ${issue.inclusive === false ? 'above' : 'at least'} ${issue.minimum}`
    case 'too_big':
      if (issue.origin === 'array') return `must have at most ${plural(issue.maximum, 'item')}`
      return issue.origin === 'string'
        ? `must have at most ${issue.maximum} characters`
        : `must be ${issue.inclusive === false ? 'below' : 'at most'} ${issue.maximum}`
    default:
      return undefined
  }
}

function plural(count: number | bigint, noun: string): string {
  return `${count} ${noun}${Number(count) === 1 ? '' : 's'}`
}

/** The known properties of a schema, mapped by the list of the unknown ones. */
export type Known = Map<readonly string[], readonly string[]>

/** Unknown properties with the value undefined count as absent. */
export function undefinedProperties(
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  base: readonly PropertyKey[] = [],
): readonly UnknownKeys[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...issue.path]
    if (issue.code === 'invalid_union')
      return issue.errors.flatMap((option) => undefinedProperties(option, input, path))
    if (issue.code !== 'unrecognized_keys') return []
    const owner: unknown = path.reduce<unknown>((value, part) => Reflect.get(Object(value), part), input)
    const keys = issue.keys.filter((key) => Reflect.get(Object(owner), key) === undefined)
    return keys.length === 0 ? [] : [{ path, keys }]
  })
}

interface UnknownProperty {
  readonly path: readonly PropertyKey[]
  readonly key: string
  readonly names: ReadonlySet<string>
}

function idOf({ path, key }: Pick<UnknownProperty, 'path' | 'key'>): string {
  return JSON.stringify([...path, key])
}

/** True if a property is another one, or contains it. */
function holds(outer: UnknownProperty, inner: UnknownProperty): boolean {
  return idOf(inner).startsWith(idOf(outer).slice(0, -1))
}

/** Unknown properties by their path. A property of a union is unknown if every option that takes an object refuses it. */
export function unknownProperties(
  issues: readonly z.core.$ZodIssue[],
  known: Known,
  base: readonly PropertyKey[],
): ReadonlyMap<string, UnknownProperty> {
  const found = new Map<string, UnknownProperty>()
  for (const issue of issues) {
    const path = [...base, ...issue.path]
    if (issue.code === 'unrecognized_keys') {
      const names = new Set(known.get(issue.keys))
      for (const key of issue.keys) found.set(idOf({ path, key }), { path, key, names })
    }
    if (issue.code !== 'invalid_union') continue
    const options = issue.errors
      .filter((option) => !option.some((each) => each.code === 'invalid_type' && each.path.length === 0))
      .map((option) => [...unknownProperties(option, known, path).values()])
    for (const property of options.flat()) {
      const refusals = options.map((option) => option.filter((each) => holds(each, property)))
      const names = new Set(refusals.flat().flatMap((each) => (each.key === property.key ? [...each.names] : [])))
      if (refusals.every((each) => each.length > 0)) found.set(idOf(property), { ...property, names })
    }
  }
  return found
}

export function toIssueText({ path, message }: Issue): string {
  return path === '' ? message : `${path}: ${message}`
}

export type UnknownKeys = { readonly path: readonly PropertyKey[]; readonly keys: readonly string[] }
