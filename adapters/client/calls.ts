import { type ClientRoute, type ClientRoutes, OPERATION_ROUTES } from './routes.ts'
import { ApiError, type ClientOptions, randomKey, send } from './send.ts'

/** Routes of no operation, or with a member of the query in the path. */
const BY_HAND: ClientRoutes = {
  users: {
    streak: ['GET', 'users/{}/streak', 'query', 'streak'],
  },
  leaderboards: { among: ['GET', 'leaderboards/{}/among', 'query'] },
}

/** The route of each call. `{}` takes its texts, in their order; the query or the body follows them. */
export const ROUTES: ClientRoutes = {
  ...OPERATION_ROUTES,
  ...Object.fromEntries(
    Object.entries(BY_HAND).map(([group, calls]) => [group, { ...OPERATION_ROUTES[group], ...calls }]),
  ),
}

/**
 * A client without types: `laurels/client` adds the types of a game. It imports no part of the engine, so browsers can
 * load it.
 */
export function createCalls(options: ClientOptions): object {
  const groups = Object.entries(ROUTES).map(([group, calls]) => {
    const methods = Object.entries(calls).map(([name, route]) => [
      name,
      (...given: unknown[]) => call(options, route, given),
    ])
    return [group, Object.fromEntries(methods)]
  })
  return Object.fromEntries(groups)
}

async function call(
  options: ClientOptions,
  [method, template, takes, named]: ClientRoute,
  given: unknown[],
): Promise<unknown> {
  const rest = [...given]
  const texts = template.replaceAll('{}', () => toSegment(rest.shift()))
  const request = ((takes === undefined ? undefined : rest.shift()) ?? {}) as { readonly [name: string]: unknown }
  const { signal } = (rest.shift() ?? {}) as { readonly signal?: AbortSignal }
  const key = named && request[named]
  const path = key === undefined ? texts : `${texts}s/${toSegment(key)}`
  const query = named ? { ...request, [named]: undefined } : request
  if (method === 'GET') return send(options, { method, path, query, body: undefined, idempotencyKey: null, signal })
  const isEvent = path.endsWith('/event')
  const { idempotencyKey = isEvent && options.retries !== 0 ? randomKey() : null, ...body } = request as {
    readonly idempotencyKey?: string
  }
  return send(options, { method, path, query: {}, body, idempotencyKey, signal })
}

/** A browser takes `.` and `..` for a way through the path, however they are written. */
function toSegment(id: unknown): string {
  if (typeof id === 'string' && !['', '.', '..'].includes(id)) return encodeURIComponent(id)
  const given = typeof id === 'string' ? `'${id}'` : String(id)
  throw new ApiError(`An id or key must be a text other than '', '.' and '..', not ${given}.`, {
    status: null,
    code: 'invalid_request',
  })
}
