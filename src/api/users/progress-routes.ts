import { listOf, schemaOf } from '../../http/openapi.ts'
import { metric, ownUser, param, seesPrivate, streak as streakKey, system, user } from '../../http/query.ts'
import { ok, type Route, route } from '../../http/route.ts'
import { type UserAchievementsRequest, userAchievementsRequest } from '../achievements/requests.ts'
import { type EventSummaryRequest, eventSummaryRequest } from '../events/requests.ts'
import { type UserPointsRequest, userPointsRequest } from '../points/requests.ts'
import {
  type StreakRankingsRequest,
  type StreaksRequest,
  streakRankingsRequest,
  streaksRequest,
  type UserStreakRequest,
  userStreakRequest,
} from '../streaks/requests.ts'
import { type WrappedRequest, wrappedQuery } from '../year/requests.ts'

const tag = 'Users'

const summaryQuery: Route['query'] = {
  aggregation: {
    kind: 'text',
    description: 'One of `daily`, `weekly`, `monthly`.',
    required: true,
    example: 'daily',
  },
  startDate: {
    kind: 'text',
    description: 'First date, `YYYY-MM-DD`: before `endDate`.',
    required: true,
    example: '2026-01-01',
  },
  endDate: {
    kind: 'text',
    description: 'Last date, `YYYY-MM-DD`: at most 400 days after `startDate`.',
    required: true,
    example: '2026-01-31',
  },
}

const allMetrics: Route = route({
  operationId: 'users_allMetrics',
  method: 'GET',
  path: '/users/{id}/metrics',
  summary: "All active metrics with the user's progress",
  tag,
  params: user,
  applicationKeys: ownUser,
  answers: { 200: { description: 'The active metrics.', schema: listOf('MetricResponse') } },
  errors: [401, 404, 422],
  run: (api, { params }) => ok(api.users.allMetrics(param(params, 'id'))),
})

const singleMetric: Route = route({
  operationId: 'users_singleMetric',
  method: 'GET',
  path: '/users/{id}/metrics/{key}',
  summary: "One active metric with the user's progress",
  tag,
  params: { ...user, ...metric },
  applicationKeys: ownUser,
  answers: { 200: { description: 'The metric.', schema: schemaOf('MetricResponse') } },
  errors: [401, 404, 422],
  run: (api, { params }) => ok(api.users.singleMetric(param(params, 'id'), param(params, 'key'))),
})

const metricEventSummary: Route = route({
  operationId: 'users_metricEventSummary',
  method: 'GET',
  path: '/users/{id}/metrics/{key}/event-summary',
  summary: "Summary of a user's metric events over time",
  tag,
  params: { ...user, ...metric },
  query: summaryQuery,
  querySchema: eventSummaryRequest,
  applicationKeys: ownUser,
  answers: { 200: { description: 'One item for every period.', schema: listOf('EventSummaryItem') } },
  errors: [401, 404, 422],
  run: (api, { params, query }) =>
    ok(
      api.users.metricEventSummary(param(params, 'id'), param(params, 'key'), query as unknown as EventSummaryRequest),
    ),
})

const achievements: Route = route({
  operationId: 'users_achievements',
  method: 'GET',
  path: '/users/{id}/achievements',
  summary: "A user's achievements",
  tag,
  params: user,
  query: {
    includeIncomplete: {
      kind: 'text',
      description: '`true`: with those not yet completed; anything else: without.',
      example: 'true',
    },
  },
  querySchema: userAchievementsRequest,
  applicationKeys: ownUser,
  answers: { 200: { description: 'The achievements.', schema: listOf('UserAchievementWithStats') } },
  errors: [401, 404, 422],
  run: (api, { params, query }) => ok(api.users.achievements(param(params, 'id'), query as UserAchievementsRequest)),
})

const streakQuery: Route['query'] = {
  historyPeriods: {
    kind: 'integer',
    description: 'How many periods of history are there, up to the current one: 0 to 400. Default 7.',
    example: '30',
  },
}

const streak: Route = route({
  operationId: 'users_streak',
  method: 'GET',
  path: '/users/{id}/streak',
  summary: "A user's streak",
  tag,
  params: user,
  query: streakQuery,
  querySchema: userStreakRequest,
  applicationKeys: ownUser,
  answers: { 200: { description: 'The streak as it reads now.', schema: schemaOf('UserStreak') } },
  errors: [401, 404, 422],
  run: (api, { params, query }, caller) =>
    ok(api.users.streak(param(params, 'id'), { ...(query as UserStreakRequest), includePrivate: seesPrivate(caller) })),
})

const namedStreak: Route = route({
  operationId: 'users_namedStreak',
  method: 'GET',
  path: '/users/{id}/streaks/{key}',
  summary: "One of a user's named streaks",
  tag,
  params: { ...user, ...streakKey },
  query: streakQuery,
  querySchema: userStreakRequest,
  applicationKeys: ownUser,
  answers: { 200: { description: 'The streak as it reads now.', schema: schemaOf('UserStreak') } },
  errors: [401, 404, 422],
  run: (api, { params, query }, caller) =>
    ok(
      api.users.streak(param(params, 'id'), {
        ...(query as UserStreakRequest),
        streak: param(params, 'key'),
        includePrivate: seesPrivate(caller),
      }),
    ),
})

const points: Route = route({
  operationId: 'users_points',
  method: 'GET',
  path: '/users/{id}/points/{key}',
  summary: "A user's points in one system",
  tag,
  params: { ...user, ...system },
  query: {
    awards: {
      kind: 'integer',
      description: 'How many of the newest awards are there, 0 to 100. Default 10.',
      example: '20',
    },
  },
  querySchema: userPointsRequest,
  applicationKeys: ownUser,
  answers: { 200: { description: 'The points, and the newest awards.', schema: schemaOf('UserPoints') } },
  errors: [401, 404, 422],
  run: (api, { params, query }) =>
    ok(api.users.points(param(params, 'id'), param(params, 'key'), query as UserPointsRequest)),
})

const pointsEventSummary: Route = route({
  operationId: 'users_pointsEventSummary',
  method: 'GET',
  path: '/users/{id}/points/{key}/event-summary',
  summary: "Summary of a user's points over time",
  tag,
  params: { ...user, ...system },
  query: summaryQuery,
  querySchema: eventSummaryRequest,
  applicationKeys: ownUser,
  answers: { 200: { description: 'One item for every period.', schema: listOf('EventSummaryItem') } },
  errors: [401, 404, 422],
  run: (api, { params, query }) =>
    ok(
      api.users.pointsEventSummary(param(params, 'id'), param(params, 'key'), query as unknown as EventSummaryRequest),
    ),
})

const wrapped: Route = route({
  operationId: 'users_wrapped',
  method: 'GET',
  path: '/users/{id}/wrapped',
  summary: 'A year of a user in review',
  tag,
  params: user,
  query: {
    year: {
      kind: 'integer',
      description: "From 1 to the current year in the user's time zone. Default: that one.",
      example: '2025',
    },
  },
  querySchema: wrappedQuery,
  applicationKeys: ownUser,
  answers: { 200: { description: 'The year.', schema: schemaOf('Wrapped') } },
  errors: [401, 404, 422],
  run: (api, { params, query }, caller) =>
    ok(api.users.wrapped(param(params, 'id'), { ...(query as WrappedRequest), includePrivate: seesPrivate(caller) })),
})

const streaks: Route = route({
  operationId: 'streaks_list',
  method: 'GET',
  path: '/streaks',
  summary: 'The lengths of several streaks, the longest first',
  tag: 'Streaks',
  query: {
    userIds: {
      kind: 'list',
      description: 'At most 100 user ids. Users that are not known are left out.',
      example: '18',
    },
  },
  querySchema: streaksRequest,
  applicationKeys: { may: 'its own user, in `userIds`', users: ({ query }) => (query as StreaksRequest).userIds ?? [] },
  answers: { 200: { description: 'The lengths.', schema: listOf('UserStreakLength') } },
  errors: [401, 422],
  run: (api, { query }) => ok(api.streaks.list(query as StreaksRequest)),
})

// It looks over all users, which is not for a single user's key.
const streakRankings: Route = route({
  operationId: 'streaks_rankings',
  method: 'GET',
  path: '/streaks/rankings',
  summary: 'The users with the longest streaks',
  tag: 'Streaks',
  query: {
    limit: { kind: 'integer', description: 'How many users, 1 to 100. Default 10.', example: '20' },
    type: {
      kind: 'text',
      description: '`active`: the streaks as they read now; `longest`: the longest ever. Default `active`.',
      example: 'longest',
    },
  },
  querySchema: streakRankingsRequest,
  answers: { 200: { description: 'The users, best first.', schema: listOf('StreakRanking') } },
  errors: [401, 403, 422],
  run: (api, { query }) => ok(api.streaks.rankings(query as StreakRankingsRequest)),
})

export const progressRoutes: readonly Route[] = [
  allMetrics,
  singleMetric,
  metricEventSummary,
  achievements,
  streak,
  namedStreak,
  points,
  pointsEventSummary,
  wrapped,
  streaks,
  streakRankings,
]
