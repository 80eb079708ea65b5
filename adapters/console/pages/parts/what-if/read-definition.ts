/** The definition that a text is, or why it is none. */
export type ReadDefinition =
  | { readonly definition: { readonly [name: string]: unknown }; readonly problem: null }
  | { readonly definition: null; readonly problem: string }

/** Reads JSON; whether it is a game says the server. */
export function readDefinition(text: string): ReadDefinition {
  if (text.trim() === '') return { definition: null, problem: 'Paste a definition, or choose a file.' }
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return { definition: value, problem: null }
    return { definition: null, problem: 'The definition must be a JSON object, as { "metrics": … }.' }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { definition: null, problem: `This is not JSON: ${why}` }
  }
}

export function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
