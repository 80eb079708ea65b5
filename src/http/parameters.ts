import { achievementKey } from '../requests/completion.ts'
import { userId } from '../requests/input.ts'
import { leaderboardKey } from '../requests/leaderboards.ts'
import { metricKey } from '../requests/metric-event.ts'
import { streakKey, systemKey } from '../requests/reads.ts'
import { type Caller, isOneUser } from './callers.ts'
import type { ParamDescription, QueryParameter, RouteCall, RouteSpec } from './route.ts'

type Params = { readonly [name: string]: ParamDescription }

export const user: Params = { id: { schema: userId, description: 'user id' } }
export const metric: Params = { key: { schema: metricKey, description: 'metric key' } }
export const achievement: Params = { key: { schema: achievementKey, description: 'achievement key' } }
export const system: Params = { key: { schema: systemKey, description: 'points system key' } }
export const streak: Params = { key: { schema: streakKey, description: 'key of a named streak' } }
export const leaderboard: Params = { key: { schema: leaderboardKey, description: 'leaderboard key' } }

export const userAttributes: QueryParameter = {
  kind: 'text',
  description: 'User attributes, as `attribute:value,attribute:value`.',
  example: 'plan:pro,region:eu',
}

/** What application keys may do with a path under `/users/{id}`. */
export const ownUser: NonNullable<RouteSpec<unknown>['applicationKeys']> = {
  may: 'its own user',
  users: ({ params }) => [param(params, 'id')],
}

export const anyUser: NonNullable<RouteSpec<unknown>['applicationKeys']> = { may: 'any', users: () => [] }

/** Private leaderboards are kept from application keys. */
export function seesPrivate(caller: Caller | null): boolean {
  return caller !== null && !isOneUser(caller)
}

/** A parameter of the route's own path. */
export function param(params: RouteCall<unknown>['params'], name: string): string {
  const value = params[name]
  if (value === undefined) throw new RangeError(`The path has no parameter ${name}`)
  return value
}
