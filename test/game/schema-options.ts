import { definitionSchema } from '../../src/game/read-definition.ts'

/** Known nowhere, so whatever refuses it says what it knows. */
const UNKNOWN = 'zzz'

/**
 * The properties that the schema of definitions knows in each object of a definition, as the paths of `game-options.ts`:
 * `options` tells which keys are the host's.
 */
export function propertiesOfSchema(definition: unknown, options: readonly string[]): readonly string[] {
  const parsed = definitionSchema.safeParse(withUnknown(definition))
  const known = (parsed.error?.issues ?? []).flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return []
    const path = issue.path.reduce<string>((at, step) => below(at, step, options), '')
    return issue.message.split(' ').map((property) => below(path, property, options))
  })
  return [...new Set(known)].sort()
}

function below(path: string, step: PropertyKey, options: readonly string[]): string {
  if (typeof step === 'number') return `${path}[]`
  const prefix = path === '' ? '' : `${path}.`
  return options.includes(`${prefix}*`) ? `${prefix}*` : `${prefix}${String(step)}`
}

function withUnknown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknown)
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.entries(value).map(([key, part]) => [key, withUnknown(part)] as const)
  return Object.fromEntries([...parts, [UNKNOWN, {}]])
}
