import { type Api, CONFIGURATION_TAG, listOf, ok, type Route, routesOf, schemaOf } from '../../http/route.ts'
import type { SchemaName } from '../../http/schemas.ts'
import { gameKey } from '../input.ts'
import { configurationListRequest } from './requests.ts'

/** A kind of thing that the game has, with the two calls that read it. */
interface Kind {
  readonly operation: string
  /** The path of the list. */
  readonly path: `/${string}`
  /** The name of the list, and of one item. */
  readonly names: readonly [many: string, one: string]
  readonly schema: SchemaName
  readonly reads: (api: Api) => { readonly list: Read; readonly get: Read }
  readonly statuses?: Route['statuses']
}

type Read = (...given: readonly unknown[]) => Promise<unknown>

const route = routesOf(CONFIGURATION_TAG)

function routesOfKind({ operation, path, names: [many, one], schema, reads, statuses = {} }: Kind): readonly Route[] {
  /** The points system of a kind within one. */
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

const KINDS: readonly Kind[] = [
  {
    operation: 'attributes',
    path: '/attributes',
    names: ['the attributes of users and events', 'an attribute'],
    schema: 'AdminAttribute',
    // Other routes answer 422, because the attribute is part of what is sent.
    statuses: { unknown_attribute: 404 },
    reads: ({ admin }) => admin.attributes,
  },
  {
    operation: 'metrics',
    path: '/metrics',
    names: ['the metrics', 'a metric'],
    schema: 'AdminMetric',
    reads: ({ admin }) => admin.metrics,
  },
  {
    operation: 'points_systems',
    path: '/points',
    names: ['the points systems, with levels and triggers,', 'a points system'],
    schema: 'AdminPointsSystem',
    reads: ({ admin }) => admin.points.systems,
  },
  {
    operation: 'points_levels',
    path: '/points/{systemId}/levels',
    names: ['the levels of a points system', 'a level'],
    schema: 'AdminPointsLevel',
    reads: ({ admin }) => admin.points.levels,
  },
  {
    operation: 'points_triggers',
    path: '/points/{systemId}/triggers',
    names: ['the triggers of a points system', 'a trigger'],
    schema: 'AdminPointsTrigger',
    reads: ({ admin }) => admin.points.triggers,
  },
  {
    operation: 'leaderboards',
    path: '/leaderboards',
    names: ['the leaderboards', 'a leaderboard'],
    schema: 'AdminLeaderboard',
    reads: ({ admin }) => admin.leaderboards,
  },
]

/** The last routes of an API: `/metrics/{id}` also matches longer-named paths below `/metrics`. */
export const configurationRoutes: readonly Route[] = KINDS.flatMap(routesOfKind)
