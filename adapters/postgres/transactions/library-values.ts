import { GamificationError } from '../../../src/errors.ts'
import { describeGiven } from '../../../src/options.ts'

/** Rejects a value that is not a transaction of the library; `wanted` says how to get one. */
export function expectMethods(name: string, given: unknown, methods: readonly string[], wanted: string): void {
  if (!offers(given, methods)) throw notThat(name, given, wanted)
}

export function notThat(name: string, given: unknown, wanted: string): GamificationError {
  return new GamificationError('storage_unusable', `${name}() expects ${wanted}, but received ${describeGiven(given)}.`)
}

/** Returns whether a value has all of these methods. The value may be a function, as transactions of some libraries are. */
export function offers(value: unknown, methods: readonly string[]): boolean {
  if (!isHolder(value)) return false
  return methods.every((name) => typeof Reflect.get(value, name) === 'function')
}

/** The member at the end of a path of names, in a value of any shape; undefined if there is none. */
export function memberIn(value: unknown, ...names: readonly string[]): unknown {
  let place = value
  for (const name of names) {
    if (!isHolder(place)) return undefined
    place = Reflect.get(place, name)
  }
  return place
}

function isHolder(value: unknown): value is object {
  return typeof value === 'function' || (typeof value === 'object' && value !== null)
}

/** The rows of a result, which is a list of them or has one. */
export function rowsIn(result: unknown): readonly unknown[] {
  const rows = Array.isArray(result) ? result : memberIn(result, 'rows')
  return Array.isArray(rows) ? rows : []
}
