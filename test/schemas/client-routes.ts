/*
 * The client's list of routes, made from the operations. `npm run schemas` writes it to `adapters/client/routes.ts`,
 * because the client imports nothing of the engine.
 */

import { apiOf } from '../../src/api/endpoint.ts'
import { eachOperation, type Operations } from '../../src/api/operation.ts'
import { OPERATIONS } from '../../src/api/operations.ts'

/** The text of `adapters/client/routes.ts`. */
export function clientRoutesModule(): string {
  const groups = new Map<string, readonly string[]>()
  for (const [name, { takes, endpoint }] of eachOperation(OPERATIONS as Operations)) {
    const [group = '', call = '', ...deeper] = name.split('.')
    if (endpoint === null || apiOf(name, endpoint) === 'admin' || call === '' || deeper.length > 0) continue
    const [method = '', path = ''] = endpoint.at.split(' /')
    const template = path.replaceAll(/\{\w+\}/g, '{}')
    const hasRequest = takes.length > template.split('{}').length - 1
    const parts = [method, template, ...(hasRequest ? [method === 'GET' ? 'query' : 'body'] : [])]
    groups.set(group, [
      ...(groups.get(group) ?? []),
      `    ${call}: [${parts.map((part) => `'${part}'`).join(', ')}],\n`,
    ])
  }
  return `// Generated from the operations by \`npm run schemas\`: change those, and run it.

/** \`named\`: the member of the query that goes into the path, as \`streak\` in \`users/{}/streaks/{}\`. */
export type ClientRoute = readonly [method: string, path: string, takes?: 'query' | 'body', named?: string]

/** The routes of calls, by group and name. */
export type ClientRoutes = { readonly [group: string]: { readonly [call: string]: ClientRoute } }

/** The route of each operation that the client has. */
export const OPERATION_ROUTES: ClientRoutes = {
${[...groups].map(([group, calls]) => `  ${group}: {\n${calls.join('')}  },\n`).join('')}}
`
}
