import type { DefinedGame } from '../../src/index.ts'
import type { GamificationClient } from './api.ts'
import { createCalls } from './calls.ts'
import { ApiError, type ClientOptions } from './send.ts'

export type { CallOptions } from '../../src/index.ts'
export type { ClientEvent, ClientLeaderboardRequest, GamificationClient } from './api.ts'
export { createQueries, type Queries, type Query } from './queries.ts'
export type { ClientOptions } from './send.ts'
export { ApiError } from './send.ts'

/**
 * A client for browsers and Node of the application API, or of the user API behind the app's own session. Pass the type
 * of your game to type the keys: `createClient<typeof game>({ baseUrl: '/game' })`. In a page it throws for an admin
 * key.
 */
export function createClient<G extends DefinedGame = DefinedGame>(options: ClientOptions): GamificationClient<G> {
  const { baseUrl, apiKey }: Partial<ClientOptions> = options ?? {}
  if (apiKey?.startsWith('adm_') && 'document' in globalThis) {
    const message =
      'createClient was given an admin key in a page, where everybody can read it. Revoke that key, and use an application key.'
    throw new ApiError(message, { status: null, code: 'invalid_request' })
  }
  if (baseUrl === undefined || baseUrl === null) {
    const message = "createClient takes where the API is mounted, as { baseUrl: '/game' }."
    throw new ApiError(message, { status: null, code: 'invalid_request' })
  }
  // The table of routes matches the type; a test checks each of them.
  return createCalls(options) as GamificationClient<G>
}
