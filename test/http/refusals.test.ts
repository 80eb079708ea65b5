import { expect, test } from 'vitest'
import { z } from 'zod'
import { adminApi, applicationApi } from '../../src/http/index.ts'

/** The part of JSON Schema that request schemas use. */
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

/** The places of a request whose length has no limit. */
function findUnlimited(root: Schema, given: Schema, place = ''): readonly string[] {
  const schema = given.$ref === undefined ? given : (root.$defs?.[given.$ref.replace('#/$defs/', '')] ?? {})
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((option) => findUnlimited(root, option, place))
  const own = isLimited(schema) ? [] : [place]
  if (schema.type === 'array') return [...own, ...findUnlimited(root, schema.items ?? {}, `${place}[0]`)]
  const properties = Object.entries(schema.properties ?? {})
  return [...own, ...properties.flatMap(([name, property]) => findUnlimited(root, property, `${place}.${name}`))]
}

function isLimited(schema: Schema): boolean {
  switch (schema.type) {
    case 'array':
      return schema.maxItems !== undefined
    case 'object':
      return [undefined, false].includes(schema.additionalProperties as undefined) || schema.maxProperties !== undefined
    case 'string':
      return (
        schema.enum !== undefined || schema.maxLength !== undefined || ['date', 'uuid'].includes(schema.format ?? '')
      )
    default:
      return true
  }
}

test('Every list, text and record of a request has a limit in the OpenAPI document', () => {
  const unlimited = [...applicationApi.routes, ...adminApi.routes].flatMap(({ operationId, bodySchema, querySchema }) =>
    [bodySchema, querySchema].flatMap((schema) => {
      if (schema === null) return []
      const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema
      return findUnlimited(root, root).map((place) => `${operationId}: ${place}`)
    }),
  )
  expect(unlimited).toEqual([])
})
