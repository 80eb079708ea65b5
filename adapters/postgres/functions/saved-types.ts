import { quote } from '../quote.ts'
import { SAVED_TYPES } from '../saved-types.ts'

/** Creates the types of `SAVED_TYPES`. */
export function savedTypes(schema: string): readonly string[] {
  const types = new Map(Object.values(SAVED_TYPES).map((type) => [type.name, type]))
  return [...types.values()].map(({ name, columns }) => {
    const typed = Object.entries(columns).map(([column, type]) => `  ${column} ${type}`)
    return `create type ${quote(schema)}.${name} as (\n  n int,\n${typed.join(',\n')}\n)`
  })
}
