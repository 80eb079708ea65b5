import { listOf, schemaOf } from '../../http/openapi.ts'
import { param } from '../../http/query.ts'
import {
  type Api,
  CONFIGURATION,
  ok,
  type ParamDescription,
  type QueryParameter,
  type Route,
  type RouteSpec,
  route,
} from '../../http/route.ts'
import type { JsonSchema } from '../../http/schemas.ts'
import { gameKey } from '../input.ts'
import { type ConfigurationListRequest, configurationListRequest } from './requests.ts'

/** One kind of thing that the game has: the paths of the list and, below it, of each one. */
interface Kind {
  readonly operation: string
  readonly path: string
  /** What is listed, and what one of them is called. */
  readonly names: readonly [many: string, one: string]
  readonly schema: JsonSchema
  readonly tag: string
  readonly statuses?: RouteSpec<undefined>['statuses']
  list(api: Api, request: ConfigurationListRequest, system: string): Promise<unknown>
  get(api: Api, id: string, system: string): Promise<unknown>
}

const page: { readonly [name: string]: QueryParameter } = {
  limit: { kind: 'integer', description: 'How many there are at most, 1 to 100. Default 10.', example: '100' },
  skip: { kind: 'integer', description: 'How many to pass over. Default 0.', example: '10' },
}
const described = (description: string): ParamDescription => ({ schema: gameKey, description })
const systemParam = { systemId: described('id or key of a points system') }

function routesOf({
  operation,
  path,
  names: [many, one],
  schema,
  tag,
  statuses = {},
  list,
  get,
}: Kind): readonly Route[] {
  const isOfSystem = path.includes('{systemId}')
  const params = isOfSystem ? systemParam : {}
  const systemOf = (given: { readonly [name: string]: string }): string => (isOfSystem ? param(given, 'systemId') : '')
  return [
    route({
      operationId: `${operation}_list`,
      method: 'GET',
      path,
      summary: `${many} of the game`,
      tag,
      params,
      query: page,
      querySchema: configurationListRequest,
      answers: { 200: { description: "A part of them, in the game's order.", schema: listOf(schema) } },
      errors: isOfSystem ? [401, 403, 404, 422] : [401, 403, 422],
      run: (api, { params: given, query }) => ok(list(api, query as ConfigurationListRequest, systemOf(given))),
    }),
    route({
      operationId: `${operation}_get`,
      method: 'GET',
      path: `${path}/{id}`,
      summary: `One of them: ${one}`,
      tag,
      params: { ...params, id: described(`id of ${one}, or its key where it has one`) },
      answers: { 200: { description: 'What the game has.', schema } },
      errors: [401, 403, 404, 422],
      statuses,
      run: (api, { params: given }) => ok(get(api, param(given, 'id'), systemOf(given))),
    }),
  ]
}

const tag = CONFIGURATION

const KINDS: readonly Kind[] = [
  {
    operation: 'attributes',
    path: '/attributes',
    names: ['The attributes of users and events', 'an attribute'],
    schema: schemaOf('AdminAttribute'),
    tag,
    // In an event it is a mistake of the event; here it is what was asked for.
    statuses: { unknown_attribute: 404 },
    list: ({ admin }, request) => admin.attributes.list(request),
    get: ({ admin }, id) => admin.attributes.get(id),
  },
  {
    operation: 'metrics',
    path: '/metrics',
    names: ['The metrics', 'a metric'],
    schema: schemaOf('AdminMetric'),
    tag,
    list: ({ admin }, request) => admin.metrics.list(request),
    get: ({ admin }, id) => admin.metrics.get(id),
  },
  {
    operation: 'points_systems',
    path: '/points',
    names: ['The points systems, with levels and triggers,', 'a points system'],
    schema: schemaOf('AdminPointsSystem'),
    tag,
    list: ({ admin }, request) => admin.points.systems.list(request),
    get: ({ admin }, id) => admin.points.systems.get(id),
  },
  {
    operation: 'points_levels',
    path: '/points/{systemId}/levels',
    names: ['The levels of a points system', 'a level'],
    schema: schemaOf('AdminPointsLevel'),
    tag,
    list: ({ admin }, request, system) => admin.points.levels.list(system, request),
    get: ({ admin }, id, system) => admin.points.levels.get(system, id),
  },
  {
    operation: 'points_triggers',
    path: '/points/{systemId}/triggers',
    names: ['The triggers of a points system', 'a trigger'],
    schema: schemaOf('AdminPointsTrigger'),
    tag,
    list: ({ admin }, request, system) => admin.points.triggers.list(system, request),
    get: ({ admin }, id, system) => admin.points.triggers.get(system, id),
  },
  {
    operation: 'leaderboards',
    path: '/leaderboards',
    names: ['The leaderboards', 'a leaderboard'],
    schema: schemaOf('AdminLeaderboard'),
    tag,
    list: ({ admin }, request) => admin.leaderboards.list(request),
    get: ({ admin }, id) => admin.leaderboards.get(id),
  },
]

/** To be the last of an API: `/metrics/{id}` also fits what has a path of its own below `/metrics`. */
export const configurationRoutes: readonly Route[] = KINDS.flatMap(routesOf)
