import { listOf, schemaOf } from '../../http/openapi.ts'
import { anyUser, ownUser, param, system, user, userAttributes } from '../../http/query.ts'
import { ok, type Route, route } from '../../http/route.ts'
import { type BoostsRequest, boostsRequest } from '../boosts/requests.ts'
import { type PointsSummaryRequest, pointsSummaryRequest } from './requests.ts'

const tag = 'Points'
const errors = [401, 404]

const get: Route = route({
  operationId: 'points_system',
  method: 'GET',
  path: '/points/{key}',
  summary: 'A points system with its triggers',
  tag,
  params: system,
  applicationKeys: anyUser,
  answers: { 200: { description: 'The system.', schema: schemaOf('PointsSystem') } },
  errors,
  run: (api, { params }) => ok(api.points.system(param(params, 'key'))),
})

const levels: Route = route({
  operationId: 'points_levels',
  method: 'GET',
  path: '/points/{key}/levels',
  summary: 'The levels of a points system, the lowest first',
  tag,
  params: system,
  applicationKeys: anyUser,
  answers: { 200: { description: 'The levels.', schema: listOf('PointsLevel') } },
  errors,
  run: (api, { params }) => ok(api.points.levels(param(params, 'key'))),
})

const boosts: Route = route({
  operationId: 'points_boosts',
  method: 'GET',
  path: '/points/{key}/boosts',
  summary: 'The boosts of a points system for all users',
  tag,
  params: system,
  query: {
    includeFinished: { kind: 'text', description: '`true`: finished boosts are there too.', example: 'true' },
  },
  querySchema: boostsRequest,
  applicationKeys: anyUser,
  answers: {
    200: { description: 'Those of all users, the oldest first; by dates in UTC.', schema: listOf('PointsBoost') },
  },
  errors: [...errors, 422],
  run: (api, { params, query }) => ok(api.points.boosts(param(params, 'key'), query as BoostsRequest)),
})

const ofUser: Route = route({
  operationId: 'users_pointsBoosts',
  method: 'GET',
  path: '/users/{id}/points/{key}/boosts',
  summary: 'The boosts that hold for a user now',
  tag: 'Users',
  params: { ...user, ...system },
  applicationKeys: ownUser,
  answers: {
    200: {
      description: 'Those that hold now, the oldest first; its own are among them.',
      schema: listOf('PointsBoost'),
    },
  },
  errors: [...errors, 422],
  run: (api, { params }) => ok(api.users.pointsBoosts(param(params, 'id'), param(params, 'key'))),
})

// These two look over all users, which is not for a single user's key.
const levelSummary: Route = route({
  operationId: 'points_levelSummary',
  method: 'GET',
  path: '/points/{key}/level-summary',
  summary: 'How many users are on each level',
  tag,
  params: system,
  answers: { 200: { description: 'Users by level.', schema: listOf('PointsLevelSummaryItem') } },
  errors: [...errors, 422],
  run: (api, { params }) => ok(api.points.levelSummary(param(params, 'key'))),
})

const summary: Route = route({
  operationId: 'points_summary',
  method: 'GET',
  path: '/points/{key}/summary',
  summary: 'How many users have how many points',
  tag,
  params: system,
  query: { userAttributes },
  querySchema: pointsSummaryRequest,
  answers: { 200: { description: 'Users by range of points.', schema: listOf('PointsRange') } },
  errors: [...errors, 422],
  run: (api, { params, query }) => ok(api.points.summary(param(params, 'key'), query as PointsSummaryRequest)),
})

export const pointsRoutes: readonly Route[] = [get, levels, levelSummary, summary, boosts, ofUser]
