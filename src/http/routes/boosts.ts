import { z } from 'zod'
import { boostIds, boostsCreateRequest, boostsRequest, boostsUpdateRequest } from '../../api/boosts/requests.ts'
import { configurationListRequest } from '../../api/configuration/requests.ts'
import { anyUser, bulkStatus, listOf, ownUser } from '../../api/endpoint.ts'
import { created, ok, type Route, routesOf } from '../route.ts'

const route = routesOf('Boosts')

export const pointsBoostRoutes: readonly Route[] = [
  routesOf('Points')('GET /points/{key}/boosts', 'points_boosts', {
    summary: 'List the boosts of a points system for all users',
    querySchema: boostsRequest,
    applicationKeys: anyUser,
    answers: ok('Boosts of all users, the oldest first; by dates in UTC.', listOf('PointsBoost')),
  }),
  routesOf('Users')('GET /users/{id}/points/{key}/boosts', 'users_pointsBoosts', {
    summary: 'List the boosts that a user has now',
    applicationKeys: ownUser,
    answers: ok("The boosts, the oldest first, with the user's own.", listOf('PointsBoost')),
  }),
]

export const boostRoutes: readonly Route[] = [
  route('GET /points/{systemId}/boosts', 'points_boosts_list', {
    summary: 'List the boosts of a points system, of all users and of single ones',
    querySchema: configurationListRequest,
    answers: ok(
      'A page of boosts: first boosts for all users, the oldest first, then boosts of single users, by id.',
      listOf('AdminPointsBoost'),
    ),
  }),
  route('POST /points/{systemId}/boosts', 'points_boosts_create', {
    summary: 'Give up to 100 boosts, each to all users or to one',
    bodySchema: boostsCreateRequest,
    example: [{ name: 'Double weekend', start: '2026-01-10', end: '2026-01-11', multiplier: 2 }],
    answers: {
      ...ok('Nothing was done; the issues say why.', 'CreateBoostsResponse'),
      ...created('The boosts.', 'CreateBoostsResponse'),
    },
    run: (api, { params, body }) => api.admin.points.boosts.create(params.systemId, body),
    status: (answer) => bulkStatus(answer.created.length),
  }),
  route('PATCH /points/{systemId}/boosts', 'points_boosts_update', {
    summary: 'Change up to 100 boosts that were given; what they have paid stays',
    bodySchema: boostsUpdateRequest,
    example: [{ id: '0198c1d2-6b3e-7c4f-8a5b-9d0e1f2a3b4c', end: '2026-01-12' }],
    answers: ok('The boosts after the change.', 'UpdateBoostsResponse'),
  }),
  route('DELETE /points/{systemId}/boosts', 'points_boosts_delete', {
    summary: 'Delete up to 100 boosts that were given; what they have paid stays',
    querySchema: z.strictObject({ ids: boostIds }),
    answers: ok('The deleted boosts.', 'DeleteBoostsResponse'),
    run: (api, { params, query }) => api.admin.points.boosts.delete(params.systemId, query.ids),
  }),
  route('GET /points/{systemId}/boosts/{id}', 'points_boosts_get', {
    summary: 'Get a boost',
    answers: ok('The boost.', 'AdminPointsBoost'),
  }),
]
