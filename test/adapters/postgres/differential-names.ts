/**
 * Puts numbers in the place of ids and keys, which are different in every run: the same one for the same id, so that two
 * runs say the same when they differ in nothing else.
 */
interface Names {
  /** A copy of the value, with maps as lists of their entries in order of their keys. */
  of(value: unknown): unknown
  ofObject(value: object): object
}

const NEW_ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g
const API_KEY = /^(app_[0-9a-z]{12}|[0-9a-z]{8})\.[A-Za-z0-9_-]{43}$/

export function createNames(): Names {
  const numbers = new Map<string, string>()

  function numberOf(text: string, kind: string): string {
    const known = numbers.get(text)
    if (known !== undefined) return known
    const name = `${kind} ${numbers.size}`
    numbers.set(text, name)
    return name
  }

  function ofText(text: string, name: string): string {
    if (API_KEY.test(text)) return numberOf(text, 'key')
    if (name === 'prefix') return numberOf(text, 'prefix')
    return text.replaceAll(NEW_ID, (id) => numberOf(id, 'id'))
  }

  function ofMembers(value: object, isAward: boolean): object {
    return Object.fromEntries(
      sorted(Object.entries(value)).map(([name, member]) => {
        // That of an award follows from that of its entry.
        if (isAward && name === 'id') return [name, numberOf(String(member), 'award')]
        return [name, ofValue(member, name)]
      }),
    )
  }

  function ofValue(value: unknown, name: string): unknown {
    if (typeof value === 'string') return ofText(value, name)
    if (typeof value !== 'object' || value === null || value instanceof Date) return value
    if (value instanceof Map) {
      return sorted([...value]).map(([key, member]) => [key, ofValue(member, '')])
    }
    if (Array.isArray(value)) {
      const isAwards = name === 'awards'
      return value.map((item) => (isAwards && isObject(item) ? ofMembers(item, true) : ofValue(item, name)))
    }
    return ofMembers(value, false)
  }

  return { of: (value) => ofValue(value, ''), ofObject: (value) => ofMembers(value, false) }
}

/** What comes first gets the first number, so the order must not be that of a table. */
function sorted(entries: readonly (readonly [string, unknown])[]): readonly (readonly [string, unknown])[] {
  return entries.toSorted(([left], [right]) => (left < right ? -1 : 1))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
