import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript-5.9'

/*
 * Every property that a host can give to the library, read from its public types: an option that is added later is here by
 * itself.
 */

/** A property of an argument: its path in the argument, and its name. */
export interface Place {
  /** The call, such as `metrics.event` of an API, or a function. */
  readonly method: string
  /** Place among the arguments. */
  readonly index: number
  readonly path: readonly (string | number)[]
  readonly name: string
  /** The names of all properties there. */
  readonly known: readonly string[]
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Objects of the host or of its libraries, which may have any other property. */
const WHOLE = new Set([
  'DefinedGame',
  'Gamification',
  'HostTransaction',
  'Logger',
  'PostgresKysely',
  'PostgresPool',
  'SqliteDatabase',
  'Storage',
  // Steps are made by functions, whose options are looked at.
  'Step',
  'Steps',
])

const ENTRIES = ['src/index.ts', 'src/testing/index.ts', 'adapters/sqlite/index.ts', 'adapters/postgres/index.ts']
const BINDINGS = ['adapters/express/index.ts', 'adapters/fetch/index.ts', 'adapters/fastify/index.ts']

export interface PublicTypes {
  /** The properties in the arguments of all methods of an exported interface. */
  ofInterface(file: string, name: string): readonly Place[]
  /** The options of an exported function, or of a type of functions. */
  ofFunction(file: string, name: string): readonly Place[]
  /** The properties of an exported interface itself. */
  ofOptions(file: string, name: string): readonly Place[]
}

export function readPublicTypes(): PublicTypes {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root)
  const program = ts.createProgram(
    [...ENTRIES, ...BINDINGS].map((file) => join(root, file)),
    options,
  )
  const checker = program.getTypeChecker()

  const find = (file: string, name: string): ts.Symbol => {
    const source = program.getSourceFile(join(root, file))
    const module = source && checker.getSymbolAtLocation(source)
    const found = module && checker.getExportsOfModule(module).find((each) => each.name === name)
    if (found === undefined) throw new Error(`${file} exports no ${name}`)
    return (found.flags & ts.SymbolFlags.Alias) === 0 ? found : checker.getAliasedSymbol(found)
  }
  const typeOf = (symbol: ts.Symbol): ts.Type =>
    (symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias)) === 0
      ? checker.getTypeOfSymbol(symbol)
      : checker.getDeclaredTypeOfSymbol(symbol)

  return {
    ofInterface: (file, name) => methodsOf(checker, typeOf(find(file, name)), ''),
    ofFunction: (file, name) => signaturesOf(checker, typeOf(find(file, name)), name),
    ofOptions: (file, name) =>
      propertiesOf(checker, typeOf(find(file, name)), []).map((each) => ({ ...each, method: name, index: 0 })),
  }
}

function methodsOf(checker: ts.TypeChecker, type: ts.Type, prefix: string): readonly Place[] {
  return checker.getPropertiesOfType(type).flatMap((property) => {
    const method = `${prefix}${property.name}`
    const own = checker.getTypeOfSymbol(property)
    if (property.name.startsWith('__') || WHOLE.has(nameOf(own))) return []
    return own.getCallSignatures().length > 0
      ? signaturesOf(checker, own, method)
      : isOurs(own)
        ? methodsOf(checker, own, `${method}.`)
        : []
  })
}

function signaturesOf(checker: ts.TypeChecker, type: ts.Type, method: string): readonly Place[] {
  const places = type.getCallSignatures().flatMap((signature) => {
    const types = signature.parameters.flatMap((parameter) => typesOf(checker, checker.getTypeOfSymbol(parameter)))
    return types.flatMap((own, index) => propertiesOf(checker, own, []).map((each) => ({ ...each, method, index })))
  })
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()]
}

/** The parameters behind `...options: Options<…>`, or the one parameter. */
function typesOf(checker: ts.TypeChecker, type: ts.Type): readonly ts.Type[] {
  return checker.isTupleType(type) ? checker.getTypeArguments(type as ts.TupleTypeReference) : [type]
}

type Property = Pick<Place, 'path' | 'name' | 'known'>

function propertiesOf(checker: ts.TypeChecker, type: ts.Type, path: readonly (string | number)[]): readonly Property[] {
  if (WHOLE.has(nameOf(type)) || type.getCallSignatures().length > 0) return []
  if (type.isUnion()) {
    // One argument may be given in several forms; a misspelt name is of none of them.
    const all = type.types.flatMap((each) => propertiesOf(checker, each, path))
    const known = [...new Set(all.filter((each) => each.path.length === path.length).map(({ name }) => name))]
    return all.map((each) => (each.path.length === path.length ? { ...each, known } : each))
  }
  const element = elementOf(checker, type)
  if (element !== null) return propertiesOf(checker, element, [...path, 0])
  if (!isOurs(type)) return []
  const properties = checker.getPropertiesOfType(type).filter(({ name }) => !name.startsWith('__'))
  const known = properties.map(({ name }) => name)
  return properties.flatMap((property) => [
    { path, name: property.name, known },
    ...propertiesOf(checker, checker.getTypeOfSymbol(property), [...path, property.name]),
  ])
}

/** The type of the items of a list or an iterable, or `null` for anything else. */
function elementOf(checker: ts.TypeChecker, type: ts.Type): ts.Type | null {
  if (!['Array', 'ReadonlyArray', 'Iterable', 'AsyncIterable'].includes(nameOf(type))) return null
  return checker.getTypeArguments(type as ts.TypeReference)[0] ?? null
}

function nameOf(type: ts.Type): string {
  return type.aliasSymbol?.name ?? type.getSymbol()?.name ?? ''
}

/** An object that this package describes: not a Date, a signal or the keys of a game. */
function isOurs(type: ts.Type): boolean {
  if ((type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) === 0) return false
  const declarations = (type.aliasSymbol ?? type.getSymbol())?.declarations ?? []
  const parts = type.isIntersection() ? type.types : []
  return parts.some(isOurs) || declarations.some((each) => isSource(each.getSourceFile().fileName))
}

function isSource(file: string): boolean {
  return /^(src|adapters)\//.test(relative(root, file).replaceAll('\\', '/'))
}
