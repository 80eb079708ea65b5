import type { z } from 'zod'
import { apiOf, type Endpoint } from '../api/endpoint.ts'
import { eachOperation, methodOf, type Operation, type Operations } from '../api/operation.ts'
import { REQUEST_TEXTS } from './request-texts.ts'
import { type Route, type RouteSpec, routesOf, seesPrivate, toAnswer, viewerOf } from './route.ts'

/** The routes of operations in one of the APIs, in the order of the operations. */
export function routesFrom(api: 'application' | 'admin', operations: Operations): readonly Route[] {
  return [...eachOperation(operations)].flatMap(([name, operation]) => {
    const { endpoint } = operation
    return endpoint === null || apiOf(name, endpoint) !== api ? [] : [toRoute(name, operation, endpoint)]
  })
}

function toRoute(name: string, { takes }: Operation, endpoint: Endpoint): Route {
  const { at, tag, api, operationId, answers, toArguments, hidesPrivate, takesViewer, tool, ...spec } = endpoint
  const inPath = at.match(/\{/g)?.length ?? 0
  const last = takes[inPath]?.schema
  const hasBody = /^(?:POST|PUT|PATCH) /.test(at)
  return routesOf(tag)(at, operationId ?? name.replace(/^admin\./, '').replaceAll('.', '_'), {
    ...spec,
    ...schemaOfLast(hasBody, spec, last),
    texts: REQUEST_TEXTS[name] ?? {},
    answers: Object.fromEntries(Object.entries(answers).map(([status, given]) => [status, toAnswer(...given)])),
    run: (called, call, caller) => {
      const { params, query, body, idempotencyKey } = call
      const rest = last === undefined ? [] : [hasBody ? body : query]
      const given = toArguments?.(call) ?? [...Object.values(params), ...rest]
      const hasKey = endpoint.takesIdempotencyKey && idempotencyKey !== null
      const method = methodOf(called, name)
      if (!hasKey && !hidesPrivate && !takesViewer) return method(...given)
      const extra = {
        ...(hasKey ? { idempotencyKey } : {}),
        ...(hidesPrivate ? { includePrivate: seesPrivate(caller) } : {}),
        ...(takesViewer ? viewerOf(caller) : {}),
      }
      return method(...given.slice(0, -1), { ...Object(given.at(-1)), ...extra })
    },
  })
}

/** HTTP takes the argument after the parameters of the path, as the operation does if the endpoint does not say more. */
function schemaOfLast(
  hasBody: boolean,
  { querySchema, bodySchema }: Pick<Endpoint, 'querySchema' | 'bodySchema'>,
  last: z.ZodType | undefined,
): Pick<RouteSpec<string, unknown, unknown>, 'querySchema' | 'bodySchema'> {
  const schema = (hasBody ? bodySchema : querySchema) ?? last
  if (schema === undefined) return {}
  return hasBody ? { bodySchema: schema } : { querySchema: schema }
}
