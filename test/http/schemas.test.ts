import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { adminApi, applicationApi } from '../../src/http/apis.ts'
import { toOpenApi } from '../../src/http/openapi.ts'
import { SCHEMAS } from '../../src/http/schemas.ts'
import type { JsonSchema } from '../../src/shapes/schema-names.ts'

test.each(Object.entries(SCHEMAS))('%s says what it is, and is closed', (_, schema) => {
  expect(schema.description).toMatch(/\.$/)
  expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
})

test('every answer of a route has a name, or is a list of what has one', () => {
  const nameless = [...applicationApi.routes, ...adminApi.routes].flatMap(({ method, path, answers }) =>
    Object.values(answers)
      .map(({ schema }) => (schema.type === 'array' ? (schema.items as JsonSchema) : schema))
      .filter((schema) => schema.$ref === undefined)
      .map(() => `${method} ${path}`),
  )
  // Documents that say what they are themselves, one answer in two forms, and lines of streams of several kinds.
  const known = ['GET /health', 'GET /openapi.json', 'POST /events/void', '/verify', '/rebuild', '/what-if', '/apply']
  expect(nameless.filter((route) => !known.some((each) => route.endsWith(each)))).toEqual([])
})

test('shapes with a name are referred to', () => {
  const properties = SCHEMAS.MetricEventResponse.properties as { readonly [name: string]: JsonSchema }
  expect(properties.currentStreak).toEqual({ $ref: '#/components/schemas/CurrentStreak' })
  expect(properties.points).toEqual({
    description: 'The points systems whose total changed, by key.',
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/PointsChange' },
  })
})

test('what may be absent is not required', () => {
  expect(SCHEMAS.MetricEventResponse.required).toEqual([
    'eventId',
    'metricId',
    'total',
    'achievements',
    'currentStreak',
    'points',
    'leaderboards',
  ])
})

test('every parameter of a query has a text', () => {
  const documents = [applicationApi, adminApi].map((api) => JSON.stringify(toOpenApi(api)))
  const parameters = documents.flatMap((text) => text.match(/\{"name":"\w+","in":"query".*?"schema"/g) ?? [])
  expect(parameters.length).toBeGreaterThan(60)
  expect(parameters.filter((parameter) => !parameter.includes('"description":"'))).toEqual([])
})

test('the schemas, and the texts of requests, are made from the types as they are: run npm run schemas', async () => {
  const { compileSources, schemasModules } = await import('../schemas/generate.ts')
  const { requestTextsModule } = await import('../schemas/request-texts.ts')
  const folder = fileURLToPath(new URL('../..', import.meta.url))
  const program = compileSources(folder)
  const { schemas, names } = schemasModules(program)
  expect(readFileSync(`${folder}/src/http/schemas.ts`, 'utf8')).toBe(schemas)
  expect(readFileSync(`${folder}/src/shapes/schema-names.ts`, 'utf8')).toBe(names)
  expect(readFileSync(`${folder}/src/http/request-texts.ts`, 'utf8')).toBe(requestTextsModule(program))
}, 60_000)

test("the client's routes are made from the operations as they are: run npm run schemas", async () => {
  const { clientRoutesModule } = await import('../schemas/client-routes.ts')
  expect(readFileSync(new URL('../../adapters/client/routes.ts', import.meta.url), 'utf8')).toBe(clientRoutesModule())
})
