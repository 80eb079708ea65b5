import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import ts from 'typescript-5.9'

/*
 * Every option that a definition can have, read from its type, and the options in a file. A game itself has defaults,
 * which the file does not contain.
 */

const root = fileURLToPath(new URL('../..', import.meta.url))
const OBJECT = ts.TypeFlags.Object | ts.TypeFlags.Intersection
const NOTHING = ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Never

/**
 * The options as paths: `points.*.triggers[].cap.per`, where `*` is a key of the host's and `[]` an item. If a property
 * tells kinds apart, or a word may stand in place of an object, each value is an option: `streaks.*.freezes='shared'`.
 */
export function optionsOfDefinition(): readonly string[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root)
  const file = join(root, 'test/game/any-game.ts')
  const program = ts.createProgram([file], options)
  const alias = program.getSourceFile(file)?.statements.find(ts.isTypeAliasDeclaration)
  if (alias === undefined) throw new Error(`${file} has no type`)
  const checker = program.getTypeChecker()
  return [...new Set(optionsOf(checker, checker.getTypeAtLocation(alias), ''))].sort()
}

function optionsOf(checker: ts.TypeChecker, type: ts.Type, path: string): readonly string[] {
  const members = type.isUnion() ? type.types : [type]
  const objects = members.filter(({ flags }) => (flags & OBJECT) !== 0)
  const words = objects.length === 0 ? [] : members.flatMap((member) => wordOf(checker, member) ?? [])
  return [
    ...words.map((word) => `${path}=${word}`),
    ...kindsOf(checker, objects, path),
    ...objects.flatMap((object) => partsOf(checker, object, path)),
  ]
}

function partsOf(checker: ts.TypeChecker, type: ts.Type, path: string): readonly string[] {
  const [item] = checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference) : []
  if (item !== undefined) return optionsOf(checker, item, `${path}[]`)
  const named = checker.getPropertiesOfType(type).map(({ name }) => name)
  const free = checker.getIndexInfosOfType(type).map((index) => ({ name: '*', part: index.type }))
  return [...named.map((name) => ({ name, part: partOf(checker, type, name) })), ...free].flatMap(({ name, part }) => {
    const at = below(path, name)
    return part === undefined || isForbidden(part) ? [] : [at, ...optionsOf(checker, part, at)]
  })
}

/** As `never` is, for a property that another kind has. */
function isForbidden(type: ts.Type): boolean {
  return (type.isUnion() ? type.types : [type]).every(({ flags }) => (flags & NOTHING) !== 0)
}

/** The properties whose values distinguish objects. */
function kindsOf(checker: ts.TypeChecker, objects: readonly ts.Type[], path: string): readonly string[] {
  const properties = objects[0] === undefined ? [] : checker.getPropertiesOfType(objects[0])
  return properties.flatMap(({ name }) => {
    const parts = objects.flatMap((object) => partOf(checker, object, name) ?? [])
    const words = parts.flatMap((part) => wordOf(checker, part) ?? [])
    const isKind = new Set(words).size > 1 && words.length === objects.length
    return isKind ? words.map((word) => `${below(path, name)}=${word}`) : []
  })
}

function partOf(checker: ts.TypeChecker, type: ts.Type, name: string): ts.Type | undefined {
  const property = checker.getPropertyOfType(type, name)
  return property && checker.getTypeOfSymbol(property)
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** `false` says what leaving it out says. */
function wordOf(checker: ts.TypeChecker, type: ts.Type): string | undefined {
  const text = type.isStringLiteral() ? `'${type.value}'` : checker.typeToString(type)
  return type.isStringLiteral() || text === 'true' ? text : undefined
}

/** The argument of `defineGame` in a file, as source text. */
export function writtenDefinition(path: string): unknown {
  const file = join(root, path)
  const source = ts.createSourceFile(file, ts.sys.readFile(file) ?? '', ts.ScriptTarget.Latest, true)
  const calls: ts.CallExpression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'defineGame') calls.push(node)
    ts.forEachChild(node, visit)
  }
  visit(source)
  const [text] = calls.flatMap((call) => call.arguments.map((argument) => argument.getText()))
  if (text === undefined) throw new Error(`${path} defines no game`)
  return JSON.parse(JSON.stringify(runInNewContext(`(${text})`)))
}

/** Returns whether a definition has an option somewhere. */
export function hasOption(definition: unknown, option: string): boolean {
  const [path = '', word] = option.split('=')
  const steps = path.match(/\[\]|[^.[\]]+/g) ?? []
  let found: readonly unknown[] = [definition]
  for (const step of steps) {
    found = found.flatMap((each): readonly unknown[] => {
      if (typeof each !== 'object' || each === null) return []
      if (step === '[]') return Array.isArray(each) ? each : []
      if (Array.isArray(each)) return []
      return Object.entries(each).flatMap(([key, part]) => (step === '*' || step === key ? [part] : []))
    })
  }
  return word === undefined ? found.length > 0 : found.some((each) => show(each) === word)
}

function show(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}
