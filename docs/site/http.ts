/** The two HTTP APIs, from their OpenAPI documents: a page for each tag, and one for the schemas that they share. */
import { adminApi, applicationApi, toOpenApi } from '../../src/http/index.ts'
import { write } from './pages.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
}

interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

interface Body {
  readonly $ref?: string
  readonly description?: string
  readonly content?: Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>
}

interface Operation {
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, Body>>
}

interface Document {
  readonly info: { readonly title: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
  }
}

export function writeHttpApis(): void {
  writeHttpApi('application', toOpenApi(applicationApi) as unknown as Document)
  writeHttpApi('admin', toOpenApi(adminApi) as unknown as Document)
}

function writeHttpApi(folder: string, api: Document): void {
  const slug = (tag: string): string => tag.toLowerCase().replaceAll(' ', '-')
  const tags = api.tags.map(({ name, description }) => [`[${name}](./${slug(name)}.md)`, description])
  const index = [`# ${api.info.title}`, api.info.description, table(['Part', 'What is there'], tags)]
  write(`http/${folder}/index.md`, page([...index, 'The answers are described under [Schemas](./schemas.md).']))

  for (const { name, description } of api.tags) {
    const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { tags }]) => tags.includes(name))
        .flatMap(([method, operation]) => operationOf(api, `${method.toUpperCase()} ${path}`, operation)),
    )
    write(`http/${folder}/${slug(name)}.md`, page([`# ${name}`, description, ...operations]))
  }
  const schemas = Object.entries(api.components.schemas).sort(([left], [right]) => left.localeCompare(right))
  const parts = schemas.flatMap(([name, schema]) => [`## ${name}`, schema.description ?? '', shapeOf(schema)])
  write(`http/${folder}/schemas.md`, page(['# Schemas', `Shapes of the ${api.info.title}.`, ...parts]))
}

function operationOf(api: Document, call: string, operation: Operation): readonly string[] {
  const [method, path] = call.split(' ')
  const { summary, description = '', requestBody, responses } = operation
  const parameters = (operation.parameters ?? [])
    .map((parameter) => api.components.parameters[nameOf(parameter) ?? ''] ?? parameter)
    .map(({ name, in: place, required, description, schema }) => [
      `\`${name}\``,
      required ? `${place}, required` : place,
      typeOf(schema),
      description ?? '',
    ])
  const body = Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema = {}, example }]) => [
    `**Body** \`${type}\``,
    shapeOf(schema),
    ...(example === undefined ? [] : [`\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``]),
  ])
  const answers = Object.entries(responses)
    .filter(([, { $ref }]) => $ref === undefined)
    .map(([status, { description = '', content }]) => {
      const types = Object.entries(content ?? {}).map(([type, { schema }]) => (schema ? typeOf(schema) : `\`${type}\``))
      return [status, types.join(', '), description]
    })
  // The errors of all operations have one shape.
  const errors = Object.keys(responses).filter((status) => responses[status]?.$ref !== undefined)
  if (errors.length > 0) answers.push([errors.join(', '), link('Problem'), 'The call failed.'])
  return [
    `## ${summary}`,
    `\`\`\`http\n${method} ${api.servers[0]?.url ?? ''}${path}\n\`\`\``,
    description,
    ...(parameters.length === 0 ? [] : [table(['Parameter', 'In', 'Type', 'Meaning'], parameters)]),
    ...body,
    table(['Status', 'Answer', 'When'], answers),
  ]
}

/** A table of properties, or the type of what has none. */
function shapeOf(schema: Schema): string {
  const rows = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    `\`${name}\`${schema.required?.includes(name) ? '' : '?'}`,
    typeOf(property),
    property.description ?? '',
  ])
  return rows.length === 0 ? typeOf(schema) : table(['Property', 'Type', 'Meaning'], rows)
}

function typeOf(schema: Schema): string {
  const name = nameOf(schema)
  if (name !== undefined) return link(name)
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ')
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ')
  if ('const' in schema) return `\`${JSON.stringify(schema.const)}\``
  if (schema.items) return `list of ${typeOf(schema.items)}`
  if (schema.properties) {
    const properties = Object.entries(schema.properties).map(([key, each]) => `\`${key}\`: ${typeOf(each)}`)
    return `{ ${properties.join('; ')} }`
  }
  if (typeof schema.additionalProperties === 'object') return `object of ${typeOf(schema.additionalProperties)}`
  return [schema.type ?? 'any', ...(schema.format === undefined ? [] : [`(${schema.format})`])].join(' ')
}

const nameOf = ({ $ref }: { readonly $ref?: string }): string | undefined => $ref?.split('/').at(-1)

const link = (schema: string): string => `[${schema}](./schemas.md#${schema.toLowerCase()})`

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n')
}

const page = (parts: readonly string[]): string => `${parts.filter((part) => part !== '').join('\n\n')}\n`
