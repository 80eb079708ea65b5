import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript-5.9'
import { describe, expect, test } from 'vitest'
import { runSteps, type Steps, wait } from '../../src/storage/steps.ts'

function* addAll(answers: readonly (number | Promise<number>)[]): Steps<number> {
  let sum = 0
  for (const answer of answers) sum += yield* wait(answer)
  return sum
}

describe('steps', () => {
  test('end at once if every answer is there', () => {
    expect(runSteps(addAll([1, 2, 3]))).toBe(6)
  })

  test('are a promise if one answer has to be waited for', async () => {
    const sum = runSteps(addAll([1, Promise.resolve(2), 3]))
    expect(sum).toBeInstanceOf(Promise)
    expect(await sum).toBe(6)
  })

  test('see a rejection where they wait, and go on after it', async () => {
    function* surely(): Steps<string> {
      try {
        return yield* wait(Promise.reject(new Error('the database is locked')))
      } catch (error) {
        return `caught: ${(error as Error).message}`
      }
    }
    expect(await runSteps(surely())).toBe('caught: the database is locked')
  })

  test('do not see their own error again, and run finally once', async () => {
    const seen: string[] = []
    function* failing(): Steps<void> {
      try {
        yield* wait(Promise.resolve())
        throw new Error('of the rules')
      } finally {
        seen.push('finally')
      }
    }
    await expect(async () => runSteps(failing())).rejects.toThrow('of the rules')
    expect(seen).toEqual(['finally'])
  })

  test('throw at once if nothing has to be waited for', () => {
    function* failing(): Steps<void> {
      yield* wait(undefined)
      throw new Error('of the rules')
    }
    expect(() => runSteps(failing())).toThrow('of the rules')
  })
})

/** Texts of calls of steps that are neither `yield* call()`, `runSteps(call())` nor returned: such a call runs nothing. */
function forgottenCalls(files: ReadonlyMap<string, string>): readonly string[] {
  const parsed = [...files].map(([path, text]) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true))
  const declared = new Map(parsed.map((file) => [file.fileName, declaredSteps(file)]))
  return parsed.flatMap((file) => {
    const own = new Set([...(declared.get(file.fileName) ?? []), ...importedSteps(file, declared)])
    const methods = new Set([...declared.values()].flatMap((names) => [...names].filter((name) => name[0] === '.')))
    const forgotten: string[] = []
    const isOfSteps = own.size > 0
    visit(file, (node) => {
      if (!ts.isCallExpression(node)) return
      const { expression: called, parent } = node
      const isMethod = ts.isPropertyAccessExpression(called) && isOfSteps && methods.has(`.${called.name.text}`)
      if (!isMethod && !(ts.isIdentifier(called) && own.has(called.text))) return
      const isYielded = ts.isYieldExpression(parent) && parent.asteriskToken !== undefined
      const isRun = ts.isCallExpression(parent) && parent.expression.getText() === 'runSteps'
      if (!isYielded && !isRun && !isPassedOn(node)) forgotten.push(`${file.fileName}: ${node.getText()}`)
    })
    return forgotten
  })
}

/** True if a plain function hands the steps to its caller, whose types name what came. */
function isPassedOn(call: ts.CallExpression): boolean {
  const { parent } = call
  if (!ts.isReturnStatement(parent) && !ts.isArrowFunction(parent)) return false
  const owner = ts.findAncestor(parent, ts.isFunctionLike)
  if (owner === undefined || ('asteriskToken' in owner && owner.asteriskToken !== undefined)) return false
  return !(ts.canHaveModifiers(owner) && owner.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword))
}

/** Names of functions, parameters and (with a dot) methods that return steps. */
function declaredSteps(file: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>()
  const isSteps = (type: ts.TypeNode | undefined): boolean =>
    type !== undefined && ts.isTypeReferenceNode(type) && type.typeName.getText() === 'Steps'
  visit(file, (node) => {
    if (ts.isFunctionDeclaration(node) && isSteps(node.type)) names.add(node.name?.text ?? '')
    if ((ts.isMethodDeclaration(node) || ts.isMethodSignature(node)) && isSteps(node.type))
      names.add(`.${node.name.getText()}`)
    if (ts.isParameter(node) && node.type !== undefined && ts.isFunctionTypeNode(node.type) && isSteps(node.type.type))
      names.add(node.name.getText())
  })
  return names
}

function importedSteps(file: ts.SourceFile, declared: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  return file.statements.filter(ts.isImportDeclaration).flatMap(({ importClause, moduleSpecifier }) => {
    const from = posix.join(posix.dirname(file.fileName), (moduleSpecifier as ts.StringLiteral).text)
    const named = importClause?.namedBindings
    if (named === undefined || !ts.isNamedImports(named)) return []
    return named.elements
      .filter(({ name, propertyName }) => declared.get(from)?.has((propertyName ?? name).text))
      .map(({ name }) => name.text)
  })
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node)
  node.forEachChild((child) => visit(child, see))
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

function sources(): ReadonlyMap<string, string> {
  const paths = ['src', 'adapters'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => posix.join(folder, path)),
  )
  const texts = new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]))
  // Only files that declare steps, and those that may import them, are parsed.
  const declaring = [...texts].filter(([, text]) => text.includes('Steps<')).map(([path]) => posix.basename(path))
  return new Map([...texts].filter(([, text]) => ['steps.ts', ...declaring].some((name) => text.includes(`/${name}'`))))
}

describe('no call of steps is forgotten', () => {
  test('in the sources', () => {
    expect(forgottenCalls(sources())).toEqual([])
  })

  test('and a call whose steps would not run is found', () => {
    const steps = `export function* save(): Steps<boolean> { return yield* wait(tx.save()) }
      export interface Rows { read(): Steps<number> }`
    const user = `import { save as store } from './steps.ts'
      export function* change(rows: Rows, work: () => Steps<void>): Steps<void> {
        store()
        if (store()) yield* work()
        const answer = yield* store()
        rows.read()
        work()
        return runSteps(rows.read())
      }
      export const pass = (): Steps<boolean> => store()
      export const lose = async () => store()`
    expect(forgottenCalls(new Map(Object.entries({ 'src/steps.ts': steps, 'src/user.ts': user })))).toEqual([
      'src/user.ts: store()',
      'src/user.ts: store()',
      'src/user.ts: rows.read()',
      'src/user.ts: work()',
      'src/user.ts: store()',
    ])
  })
})
