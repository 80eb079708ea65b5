import type { CurrentGameResponse, GamesResponse } from './engine/answers/wire/status.ts'
import { listGames } from './engine/calls/read/read-configuration.ts'
import { foreseen } from './engine/damage.ts'
import { startCall } from './engine/deadline.ts'
import { tracedCall } from './engine/tracing.ts'
import type { Context } from './engine/types.ts'
import { readCurrentGame } from './explain/explain.ts'
import type { GamesRequest } from './requests/types/overview.ts'

/** The games that are stored: of all tenants. */
export interface GamesApi {
  /** The one in force, with a sentence for each of its rules. */
  current(): Promise<CurrentGameResponse>
  /**
   * Each game that was put in force, the newest first, with the epoch in which that was. Later epochs that changed only
   * boosts or wanted messages are left out.
   */
  list(request?: GamesRequest): Promise<GamesResponse>
}

export function gamesApi(context: Context): GamesApi {
  const call = <T>(operation: string, use: (context: Context) => Promise<T>): Promise<T> =>
    tracedCall(`games.${operation}`, () => foreseen('internal', () => use(startCall(context))))
  return {
    current: () => call('current', readCurrentGame),
    list: (request) => call('list', (context) => listGames(context, request)),
  }
}
