// @heavy: It takes more than three seconds.

import { expect, test } from 'vitest'
import { z } from 'zod'
import { adminApi, applicationApi } from '../../src/http/index.ts'

/** The parts of JSON Schema that bound the size of a request. */
interface Schema {
  readonly $ref?: string
  readonly $defs?: { readonly [name: string]: Schema }
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: { readonly [name: string]: Schema }
  readonly additionalProperties?: Schema | boolean
  readonly maxItems?: number
  readonly maxLength?: number
  readonly maxProperties?: number
  readonly format?: string
}

/** The places of a body or query at which a list, text or record may have any length. */
function boundlessIn(root: Schema, given: Schema, place: string): readonly string[] {
  const schema = given.$ref === undefined ? given : (root.$defs?.[given.$ref.replace('#/$defs/', '')] ?? {})
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((option) => boundlessIn(root, option, place))
  const own = isBounded(schema) ? [] : [place]
  if (schema.type === 'array') return [...own, ...boundlessIn(root, schema.items ?? {}, `${place}[]`)]
  const properties = Object.entries(schema.properties ?? {})
  return [...own, ...properties.flatMap(([name, property]) => boundlessIn(root, property, `${place}.${name}`))]
}

function isBounded({ type, maxItems, maxLength, maxProperties, format, ...schema }: Schema): boolean {
  if (type === 'array') return maxItems !== undefined
  if (type === 'object') return !schema.additionalProperties || maxProperties !== undefined
  if (type !== 'string') return true
  return schema.enum !== undefined || maxLength !== undefined || ['date', 'uuid'].includes(format ?? '')
}

test('Every list, text and record that a route accepts has a maximum size in the OpenAPI document', () => {
  const boundless = [...applicationApi.routes, ...adminApi.routes].flatMap(({ operationId, bodySchema, querySchema }) =>
    [bodySchema, querySchema].flatMap((schema) => {
      if (schema === null) return []
      const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema
      return boundlessIn(root, root, operationId)
    }),
  )
  expect(boundless).toEqual([])
})
