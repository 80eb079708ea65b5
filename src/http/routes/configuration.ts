import { configurationListRequest } from '../../api/configuration/requests.ts'
import { CONFIGURATION_TAG, listOf } from '../../api/endpoint.ts'
import { gameKey } from '../../runtime/input.ts'
import type { SchemaName } from '../../shapes/schema-names.ts'
import { ok, type Route, routesOf } from '../route.ts'

const route = routesOf(CONFIGURATION_TAG)

function routesOfKind(
  operation: string,
  path: `/${string}`,
  [many, one]: readonly [many: string, one: string],
  schema: SchemaName,
  statuses: NonNullable<Route['statuses']> = {},
): readonly Route[] {
  return [
    route(`GET ${path}`, `${operation}_list`, {
      summary: `List ${many} of the game`,
      querySchema: configurationListRequest,
      answers: ok("A page of them, in the game's order.", listOf(schema)),
    }),
    route(`GET ${path}/{id}`, `${operation}_get`, {
      summary: `Get ${one}`,
      params: { id: { schema: gameKey, description: `id of ${one}, or its key if it has one` } },
      answers: ok("The game's configuration.", schema),
      statuses,
    }),
  ]
}

const SYSTEMS = ['the points systems, with levels and triggers,', 'a points system'] as const
const LEVELS = ['the levels of a points system', 'a level'] as const
const TRIGGERS = ['the triggers of a points system', 'a trigger'] as const

/** The last routes of an API: `/metrics/{id}` also matches longer-named paths below `/metrics`. */
export const configurationRoutes: readonly Route[] = [
  ...routesOfKind(
    'attributes',
    '/attributes',
    ['the attributes of users and events', 'an attribute'],
    'AdminAttribute',
    {
      // Other routes answer 422, because their body or query contains the attribute.
      unknown_attribute: 404,
    },
  ),
  ...routesOfKind('metrics', '/metrics', ['the metrics', 'a metric'], 'AdminMetric'),
  ...routesOfKind('points_systems', '/points', SYSTEMS, 'AdminPointsSystem'),
  ...routesOfKind('points_levels', '/points/{systemId}/levels', LEVELS, 'AdminPointsLevel'),
  ...routesOfKind('points_triggers', '/points/{systemId}/triggers', TRIGGERS, 'AdminPointsTrigger'),
  ...routesOfKind('leaderboards', '/leaderboards', ['the leaderboards', 'a leaderboard'], 'AdminLeaderboard'),
]
