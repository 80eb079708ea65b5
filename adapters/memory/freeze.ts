const frozen = new WeakSet<object>()

function refuse(): never {
  throw new TypeError('Objects in a storage cannot be changed: make a new object instead.')
}

/**
 * Freezes a value with everything in it, maps too, so that it can be shared: a change throws. Frozen parts are skipped,
 * so freezing a new state costs no more than its new parts.
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
