import type { JsonSchema, SchemaName } from './schemas.ts'

/** The schema that `npm run schemas` makes from the type of that name. */
export function schemaOf(name: SchemaName): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

export function listOf(items: SchemaName | JsonSchema): JsonSchema {
  return { type: 'array', items: typeof items === 'string' ? schemaOf(items) : items }
}

export function anyOf(...schemas: readonly JsonSchema[]): JsonSchema {
  return { anyOf: schemas }
}

/** An object with one property. */
export function objectOf(name: string, schema: JsonSchema): JsonSchema {
  return { type: 'object', properties: { [name]: schema }, required: [name], additionalProperties: false }
}
