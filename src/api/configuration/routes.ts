import { type Api, CONFIGURATION_TAG, listOf, ok, type Route, routesOf, schemaOf } from '../../http/route.ts'
import type { SchemaName } from '../../http/schemas.ts'
import { gameKey } from '../input.ts'
import { configurationListRequest } from '../operate/requests.ts'

type Read = (...given: readonly unknown[]) => Promise<unknown>

const route = routesOf(CONFIGURATION_TAG)

function routesOfKind(
  operation: string,
  path: `/${string}`,
  [many, one]: readonly [many: string, one: string],
  schema: SchemaName,
  reads: (api: Api) => { readonly list: Read; readonly get: Read },
  statuses: NonNullable<Route['statuses']> = {},
): readonly Route[] {
  const systemOf = ({ systemId }: { readonly [name: string]: string }): readonly string[] =>
    systemId === undefined ? [] : [systemId]
  return [
    route(`GET ${path}`, `${operation}_list`, {
      summary: `List ${many} of the game`,
      querySchema: configurationListRequest,
      answers: ok("A page of them, in the game's order.", listOf(schema)),
      run: (api, { params, query }) => reads(api).list(...systemOf(params), query),
    }),
    route(`GET ${path}/{id}`, `${operation}_get`, {
      summary: `Get ${one}`,
      params: { id: { schema: gameKey, description: `id of ${one}, or its key if it has one` } },
      answers: ok('What the game has.', schemaOf(schema)),
      statuses,
      run: (api, { params }) => reads(api).get(...systemOf(params), params.id),
    }),
  ]
}

const ATTRIBUTES = ['the attributes of users and events', 'an attribute'] as const
const SYSTEMS = ['the points systems, with levels and triggers,', 'a points system'] as const
const LEVELS = ['the levels of a points system', 'a level'] as const
const TRIGGERS = ['the triggers of a points system', 'a trigger'] as const
const BOARDS = ['the leaderboards', 'a leaderboard'] as const

/** The last routes of an API: `/metrics/{id}` also matches longer-named paths below `/metrics`. */
export const configurationRoutes: readonly Route[] = [
  ...routesOfKind('attributes', '/attributes', ATTRIBUTES, 'AdminAttribute', ({ admin }) => admin.attributes, {
    // Other routes answer 422, because the attribute is part of what is sent.
    unknown_attribute: 404,
  }),
  ...routesOfKind('metrics', '/metrics', ['the metrics', 'a metric'], 'AdminMetric', ({ admin }) => admin.metrics),
  ...routesOfKind('points_systems', '/points', SYSTEMS, 'AdminPointsSystem', ({ admin }) => admin.points.systems),
  ...routesOfKind(
    'points_levels',
    '/points/{systemId}/levels',
    LEVELS,
    'AdminPointsLevel',
    ({ admin }) => admin.points.levels,
  ),
  ...routesOfKind(
    'points_triggers',
    '/points/{systemId}/triggers',
    TRIGGERS,
    'AdminPointsTrigger',
    ({ admin }) => admin.points.triggers,
  ),
  ...routesOfKind('leaderboards', '/leaderboards', BOARDS, 'AdminLeaderboard', ({ admin }) => admin.leaderboards),
]
