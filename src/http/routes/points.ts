import { boostsRequest } from '../../api/boosts/requests.ts'
import { anyUser, listOf, ownUser } from '../../api/endpoint.ts'
import { adjustmentRequest, pointsSummaryRequest } from '../../api/points/requests.ts'
import { created, ok, type Route, routesOf, toAnswer } from '../route.ts'

const route = routesOf('Points')

// Both summaries read all users, so they need an admin key.
export const pointsRoutes: readonly Route[] = [
  route('GET /points/{key}', 'points_system', {
    summary: 'Get a points system with its triggers',
    applicationKeys: anyUser,
    answers: ok('The system.', 'PointsSystem'),
  }),
  route('GET /points/{key}/levels', 'points_levels', {
    summary: 'List the levels of a points system, the lowest first',
    applicationKeys: anyUser,
    answers: ok('The levels.', listOf('PointsLevel')),
  }),
  route('GET /points/{key}/level-summary', 'points_levelSummary', {
    summary: 'Count the users on each level',
    answers: ok('Users by level.', listOf('PointsLevelSummaryItem')),
  }),
  route('GET /points/{key}/summary', 'points_summary', {
    summary: 'Count the users in each range of points',
    querySchema: pointsSummaryRequest,
    answers: ok('Users by range of points.', listOf('PointsRange')),
  }),
  route('GET /points/{key}/boosts', 'points_boosts', {
    summary: 'List the boosts of a points system for all users',
    querySchema: boostsRequest,
    applicationKeys: anyUser,
    answers: ok('Boosts of all users, the oldest first; by dates in UTC.', listOf('PointsBoost')),
  }),
  route('GET /users/{id}/points/{key}/boosts', 'users_pointsBoosts', {
    tag: 'Users',
    summary: 'List the boosts that a user has now',
    applicationKeys: ownUser,
    answers: ok("The boosts, the oldest first, with the user's own.", listOf('PointsBoost')),
  }),
]

export const adminPointsRoutes: readonly Route[] = [
  route('POST /points/{key}/adjust', 'points_adjust', {
    summary: 'Give a user points, or take them',
    bodySchema: adjustmentRequest,
    example: { userId: '18', points: -50, reason: 'Counted twice' },
    takesIdempotencyKey: true,
    answers: {
      ...created('The points, adjusted.', 'AdjustPointsResponse'),
      202: toAnswer('The adjustment was there before.', 'AdjustPointsResponse'),
    },
    run: (api, { params, body, idempotencyKey }) =>
      api.admin.points.adjust(params.key, { ...body, ...(idempotencyKey === null ? {} : { idempotencyKey }) }),
    status: ({ idempotentReplayed }) => (idempotentReplayed === true ? 202 : 201),
  }),
]
