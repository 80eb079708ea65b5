import { z } from 'zod'
import { schemaOf, TAGS } from '../api/endpoint.ts'
import type { JsonSchema as Json, SchemaName } from '../shapes/schema-names.ts'
import type { QueryKind } from './query.ts'
import type { HttpApi, Route, Served } from './route.ts'
import { SCHEMAS } from './schemas.ts'

/** The version of the interface, as clients of the hosted service know it. */
const INTERFACE_VERSION = '1.26.0'

/** Marks a score in the schemas, until the document is made for an API. */
const SCORE = 'laurels:score'

/** The address of an API. Without a path it is the folder of the document. */
export function serversAt(base: string): readonly Json[] {
  return [{ url: base === '' ? '.' : base }]
}

export function toOpenApi(api: HttpApi, { wholeNumbers = null }: Partial<Pick<Served, 'wholeNumbers'>> = {}): Json {
  const type = wholeNumbers === null ? 'number' : 'integer'
  return JSON.parse(JSON.stringify(describe(api)), (_, value) => {
    return isJson(value) ? withEnums(withScore(value, type), api.closesEnums) : value
  })
}

/** Replaces the mark of a score by the type that it has in answers. */
function withScore(schema: Json, type: 'number' | 'integer'): Json {
  if (schema[SCORE] !== true) return schema
  const { [SCORE]: _score, ...rest } = schema
  return { ...rest, type }
}

/**
 * The schema of an object whose own values `kind` has (`toServiceText`). With closed enums, no other property has
 * them. Otherwise there is no `kind`.
 */
function withEnums(schema: Json, closes: boolean): Json {
  if (!isJson(schema.properties)) return schema
  const { kind, ...others } = schema.properties
  const own: readonly unknown[] = !isJson(kind) ? [] : Array.isArray(kind.enum) ? kind.enum : [kind.const]
  const hasOwn = (property: unknown): property is { readonly enum: readonly unknown[] } =>
    isJson(property) && Array.isArray(property.enum) && property.enum.some((value) => own.includes(value))
  if (!Object.values(others).some(hasOwn)) return schema
  if (!closes) return { ...schema, properties: others }
  const closed = Object.entries(others).map(([name, property]) => {
    return [
      name,
      hasOwn(property) ? { ...property, enum: property.enum.filter((value) => !own.includes(value)) } : property,
    ]
  })
  return { ...schema, properties: { ...Object.fromEntries(closed), kind } }
}

function describe(api: HttpApi): Json {
  const { title, description, prefix, routes, callers } = api
  const schemas: Record<string, unknown> = {}
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const operations = paths[route.path] ?? (callers === 'keys' ? { parameters: [TENANT] } : {})
    paths[route.path] = operations
    operations[route.method.toLowerCase()] = toOperation(api, route, schemas)
  }
  const problem = withParts(schemaOf('Problem'), schemas)
  return {
    openapi: '3.1.0',
    info: {
      title,
      description,
      version: INTERFACE_VERSION,
      contact: { name: 'laurels', url: 'https://github.com/laurels-dev/laurels' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name, description: TAGS[name] })),
    servers: serversAt(prefix),
    security: callers === 'keys' ? [{ apiKey: [] }] : [],
    paths,
    components: {
      schemas,
      ...(callers === 'keys' && { securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY' } } }),
      parameters: Object.fromEntries(
        Object.entries(PARAMETERS).filter(([name]) => JSON.stringify(paths).includes(`/parameters/${name}"`)),
      ),
      responses: { Problem: { description: 'The mistake, and how to fix it.', content: toContent(problem) } },
    },
  }
}

const CALLERS: Record<HttpApi['callers'], string> = { keys: 'Application keys', sessions: 'A session' }

/** Every path declares it once, for all its operations. */
const TENANT: Json = { $ref: '#/components/parameters/TenantId' }

const PARAMETERS: Json = {
  SdkVersion: {
    name: 'X-SDK-VERSION',
    in: 'header',
    description: 'The version of the client library. Any value is accepted.',
    schema: { type: 'string', default: INTERFACE_VERSION },
  },
  TenantId: {
    name: 'Tenant-ID',
    in: 'header',
    description: 'The tenant, if the game has tenants; otherwise ignored.',
    schema: { type: 'string', maxLength: 255 },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A second event of the same user and metric with the same key is not recorded: 202.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  },
}

function toOperation({ callers }: HttpApi, route: Route, schemas: Record<string, unknown>): Json {
  const { operationId, summary, tag, isPublic, bodySchema, applicationKeys, answers } = route
  return {
    operationId,
    summary,
    tags: [tag],
    description: isPublic ? 'Needs no key.' : `${CALLERS[callers]}: ${applicationKeys ?? 'no'}.`,
    ...(isPublic ? { security: [] } : {}),
    parameters: toParameters(route, schemas),
    ...(bodySchema && {
      requestBody: { required: true, content: toContent(toBody(route, bodySchema, schemas), undefined, route.example) },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, { description, schema, type }]) => [
          status,
          { description, content: toContent(withParts(schema, schemas), type) },
        ]),
      ),
      ...Object.fromEntries(errorsOf(route).map((status) => [status, { $ref: '#/components/responses/Problem' }])),
    },
  }
}

/** Any path or query can be malformed. A key can lack the capability for any route, and any tenant's id can be invalid. */
function errorsOf({ isPublic, bodySchema, canMiss, canConflict }: Route): readonly number[] {
  return [
    400,
    ...(isPublic ? [] : [401, 403]),
    ...(canMiss ? [404] : []),
    ...(canConflict ? [409] : []),
    ...(bodySchema === null ? [] : [413, 415]),
    ...(isPublic ? [] : [422, 429]),
    503,
  ]
}

function toContent(schema: Json, type = 'application/json', example?: unknown): Json {
  return { [type]: example === undefined ? { schema } : { schema, example } }
}

function toParameters(
  { params, query, querySchema, texts, takesIdempotencyKey }: Route,
  schemas: Record<string, unknown>,
): readonly Json[] {
  const { properties } = querySchema === null ? {} : toSchema(querySchema, schemas)
  const known: Json = isJson(properties) ? properties : {}
  const shared = ['SdkVersion', ...(takesIdempotencyKey ? ['IdempotencyKey'] : [])]
  return [
    ...Object.entries(params).map(([name, { schema, description }]) => ({
      name,
      in: 'path',
      required: true,
      description,
      schema: toSchema(schema, schemas),
    })),
    ...Object.entries(query).map(([name, { kind, description, required, example }]) => ({
      name,
      in: 'query',
      required,
      description: description ?? texts[name],
      schema: { ...QUERY_SCHEMAS[kind], ...withoutDescription(known[name]) },
      ...(example === undefined ? {} : { example }),
    })),
    ...shared.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ]
}

function toBody({ texts }: Route, schema: z.ZodType, schemas: Record<string, unknown>): Json {
  return withTexts(toSchema(schema, schemas), texts, schemas)
}

/** Describes the properties of an object, of the items of a list, or of each of several forms. */
function withTexts(schema: Json, texts: Route['texts'], schemas: Record<string, unknown>): Json {
  const { $ref, items, oneOf, properties } = schema
  const describeAll = (each: Json): Json => withTexts(each, texts, schemas)
  const name = typeof $ref === 'string' ? $ref.replace('#/components/schemas/', '') : ''
  if (isJson(schemas[name])) schemas[name] = describeAll(schemas[name])
  if (isJson(items)) return { ...schema, items: describeAll(items) }
  if (Array.isArray(oneOf)) return { ...schema, oneOf: oneOf.map(describeAll) }
  if (!isJson(properties)) return schema
  const described = Object.entries(properties).map(([member, property]) => {
    const text = texts[member]
    return [member, text === undefined || !isJson(property) ? property : { description: text, ...property }]
  })
  return { ...schema, properties: Object.fromEntries(described) }
}

function withoutDescription(schema: unknown): Json {
  if (!isJson(schema)) return {}
  const { description, example, inQuery, ...rest } = schema
  return rest
}

const QUERY_SCHEMAS: Record<QueryKind, Json> = {
  text: { type: 'string' },
  integer: { type: 'integer' },
  list: { type: 'array', items: { type: 'string' }, maxItems: 100 },
  'uuid-list': { type: 'array', items: { type: 'string', format: 'uuid' }, minItems: 1, maxItems: 100 },
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}

/** The schema of an answer. All that it refers to goes among the components. */
function withParts(schema: Json, schemas: Record<string, unknown>): Json {
  for (const [, name] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (name === undefined || name in schemas) continue
    schemas[name] = SCHEMAS[name as SchemaName]
    withParts(SCHEMAS[name as SchemaName], schemas)
  }
  return schema
}

/** The schema of a request as JSON Schema. A schema with a name is moved to the components. */
function toSchema(schema: z.ZodType, schemas: Record<string, unknown>): Json {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // Unknown properties are left out over HTTP, not refused.
      const { def } = zodSchema._zod
      if (def.type === 'object' && def.catchall?._zod.def.type === 'never') delete jsonSchema.additionalProperties
    },
  })
  const { $schema, $defs = {}, ...converted } = json
  for (const [name, { id, ...definition }] of Object.entries($defs)) schemas[name] ??= relink(definition)
  return relink(withForms(converted))
}

/** An object that has one of several sets of properties (`forms`) becomes one object for each set. */
function withForms({ forms, ...schema }: Json): Json {
  const { properties } = schema
  if (!Array.isArray(forms) || !isJson(properties)) return schema
  const inSome = new Set(forms.flat())
  return {
    oneOf: forms.map((form: readonly string[]) => ({
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(properties).flatMap(([name, property]) => {
          if (form.includes(name)) return [[name, withoutNull(property)]]
          return inSome.has(name) ? [] : [[name, property]]
        }),
      ),
      required: form,
    })),
  }
}

function withoutNull(property: unknown): unknown {
  return isJson(property) && Array.isArray(property.anyOf) ? property.anyOf[0] : property
}

function relink(value: unknown): Json {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'))
}
