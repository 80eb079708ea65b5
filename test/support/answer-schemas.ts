import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { SCHEMAS } from '../../src/http/schemas.ts'
import type { JsonSchema } from '../../src/shapes/schema-names.ts'

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true })
addFormats.default(ajv)
ajv.addVocabulary(['components', 'laurels:score'])
const compiled = new Map<string, ValidateFunction>()

/** If a value is not as the document says, and why: `points.xp.total: type`. */
export function mistakesOf(schema: JsonSchema, value: unknown): readonly string[] {
  const text = JSON.stringify(schema)
  const validate = compiled.get(text) ?? ajv.compile({ ...schema, components: { schemas: SCHEMAS } })
  compiled.set(text, validate)
  validate(value)
  return (validate.errors ?? []).map(
    ({ instancePath, keyword }) => `${instancePath.slice(1).replaceAll('/', '.')}: ${keyword}`,
  )
}
