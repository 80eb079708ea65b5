import type { DefinedGame } from '../../src/index.ts'
import type { CallOptions, GamificationClient } from './api.ts'
import { ApiError } from './api-error.ts'
import { ROUTES, type Route } from './routes.ts'
import { type ClientOptions, send } from './send.ts'

export type { CallOptions, ClientEvent, ClientLeaderboardRequest, GamificationClient } from './api.ts'
export { ApiError } from './api-error.ts'
export type { ClientOptions } from './send.ts'

/**
 * A client for browsers and Node of the application API, or of the user API behind the app's own session. The keys are
 * those of the game, whose type is enough: `createClient<typeof game>({ baseUrl: '/game' })`.
 */
export function createClient<G extends DefinedGame = DefinedGame>(options: ClientOptions): GamificationClient<G> {
  const client = Object.entries(ROUTES).map(([group, calls]) => {
    const methods = Object.entries(calls).map(([name, route]) => [
      name,
      (...given: unknown[]) => call(options, route, given),
    ])
    return [group, Object.fromEntries(methods)]
  })
  // The table has what the type says; a test goes through all of it.
  return Object.fromEntries(client) as GamificationClient<G>
}

async function call(options: ClientOptions, [method, template, takes]: Route, given: unknown[]): Promise<unknown> {
  const rest = [...given]
  const path = template.replaceAll('{}', () => toSegment(rest.shift()))
  const request = (takes === undefined ? undefined : rest.shift()) ?? {}
  const { signal } = (rest.shift() ?? {}) as CallOptions
  if (method === 'GET') {
    return send(options, { method, path, query: request, body: undefined, idempotencyKey: null, signal })
  }
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

/** Pages without https have no `crypto.randomUUID`. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
