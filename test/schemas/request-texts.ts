/*
 * The texts of requests, made from the comments of their interfaces. `npm run schemas` writes them to
 * `src/http/request-texts.ts`, and the OpenAPI documents show them.
 */

import ts from 'typescript-5.9'
import { eachOperation, type Operations } from '../../src/api/operation.ts'
import { OPERATIONS } from '../../src/api/operations.ts'

/** The text of `src/http/request-texts.ts`. */
export function requestTextsModule(program: ts.Program): string {
  const checker = program.getTypeChecker()
  const file = program.getSourceFiles().find(({ fileName }) => fileName.endsWith('/src/api/operations.ts'))
  const calls = file && checker.getSymbolAtLocation(file)?.exports?.get(ts.escapeLeadingUnderscores('DeclaredCalls'))
  if (calls === undefined) throw new Error('src/api/operations.ts exports no DeclaredCalls.')
  const root = checker.getDeclaredTypeOfSymbol(calls)
  const lines = [...eachOperation(OPERATIONS as Operations)].flatMap(([name, { takes, endpoint }]) => {
    if (endpoint === null) return []
    const method = name.split('.').reduce((type, part) => typeOf(type, part), root)
    const texts = new Map<string, string>()
    for (const signature of method.getCallSignatures()) {
      const request = signature.parameters[takes.length - 1]
      if (request !== undefined) addTexts(checker.getTypeOfSymbol(request), texts)
    }
    return texts.size === 0 ? [] : [`  '${name}': ${JSON.stringify(Object.fromEntries(texts))},\n`]
  })
  return `// Generated from the comments of requests by \`npm run schemas\`: change those, and run it.

/** The texts of the members of requests, by operation and member. */
export const REQUEST_TEXTS: { readonly [operation: string]: { readonly [member: string]: string } } = {
${lines.join('')}}
`

  function typeOf(type: ts.Type, member: string): ts.Type {
    const symbol = checker.getPropertyOfType(type, member)
    if (symbol === undefined) throw new Error(`DeclaredCalls has no ${member}.`)
    return checker.getNonNullableType(checker.getTypeOfSymbol(symbol))
  }

  /** Adds the comments of the members, also of the items of a list, and of each type of a union. */
  function addTexts(type: ts.Type, texts: Map<string, string>): void {
    const inside = type.isUnion()
      ? type.types
      : checker.isArrayType(type)
        ? checker.getTypeArguments(type as ts.TypeReference)
        : []
    for (const each of inside) addTexts(each, texts)
    if (inside.length > 0 || !(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return
    for (const member of checker.getPropertiesOfType(type)) {
      // HTTP sets `includePrivate` by the rights of the caller.
      const text = ts.displayPartsToString(member.getDocumentationComment(checker)).replaceAll(/\s+/g, ' ')
      if (text !== '' && member.name !== 'includePrivate' && !texts.has(member.name)) texts.set(member.name, text)
    }
  }
}
