import { GamificationError, type Issue } from './errors.ts'
import { outline, quote, unknownProperty } from './suggest.ts'

/**
 * Refuses options that are no object, and properties with an unknown name. A property that is undefined counts as
 * absent.
 */
export function checkOptions(what: string, options: unknown, names: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    const message = `must be ${outline([], names)}, not ${describeGiven(options)}`
    throw new GamificationError('invalid_request', `Invalid ${what}: ${message}.`)
  }
  const issues = Object.entries(options)
    .filter(([name, value]) => value !== undefined && !names.includes(name))
    .map(([name]): Issue => ({ path: name, message: unknownProperty(name, names) }))
  if (issues.length === 0) return
  const list = issues.map(({ message }) => message).join('; ')
  throw new GamificationError('invalid_request', `Invalid ${what}: ${list}`, { issues })
}

/** For methods without options: refuses an argument, which callers without a compiler may pass. */
export function checkNoOptions(method: string, given: readonly unknown[]): void {
  if (given[0] !== undefined) checkOptions(`options of ${method}()`, given[0], [])
}

/** An option or argument with a value that it cannot have. */
export function invalidOption(name: string, wanted: string, given: unknown): GamificationError {
  const message = `must be ${wanted}, not ${typeof given === 'string' ? quote(given) : describeGiven(given)}`
  return new GamificationError('invalid_request', `Invalid ${name}: ${message}.`, {
    issues: [{ path: name, message }],
  })
}

const MOST_NAMES = 5

/** Describes the kind of a given value in a message, and never its content, which may be a secret. */
export function describeGiven(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'boolean' || typeof value === 'number') {
    return String(value)
  }
  if (Array.isArray(value)) return 'a list'
  if (typeof value !== 'object') return `a ${typeof value}`
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : 'a Date'
  const { constructor: kind } = value
  if (typeof kind === 'function' && kind !== Object && kind.name !== '') return `an instance of ${kind.name}`
  const names = Object.keys(value)
  if (names.length === 0) return 'an empty object'
  const listed = names.slice(0, MOST_NAMES).join(', ')
  return `an object with ${listed}${names.length > MOST_NAMES ? ', …' : ''}`
}

/** True if all of these are methods of the value. */
export function hasMethods(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false
  return names.every((name) => typeof Reflect.get(value, name) === 'function')
}

/** Refuses anything but a number of milliseconds from 0 on. */
export function checkMilliseconds(name: string, value: unknown): void {
  if (value === undefined || (typeof value === 'number' && value >= 0)) return
  throw invalidOption(name, 'a number of milliseconds from 0 on', value)
}

/** The text of a text or a URL, or `null` for anything else. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  const isUrl = typeof value === 'object' && value !== null && 'href' in value && typeof value.href === 'string'
  return isUrl ? String(value.href) : null
}
