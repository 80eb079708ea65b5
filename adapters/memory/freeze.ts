const frozen = new WeakSet<object>()

function refuse(): never {
  throw new TypeError('What a storage holds cannot be changed: make a new object instead.')
}

/**
 * Freezes a value with all that is in it, maps too, so that it can be shared: whoever would change it throws. What is
 * frozen already is not looked at again, so a new state costs no more than what is new in it.
 */
export function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || frozen.has(value)) return value
  frozen.add(value)
  if (value instanceof Map) {
    for (const name of ['set', 'delete', 'clear']) Object.defineProperty(value, name, { value: refuse })
    for (const inner of value.values()) freeze(inner)
  }
  for (const inner of Object.values(value)) freeze(inner)
  return Object.freeze(value)
}
