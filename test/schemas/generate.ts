/*
 * The JSON Schemas of answers, made from their types. `npm run schemas` writes them to `src/http/schemas.ts`.
 *
 * - An exported interface, or an alias of one, has a schema of its own. Everything else is written out if it is used.
 * - The comment of a type or a member becomes its description. Its tags, and the tags of an alias such as `Uuid`,
 *   become keywords of JSON Schema. `open` makes a union an object with the properties that all its types have.
 * - The compiler says what a type is; a type parameter is its constraint. The text of a declaration only says which alias
 *   is written there, and in which order.
 */

import { isDeepStrictEqual } from 'node:util'
import ts from 'typescript-5.9'
import { adminApi, applicationApi } from '../../src/http/apis.ts'

type Schema = { [keyword: string]: unknown }
type Hint = ts.TypeNode | undefined

/** Names in the document that differ from the names of the types. */
const NAMES: { readonly [type: string]: string } = {
  CurrentGameResponse: 'CurrentGame',
  LeaderboardResponse: 'Leaderboard',
  PointsSystemResponse: 'PointsSystem',
  StoredGameSummary: 'StoredGame',
}
/** The files with the types of answers and messages. */
const WIRE = /\/src\/shapes\/[\w-]+\.ts$/
const LIMITS = new Set(['minimum', 'maximum', 'minLength', 'maxLength', 'maxItems'])

/** The sources, compiled. */
export function compileSources(folder: string): ts.Program {
  const { config } = ts.parseConfigFileTextToJson('', ts.sys.readFile(`${folder}/tsconfig.json`) ?? '')
  const { options, fileNames } = ts.parseJsonConfigFileContent({ ...config, include: ['src'] }, ts.sys, folder)
  return ts.createProgram(fileNames, { ...options, types: [] })
}

/** The texts of `src/http/schemas.ts`, each schema on a line of its own, and of `src/shapes/schema-names.ts`. */
export function schemasModules(program: ts.Program): { readonly schemas: string; readonly names: string } {
  const answers = [...applicationApi.routes, ...adminApi.routes].map((route) => JSON.stringify(route.answers))
  const named = [...answers.join().matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name!)
  const schemas = Object.entries(generateSchemas(program, ['Problem', ...new Set(named)]))
  const names = `${HEAD}
export type JsonSchema = { readonly [keyword: string]: unknown }

/** The names of the schemas of answers. */
export type SchemaName =
${schemas.map(([name]) => `  | '${name}'\n`).join('')}`
  return { schemas: schemasModule(schemas), names }
}

const HEAD = `// Generated from the types of answers by \`npm run schemas\`: change those, and run it.
`

function schemasModule(schemas: readonly (readonly [name: string, schema: Schema])[]): string {
  return `${HEAD}
import type { JsonSchema, SchemaName } from '../shapes/schema-names.ts'

${Object.entries(FORMATS)
  .map(([name, format]) => `const ${name} = ${JSON.stringify(format)}\n`)
  .join('')}
const refer = (name: SchemaName) => ({ $ref: \`#/components/schemas/\${name}\` })
const only = (value: string) => ({ type: 'string', const: value })
const choice = (...values: readonly string[]) => ({ type: 'string', enum: values })
const list = (items: JsonSchema) => ({ type: 'array', items })
const orNull = (schema: JsonSchema) => ({ anyOf: [schema, NULL] })
const described = (schema: JsonSchema, description: string) => ({ ...schema, description })

/** An object with these properties only. */
const closed = (properties: JsonSchema, ...optional: readonly string[]) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
})

export const SCHEMAS: { readonly [Name in SchemaName]: JsonSchema } = {
${schemas.map(([name, schema]) => `${name}: ${toCode(schema)},\n`).join('')}}
`
}

const COUNTED = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }

/** Schemas that many properties have. The module names each once. */
const FORMATS: { readonly [name: string]: Schema } = {
  UUID: {
    type: 'string',
    format: 'uuid',
    pattern:
      '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
  },
  INSTANT: { type: 'string', format: 'date-time', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' },
  DATE: { type: 'string', format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  COUNT: COUNTED,
  POSITIVE: { ...COUNTED, minimum: 1 },
  INTEGER: { ...COUNTED, minimum: Number.MIN_SAFE_INTEGER },
  TEXT: { type: 'string' },
  TEXT_OR_NULL: { type: ['string', 'null'] },
  NUMBER: { type: 'number' },
  BOOLEAN: { type: 'boolean' },
  NULL: { type: 'null' },
}

/** A schema as an expression of the module, with keywords in the same order. */
function toCode(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCode).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const schema = value as Schema
  const call = toCall(schema)
  if (call !== null) return call
  const entries = Object.entries(schema)
  for (const [name, format] of Object.entries(FORMATS)) {
    const own = Object.entries(format)
    if (!isDeepStrictEqual(own, entries.slice(0, own.length))) continue
    return entries.length === own.length ? name : toObject([`...${name}`], entries.slice(own.length))
  }
  return toObject([], entries)
}

/** A schema as a call of a function of the module, or `null` if it has other keywords, or another order of them. */
function toCall(schema: Schema): string | null {
  const { description, ...described } = schema
  const keywords = Object.keys(schema)
  if (keywords.length > 1 && typeof description === 'string') {
    return `described(${toCode(described)}, ${JSON.stringify(description)})`
  }
  const { type, items, properties, required, additionalProperties } = schema
  switch (keywords.join()) {
    case '$ref':
      return `refer('${String(schema.$ref).replace('#/components/schemas/', '')}')`
    case 'type,const':
      return type === 'string' ? `only(${toCode(schema.const)})` : null
    case 'type,enum':
      return type === 'string' ? `choice(${(schema.enum as readonly unknown[]).map(toCode).join(',')})` : null
    case 'type,items':
      return `list(${toCode(items)})`
    case 'anyOf': {
      const [first, ...others] = schema.anyOf as readonly unknown[]
      return isDeepStrictEqual(others, [FORMATS.NULL]) ? `orNull(${toCode(first)})` : null
    }
    case 'type,properties,required,additionalProperties': {
      if (additionalProperties !== false) return null
      const optional = Object.keys(properties as Schema).filter(
        (name) => !(required as readonly string[]).includes(name),
      )
      return `closed(${[toCode(properties), ...optional.map((name) => JSON.stringify(name))].join(', ')})`
    }
    default:
      return null
  }
}

function toObject(spreads: readonly string[], entries: readonly (readonly [string, unknown])[]): string {
  return `{${[...spreads, ...entries.map(toProperty)].join(',')}}`
}

function toProperty([keyword, value]: readonly [string, unknown]): string {
  return `${/^[A-Za-z_$][\w$]*$/.test(keyword) ? keyword : JSON.stringify(keyword)}:${toCode(value)}`
}

/** The schemas with these names, and all that these refer to, in order of name. */
function generateSchemas(program: ts.Program, names: readonly string[]): { readonly [name: string]: Schema } {
  const checker = program.getTypeChecker()
  const schemas = new Map<string, Schema>()
  const sources = new Map<string, ts.Symbol>()

  for (const name of names) refer(findExport(Object.keys(NAMES).find((each) => NAMES[each] === name) ?? name))
  return Object.fromEntries([...schemas].sort(([left], [right]) => (left < right ? -1 : 1)))

  /** Types of HTTP answers come before types of the same name elsewhere. */
  function findExport(name: string): ts.Symbol {
    const found = program.getSourceFiles().flatMap((file) => {
      const symbol = checker.getSymbolAtLocation(file)?.exports?.get(ts.escapeLeadingUnderscores(name))
      return symbol !== undefined && isNamed(symbol) ? [{ symbol, isWire: WIRE.test(file.fileName) }] : []
    })
    const [first, second] = found.some(({ isWire }) => isWire) ? found.filter(({ isWire }) => isWire) : found
    if (first === undefined || second !== undefined) throw new Error(`${found.length} exported interfaces are ${name}.`)
    return first.symbol
  }

  /** Returns whether it is an exported interface, or an exported alias of one. */
  function isNamed(symbol: ts.Symbol): boolean {
    const [declaration] = symbol.declarations ?? []
    if (declaration === undefined || !isExported(declaration)) return false
    if (ts.isInterfaceDeclaration(declaration)) return true
    const type = checker.getDeclaredTypeOfSymbol(symbol)
    return ts.isTypeAliasDeclaration(declaration) && (type.symbol?.flags & ts.SymbolFlags.Interface) !== 0
  }

  function refer(symbol: ts.Symbol): Schema {
    const name = NAMES[symbol.name] ?? symbol.name
    if (sources.has(name) && sources.get(name) !== symbol) throw new Error(`Two types are called ${name}.`)
    if (!sources.has(name)) {
      sources.set(name, symbol)
      schemas.set(name, { ...toObject(checker.getDeclaredTypeOfSymbol(symbol)), ...commentOf(symbol) })
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  function toSchema(type: ts.Type, hint: Hint): Schema {
    const written = aliasOf(hint)
    if (written !== undefined && isOpen(written)) return toOpen(type)
    const named = [written, type.aliasSymbol, type.symbol].find((symbol) => symbol !== undefined && isNamed(symbol))
    if (named !== undefined) return refer(named)
    return { ...toForm(type, hint), ...(written === undefined ? {} : keywordsOf(written)) }
  }

  function toForm(type: ts.Type, hint: Hint): Schema {
    const is = (flags: ts.TypeFlags): boolean => (type.flags & flags) !== 0
    if (is(ts.TypeFlags.TypeParameter | ts.TypeFlags.IndexedAccess)) {
      return toSchema(checker.getBaseConstraintOfType(type)!, undefined)
    }
    if (is(ts.TypeFlags.Unknown)) return {}
    if (is(ts.TypeFlags.String)) return { type: 'string' }
    if (is(ts.TypeFlags.Number)) return { type: 'number' }
    if (is(ts.TypeFlags.Boolean)) return { type: 'boolean' }
    if (type.isUnion()) return toUnion(type.types, partsOf(hint))
    const value = literalOf(type)
    if (value !== undefined) return value === null ? { type: 'null' } : { type: typeof value, const: value }
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as ts.TypeReference)
      const list = hint !== undefined && ts.isTypeOperatorNode(hint) ? hint.type : hint
      return { type: 'array', items: toSchema(item!, list && ts.isArrayTypeNode(list) ? list.elementType : undefined) }
    }
    const [, each] = type.aliasSymbol?.name === 'ByKey' ? type.aliasTypeArguments! : []
    if (each !== undefined) return { type: 'object', additionalProperties: toSchema(each, undefined) }
    if (is(ts.TypeFlags.Object | ts.TypeFlags.Intersection)) return toObject(type)
    throw new Error(`There is no schema of ${checker.typeToString(type)}.`)
  }

  /** A list of words in the order in which they are written; else one of the schemas. */
  function toUnion(types: readonly ts.Type[], parts: readonly ts.TypeNode[]): Schema {
    const written = parts.map((part) => literalOf(checker.getTypeFromTypeNode(part)))
    const values = types.map(literalOf).filter((value) => value !== undefined && value !== null)
    const words = values.sort(
      (left, right) => written.indexOf(left) - written.indexOf(right) || (String(left) < String(right) ? -1 : 1),
    )
    const others = types.filter((type) => literalOf(type) === undefined && !(type.flags & ts.TypeFlags.Undefined))
    const hints = parts.filter((_, index) => written[index] === undefined)
    const forms = others
      .map((type) => toSchema(type, others.length === 1 && hints.length === 1 ? hints[0] : undefined))
      .sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1))
    if (words.length === 1) forms.push({ type: typeof words[0], const: words[0] })
    else if (typeof words[0] === 'boolean') forms.push({ type: 'boolean' })
    else if (words.length > 0) forms.push({ type: typeof words[0], enum: words })
    if (types.some((type) => literalOf(type) === null)) forms.push({ type: 'null' })
    if (forms.length === 1) return forms[0]!
    const isPlain = forms.every((form) => Object.keys(form).join() === 'type')
    return isPlain ? { type: forms.map((form) => form.type) } : { anyOf: forms }
  }

  function toObject(type: ts.Type): Schema {
    const members = checker.getPropertiesOfType(type)
    const [rest] = checker.getIndexInfosOfType(type)
    const required = members.filter(({ flags }) => !(flags & ts.SymbolFlags.Optional)).map(({ name }) => name)
    return {
      type: 'object',
      ...(members.length === 0 ? {} : { properties: Object.fromEntries(members.map((member) => toMember(member))) }),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: rest === undefined ? false : toSchema(rest.type, rest.declaration?.type),
    }
  }

  /** The properties that all types of a union have; each may have more. */
  function toOpen(type: ts.Type): Schema {
    return { ...toObject(type), additionalProperties: {} }
  }

  function isOpen(symbol: ts.Symbol): boolean {
    return symbol.getJsDocTags(checker).some(({ name }) => name === 'open')
  }

  function toMember(member: ts.Symbol): readonly [name: string, schema: Schema] {
    const [declaration] = member.declarations ?? []
    const hint = declaration !== undefined && ts.isPropertySignature(declaration) ? declaration.type : undefined
    const type = checker.getTypeOfSymbol(member)
    return [member.name, { ...(isOpen(member) ? toOpen(type) : toSchema(type, hint)), ...commentOf(member) }]
  }

  /** The parts of a union as written, here or under a name. */
  function partsOf(hint: Hint): readonly ts.TypeNode[] {
    if (hint === undefined) return []
    if (ts.isUnionTypeNode(hint)) return hint.types.flatMap(partsOf)
    const [alias] = aliasOf(hint)?.declarations ?? []
    const isUnion = alias !== undefined && ts.isTypeAliasDeclaration(alias) && ts.isUnionTypeNode(alias.type)
    return isUnion ? partsOf(alias.type) : [hint]
  }

  function aliasOf(hint: Hint): ts.Symbol | undefined {
    const symbol = hint && ts.isTypeReferenceNode(hint) ? checker.getSymbolAtLocation(hint.typeName) : undefined
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  }

  function literalOf(type: ts.Type): unknown {
    if (type.isLiteral()) return type.value
    if (type.flags & ts.TypeFlags.Null) return null
    return type.flags & ts.TypeFlags.BooleanLiteral ? checker.typeToString(type) === 'true' : undefined
  }

  function commentOf(symbol: ts.Symbol): Schema {
    const description = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s+/g, ' ')
    return { ...(description === '' ? {} : { description }), ...keywordsOf(symbol) }
  }

  function keywordsOf(symbol: ts.Symbol): Schema {
    const keywords: Schema = {}
    for (const { name, text } of symbol.getJsDocTags(checker)) {
      const value = ts.displayPartsToString(text)
      if (name === 'integer') keywords.type = name
      if (name === 'score') keywords['laurels:score'] = true
      if (name === 'format' || name === 'pattern') keywords[name] = value
      if (LIMITS.has(name)) keywords[name] = Number(value)
    }
    return keywords
  }
}

function isExported(declaration: ts.Declaration): boolean {
  return (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Export) !== 0
}
