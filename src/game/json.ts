import type { Issue } from '../errors.ts'
import { shorten } from '../suggest.ts'

export type Path = readonly (string | number)[]

/** The mistakes of a definition in the order in which they were found, at most one for each place. */
export interface Mistakes {
  readonly issues: readonly Issue[]
  readonly count: number
  /** Ignored if the place has a mistake already, because another one may only follow from it. */
  readonly add: (path: Path, message: string) => void
}

export function createMistakes(): Mistakes {
  const found = new Map<string, Issue>()
  return {
    get issues() {
      return [...found.values()]
    },
    get count() {
      return found.size
    },
    add: (path, message) => {
      const location = JSON.stringify(path)
      if (!found.has(location)) found.set(location, { path: toPathText(path), message })
    },
  }
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** `points.xp.triggers[0].metric`; keys that are no identifiers as `metrics["a b"]`. Long keys are shortened. */
export function toPathText(path: Path): string {
  let text = ''
  for (const part of path.map((each) => (typeof each === 'number' ? each : shorten(each)))) {
    if (typeof part === 'number') text += `[${part}]`
    else if (!IDENTIFIER.test(part)) text += `[${JSON.stringify(part)}]`
    else text += text === '' ? part : `.${part}`
  }
  return text
}

const LONE_SURROGATE = /\p{Surrogate}/u

/** Well-formed Unicode without U+0000: what every database keeps unchanged. */
export function isText(value: string): boolean {
  return !value.includes('\u0000') && !LONE_SURROGATE.test(value)
}

export function hasAtMost(most: number, value: string): boolean {
  return value.length <= most || (value.length <= 2 * most && [...value].length <= most)
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

// A definition needs six levels. Few more are allowed, because an object that is shared is copied for each of its
// places.
const DEEPEST = 10

interface JsonLocation {
  readonly path: Path
  /** The objects around it, by which an object that contains itself is noticed. */
  readonly parents: readonly object[]
}

/**
 * Copies the host's definition into pure JSON data, without running code of the host or touching its object. Values
 * that are not JSON become null and a mistake. An absent property and one that is `undefined` are the same.
 */
export function copyJson(value: unknown, mistakes: Mistakes, location: JsonLocation = { path: [], parents: [] }): Json {
  switch (typeof value) {
    case 'string':
      if (!isText(value)) mistakes.add(location.path, 'must be well-formed Unicode without U+0000; remove what is not')
      return value
    case 'number':
      if (!Number.isFinite(value)) return reject(mistakes, location, `is ${value}; give a finite number`)
      // JSON has no -0.
      return value === 0 ? 0 : value
    case 'boolean':
      return value
    case 'object':
      return value === null ? null : copyObject(value, mistakes, location)
    default:
      return reject(mistakes, location, `is ${describe(value)}; a game is JSON data`)
  }
}

function copyObject(value: object, mistakes: Mistakes, location: JsonLocation): Json {
  if (location.parents.includes(value)) return reject(mistakes, location, 'contains itself; a game is JSON data')
  if (location.parents.length >= DEEPEST) return reject(mistakes, location, 'is nested too deeply; no game needs that')
  if (Array.isArray(value)) return copyArray(value, mistakes, location)
  if (value instanceof Date) return reject(mistakes, location, 'is a Date; write it as date.toISOString()')
  if (!isPlain(value)) {
    return reject(mistakes, location, 'is an instance of a class, or has a prototype of its own; give a plain object')
  }
  if (Object.getOwnPropertySymbols(value).some((key) => Object.getOwnPropertyDescriptor(value, key)?.enumerable)) {
    return reject(mistakes, location, 'has a symbol as a key; keys are strings')
  }
  const entries: [string, Json][] = []
  for (const key of Object.keys(value)) {
    const inside = { path: [...location.path, key], parents: [...location.parents, value] }
    if (!isText(key)) mistakes.add(inside.path, 'has a key that is not well-formed Unicode without U+0000; rename it')
    const copied = copyProperty(value, key, mistakes, inside)
    if (copied !== undefined) entries.push([key, copied])
  }
  // Unlike an assignment, this makes `__proto__` a property like any other.
  return Object.fromEntries(entries)
}

function copyArray(value: readonly unknown[], mistakes: Mistakes, location: JsonLocation): Json {
  return Array.from({ length: value.length }, (_, index) => {
    const inside = { path: [...location.path, index], parents: [...location.parents, value] }
    const copied = copyProperty(value, index, mistakes, inside)
    return copied === undefined ? reject(mistakes, inside, 'is empty; remove it from the list') : copied
  })
}

function copyProperty(
  owner: object,
  key: string | number,
  mistakes: Mistakes,
  location: JsonLocation,
): Json | undefined {
  const property = Object.getOwnPropertyDescriptor(owner, key)
  if (property?.get !== undefined || property?.set !== undefined) {
    return reject(mistakes, location, 'is a getter or setter; give the value itself')
  }
  return property?.value === undefined ? undefined : copyJson(property.value, mistakes, location)
}

function reject(mistakes: Mistakes, location: JsonLocation, message: string): null {
  mistakes.add(location.path, message)
  return null
}

/** Also true for plain objects of another realm, as test runners have them. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function describe(value: unknown): string {
  return value === undefined ? 'undefined' : `a ${typeof value}`
}

/* Reads data of any shape. Missing or malformed parts are empty. */

export type Maybe = Json | undefined

/** The property itself, never an inherited one: `constructor` is a name like any other. */
export function propertyOf(value: Maybe, key: string): Maybe {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

export function entriesOf(value: Maybe): readonly [key: string, value: Json][] {
  return isRecord(value) ? Object.entries(value) : []
}

export function itemsOf(value: Maybe): readonly Json[] {
  return Array.isArray(value) ? value : []
}

function isRecord(value: Maybe): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export interface JsonPart {
  readonly value: Json
  readonly path: Path
}

/**
 * The parts at a place, such as `points.*.triggers.[]`: names of properties, `*` for each value of a record, `{}` for
 * each of its keys, and `[]` for each item of a list. An empty place is the value itself.
 */
export function partsAt(value: Json, partPath: string, path: Path = []): readonly JsonPart[] {
  const steps = partPath === '' ? [] : partPath.split('.')
  return steps.reduce<readonly JsonPart[]>(
    (parts, step) => parts.flatMap((part) => partsWithin(part, step)),
    [{ value, path }],
  )
}

function partsWithin({ value, path }: JsonPart, step: string): readonly JsonPart[] {
  if (step === '[]') return itemsOf(value).map((item, index) => ({ value: item, path: [...path, index] }))
  if (step === '{}') return entriesOf(value).map(([key]) => ({ value: key, path: [...path, key] }))
  const own = propertyOf(value, step)
  const entries = step === '*' ? entriesOf(value) : own === undefined ? [] : [[step, own] as const]
  return entries.map(([key, each]) => ({ value: each, path: [...path, key] }))
}
