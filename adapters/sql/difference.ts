/** What to write so that a table with a row for each key goes from `before` to `after`. */
export interface MapDifference<Value> {
  readonly put: readonly (readonly [string, Value])[]
  readonly remove: readonly string[]
}

const NOTHING: MapDifference<never> = { put: [], remove: [] }

/** Looks at references first: a state that was not folded anew shares most of its values with the one before it. */
export function differenceOf<Value extends object>(
  before: ReadonlyMap<string, Value> | undefined,
  after: ReadonlyMap<string, Value>,
): MapDifference<Value> {
  if (before === after) return NOTHING
  if (before === undefined) return { put: [...after], remove: [] }
  return {
    put: [...after].filter(([key, value]) => !isSameRow(before.get(key), value)),
    remove: [...before.keys()].filter((key) => !after.has(key)),
  }
}

/** Whether two flat objects have the same members. */
function isSameRow<Row extends object>(a: Row | undefined, b: Row): boolean {
  if (a === b) return true
  if (a === undefined) return false
  const others = new Map(Object.entries(a))
  return Object.entries(b).every(([name, value]) => others.get(name) === value)
}
