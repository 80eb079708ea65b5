import { listOf, ownUser } from '../../api/endpoint.ts'
import { eventSummaryRequest } from '../../api/events/requests.ts'
import { userPointsRequest } from '../../api/points/requests.ts'
import { mergeBody } from '../../api/users/requests.ts'
import { ok, type Route, routesOf } from '../route.ts'

const route = routesOf('Users', ownUser)

/** The user's points and year, for the holders of any key. */
export const userPointsRoutes: readonly Route[] = [
  route('GET /users/{id}/points/{key}', 'users_points', {
    summary: "Get a user's points in one system",
    querySchema: userPointsRequest,
    answers: ok('The points, and the newest awards.', 'UserPoints'),
  }),
  route('GET /users/{id}/points/{key}/event-summary', 'users_pointsEventSummary', {
    summary: "Summarize a user's points over time",
    querySchema: eventSummaryRequest,
    answers: ok('One item for every period.', listOf('EventSummaryItem')),
  }),
]

const adminRoute = routesOf('Users')

/** Users as a whole, for the holders of admin keys. */
export const adminUserRoutes: readonly Route[] = [
  adminRoute('POST /users/{id}/merge', 'users_merge', {
    summary: 'Merge a user into another one',
    bodySchema: mergeBody,
    example: { into: '18' },
    answers: ok('The users are one.', 'MergeResponse'),
    run: (api, { params, read }) => api.users.merge({ from: params.id, ...read }),
  }),
]
