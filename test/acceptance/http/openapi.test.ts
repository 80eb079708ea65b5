import { beforeAll, describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { openServer } from '../../support/http.ts'
import { expectStatus, serve } from './serve.ts'

const game: GameDefinition = { metrics: { words: { name: 'Words written' } } }

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema?: { readonly type?: unknown; readonly default?: unknown; readonly enum?: readonly unknown[] }
  readonly example?: unknown
}

interface Operation {
  readonly path: string
  readonly method: string
  readonly parameters: readonly Parameter[]
  readonly responses: readonly string[]
  readonly hasBody: boolean
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

// biome-ignore lint/suspicious/noExplicitAny: a document
type Json = any

/** The target of a reference in the document. */
const resolved = (document: Json, value: Json): Json =>
  typeof value?.$ref === 'string'
    ? value.$ref
        .slice(2)
        .split('/')
        .reduce((at: Json, name: string) => at[name.replaceAll('~1', '/').replaceAll('~0', '~')], document)
    : value

/** The operations of a document, with the parameters of their paths. */
const operationsOf = (document: Json): readonly Operation[] =>
  Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((method) => ({
      path,
      method: method.toUpperCase(),
      parameters: [...(item.parameters ?? []), ...(item[method].parameters ?? [])].map((parameter) =>
        resolved(document, parameter),
      ),
      responses: Object.keys(item[method].responses),
      hasBody: resolved(document, item[method].requestBody)?.content?.['application/json'] !== undefined,
    })),
  )

/** The successes and the errors that sections 4 and 7 list. */
const LISTED: readonly (readonly [method: string, path: string, statuses: readonly string[]])[] = [
  ['GET', '/achievements', ['200', '401', '422']],
  ['POST', '/achievements/{key}/complete', ['201', '401', '404', '422']],
  ['POST', '/metrics/{key}/event', ['201', '202', '400', '401', '422']],
  ['POST', '/users', ['201', '400', '401', '422']],
  ['GET', '/users/{id}', ['200', '400', '401', '404', '422']],
  ['PATCH', '/users/{id}', ['200', '400', '401', '404', '422']],
  ['GET', '/users/{id}/preferences', ['200', '401', '404', '422']],
  ['PATCH', '/users/{id}/preferences', ['200', '401', '403', '404', '422']],
  ['GET', '/users/{id}/metrics/{key}/event-summary', ['200', '401', '404', '422']],
  ['GET', '/users/{id}/achievements', ['200', '401', '404']],
  ['GET', '/users/{id}/points/{key}', ['200', '401', '404']],
  ['GET', '/streaks', ['200', '401', '422']],
  ['GET', '/points/{key}/summary', ['200', '401', '404', '422']],
  ['GET', '/points/{key}/boosts', ['200', '401', '404', '422']],
  ['GET', '/users/{id}/points/{key}/boosts', ['200', '401', '403', '404', '422']],
  ['GET', '/leaderboards', ['200', '401', '422']],
  ['GET', '/leaderboards/{key}', ['200', '401', '403', '404', '422']],
  ['GET', '/users/{id}/leaderboards/{key}', ['200', '401', '403', '404', '422']],
]

describe('section 9: GET /v1/openapi.json', () => {
  let document: Json
  let operations: readonly Operation[]
  beforeAll(async () => {
    const server = await openServer({ definition: game })
    document = (await server.call('GET', '/v1/openapi.json')).body
    operations = operationsOf(document)
    await server.close()
  })

  const find = (method: string, path: string): Operation | undefined =>
    operations.find((operation) => operation.method === method && operation.path.replace(/^\/v1/, '') === path)

  test('needs no key', async () => {
    const server = await serve(game)
    expectStatus(await server.call('GET', '/v1/openapi.json', { key: null }), 200)
    expectStatus(await server.call('GET', '/v1/openapi.json', { key: 'x' }), 200)
  })

  test('needs no tenant', async () => {
    const server = await serve({ ...game, multiTenant: true })
    expectStatus(await server.call('GET', '/v1/openapi.json', { key: null }), 200)
  })

  test('is OpenAPI 3.1 of version 1.26.0', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/)
    expect(document.info.version).toBe('1.26.0')
    expect(document.info.title).toMatch(/\S/)
    expect(document.info.license).toEqual({ name: 'MIT', identifier: 'MIT' })
  })

  test('gives examples of the type that it says', () => {
    const examples = operations.flatMap(({ path, parameters }) =>
      parameters
        .filter(({ example }) => example !== undefined)
        .map(({ name, schema, example }) => ({ path, name, type: schema?.type, example })),
    )
    expect(examples.length).toBeGreaterThan(10)
    expect(examples.filter(({ type, example }) => Array.isArray(example) !== (type === 'array'))).toEqual([])
    expect(examples).toContainEqual({ path: '/streaks', name: 'userIds', type: 'array', example: ['18'] })
  })

  test.each(LISTED)('has %s %s with the statuses %s', (method, path, statuses) => {
    const responses = find(method, path)?.responses
    expect(responses).toEqual(expect.arrayContaining([...statuses]))
  })

  test('4: every path declares the tenant, once for all its operations', () => {
    const paths = Object.values<Json>(document.paths)
    expect(paths.map(({ parameters }) => parameters)).toEqual(
      paths.map(() => [{ $ref: '#/components/parameters/TenantId' }]),
    )
    expect(
      JSON.stringify(operations.map(({ path, method }) => document.paths[path][method.toLowerCase()])),
    ).not.toContain('TenantId')
  })

  test('4: every operation declares X-SDK-VERSION with its default, and Tenant-ID', () => {
    expect(operations.length).toBeGreaterThanOrEqual(25)
    for (const { method, path, parameters } of operations) {
      const headers = parameters.filter((parameter) => parameter.in === 'header')
      const version = headers.find(({ name }) => name.toLowerCase() === 'x-sdk-version')
      const tenant = headers.find(({ name }) => name.toLowerCase() === 'tenant-id')
      expect({ method, path, version: version?.schema?.default, tenant: tenant?.name }).toEqual({
        method,
        path,
        version: '1.26.0',
        tenant: 'Tenant-ID',
      })
    }
  })

  test('5: every operation but itself is secured by the header X-API-KEY', () => {
    const schemes = Object.values<Json>(document.components.securitySchemes)
    expect(schemes).toContainEqual(expect.objectContaining({ type: 'apiKey', in: 'header', name: 'X-API-KEY' }))
  })

  test('4: every parameter in a path is declared and required', () => {
    for (const { method, path, parameters } of operations) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()
      const declared = parameters.filter((parameter) => parameter.in === 'path')
      expect({ method, path, names: declared.map(({ name }) => name).sort() }).toEqual({ method, path, names: named })
      expect(declared.filter(({ required }) => required !== true)).toEqual([])
    }
  })

  test.each([
    ['GET', '/achievements', ['userAttributes']],
    ['GET', '/users/{id}/metrics/{key}/event-summary', ['aggregation', 'endDate', 'startDate']],
    ['GET', '/users/{id}/achievements', ['includeIncomplete']],
    ['GET', '/users/{id}/streak', ['historyPeriods']],
    ['GET', '/users/{id}/streaks/{key}', ['historyPeriods']],
    ['GET', '/users/{id}/points/{key}', ['awards']],
    ['GET', '/streaks', ['userIds']],
    ['GET', '/points/{key}/summary', ['userAttributes']],
    ['GET', '/points/{key}/boosts', ['includeFinished']],
    ['GET', '/users/{id}/points/{key}/boosts', []],
    ['GET', '/leaderboards', ['includeFinished']],
    ['GET', '/leaderboards/{key}', ['limit', 'offset', 'reveal', 'run', 'userAttributes', 'userId']],
    ['GET', '/users/{id}/leaderboards/{key}', ['numEvents', 'run']],
  ])('4: %s %s declares the query parameters %s', (method, path, names) => {
    const declared = find(method, path)?.parameters.filter((parameter) => parameter.in === 'query')
    expect(declared?.map(({ name }) => name).sort()).toEqual(names)
  })

  test('4.12: aggregation, startDate and endDate are required, and aggregation says what it may be', () => {
    const query = find('GET', '/users/{id}/metrics/{key}/event-summary')?.parameters.filter(
      (parameter) => parameter.in === 'query',
    )
    expect(query?.map(({ required }) => required)).toEqual([true, true, true])
    const aggregation = query?.find(({ name }) => name === 'aggregation')
    expect(JSON.stringify(aggregation)).toMatch(/daily.*weekly.*monthly/)
  })

  test('4.3: an event declares the header Idempotency-Key, not required', () => {
    const headers = find('POST', '/metrics/{key}/event')?.parameters.filter((parameter) => parameter.in === 'header')
    const key = headers?.find(({ name }) => name.toLowerCase() === 'idempotency-key')
    expect(key).toBeDefined()
    expect(key?.required ?? false).toBe(false)
  })

  test.each([
    ['POST', '/achievements/{key}/complete'],
    ['POST', '/metrics/{key}/event'],
    ['POST', '/users'],
    ['PUT', '/users/{id}'],
    ['PATCH', '/users/{id}'],
    ['PATCH', '/users/{id}/preferences'],
  ])('4: %s %s declares a body of application/json', (method, path) => {
    expect(find(method, path)?.hasBody).toBe(true)
  })

  test('every reference in it leads somewhere', () => {
    const references = JSON.stringify(document).match(/"\$ref":"[^"]+"/g) ?? []
    for (const reference of new Set(references)) {
      expect(resolved(document, JSON.parse(`{${reference}}`))).toBeDefined()
    }
  })
})
