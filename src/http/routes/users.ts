import { preferenceActions, updateActions } from '../../api/actions.ts'
import { listOf, ownUser } from '../../api/endpoint.ts'
import { eventSummaryRequest } from '../../api/events/requests.ts'
import { userPointsRequest } from '../../api/points/requests.ts'
import * as requests from '../../api/users/requests.ts'
import { created, ok, type Route, routesOf } from '../route.ts'

const route = routesOf('Users', ownUser)

/** A user's profile, for the holders of any key. */
export const userRoutes: readonly Route[] = [
  route('POST /users', 'users_create', {
    summary: 'Create a user',
    bodySchema: requests.userUpsert,
    example: { id: '18', name: 'Ann', email: 'ann@example.com', tz: 'Europe/London' },
    applicationKeys: {
      may: 'its own user, as `id`',
      users: ({ read }) => [read.id],
      actions: ({ read }) => updateActions(read),
    },
    answers: created('The user, created or updated.', 'User'),
  }),
  route('GET /users/{id}', 'users_get', {
    summary: 'Get a user',
    answers: ok('The user.', 'User'),
  }),
  route('PUT /users/{id}', 'users_identify', {
    summary: 'Identify a user: create it or update it',
    bodySchema: requests.userUpdate,
    example: { name: 'Ann', tz: 'Europe/London', attributes: { plan: 'pro' } },
    applicationKeys: { ...ownUser, actions: ({ read }) => updateActions(read) },
    answers: ok('The user, created or updated.', 'User'),
    canMiss: false,
  }),
  route('PATCH /users/{id}', 'users_update', {
    summary: 'Update a user',
    bodySchema: requests.userUpdate,
    example: { name: 'Ann', tz: 'Europe/London', attributes: { plan: 'pro' } },
    applicationKeys: { ...ownUser, actions: ({ read }) => updateActions(read) },
    answers: ok('The user, updated.', 'User'),
  }),
  route('GET /users/{id}/preferences', 'users_getPreferences', {
    summary: "Get a user's preferences",
    answers: ok('The preferences.', 'UserPreferences'),
  }),
  route('PATCH /users/{id}/preferences', 'users_updatePreferences', {
    summary: "Update a user's preferences",
    bodySchema: requests.preferencesUpdate,
    example: { notifications: { streak_reminder: ['push'] } },
    applicationKeys: { ...ownUser, actions: ({ read }) => preferenceActions(read) },
    answers: ok('The preferences, updated.', 'UserPreferences'),
    statuses: { unknown_metric: 422 },
  }),
]

/** The user's totals, for the holders of any key. */
export const metricRoutes: readonly Route[] = [
  route('GET /users/{id}/metrics', 'users_allMetrics', {
    summary: "List all active metrics with the user's progress",
    answers: ok('The active metrics.', listOf('MetricResponse')),
  }),
  route('GET /users/{id}/metrics/{key}', 'users_singleMetric', {
    summary: "Get one active metric with the user's progress",
    answers: ok('The metric.', 'MetricResponse'),
  }),
  route('GET /users/{id}/metrics/{key}/event-summary', 'users_metricEventSummary', {
    summary: "Summarize a user's metric events over time",
    querySchema: eventSummaryRequest,
    answers: ok('One item for every period.', listOf('EventSummaryItem')),
  }),
]

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
  adminRoute('GET /users', 'users_list', {
    summary: 'List users by id, or search them by id or name',
    querySchema: requests.usersRequest,
    answers: ok('A page of the users.', 'UsersResponse'),
  }),
  adminRoute('GET /users/{id}/events', 'users_events', {
    summary: "Read a user's log, the newest entry first",
    querySchema: requests.userEventsRequest,
    answers: ok('A page of the log.', 'UserEventsResponse'),
  }),
  adminRoute('GET /users/{id}/export', 'users_export', {
    summary: 'Export a user in pages of lines',
    querySchema: requests.exportPageRequest,
    answers: ok('Some lines of the export.', 'ExportPage'),
    run: (api, { params, query }) => api.users.exportPage(params.id, query),
  }),
  adminRoute('DELETE /users/{id}', 'users_delete', {
    summary: 'Delete a user for good',
    querySchema: requests.deletionRequest,
    answers: ok('The user is deleted.', 'DeletedUser'),
  }),
  adminRoute('POST /users/{id}/suspend', 'users_suspend', {
    summary: 'Leave a user out of leaderboards',
    bodySchema: requests.suspensionRequest,
    example: { reason: 'Suspected of cheating' },
    answers: ok('The user is suspended.', 'SuspendedUser'),
  }),
  adminRoute('POST /users/{id}/restore', 'users_restore', {
    summary: 'Put a suspended user back on leaderboards',
    answers: ok('The user is not suspended.', 'SuspendedUser'),
  }),
  adminRoute('POST /users/{id}/merge', 'users_merge', {
    summary: 'Merge a user into another one',
    bodySchema: requests.mergeBody,
    example: { into: '18' },
    answers: ok('The users are one.', 'MergeResponse'),
    run: (api, { params, read }) => api.users.merge({ from: params.id, ...read }),
  }),
]
