import { listOf, schemaOf } from '../../http/openapi.ts'
import { anyUser, leaderboard, ownUser, param, seesPrivate, user } from '../../http/query.ts'
import { ok, type QueryParameter, type Route, type RouteCall, type Rules, route } from '../../http/route.ts'
import {
  type LeaderboardRequest,
  type LeaderboardsRequest,
  leaderboardQuery,
  leaderboardsQuery,
  type UserLeaderboardRequest,
  userLeaderboardRequest,
} from './requests.ts'

const run: QueryParameter = {
  kind: 'text',
  description: 'A date, `YYYY-MM-DD`: the run in which it lies. Without it: the current run.',
  example: '2026-01-15',
}

/** Whether the leaderboard of the path is, in the game of this process. */
const isPrivate = ({ params }: RouteCall<unknown>, game: Rules): boolean =>
  game.leaderboards.get(param(params, 'key'))?.private ?? false

const all: Route = route({
  operationId: 'leaderboards_all',
  method: 'GET',
  path: '/leaderboards',
  summary: 'All leaderboards, each with its current run',
  tag: 'Leaderboards',
  query: {
    includeFinished: { kind: 'text', description: '`true`: finished leaderboards are there too.', example: 'true' },
  },
  querySchema: leaderboardsQuery,
  applicationKeys: anyUser,
  answers: {
    200: {
      description: 'The leaderboards; private ones only for admin keys.',
      schema: listOf('Leaderboard'),
    },
  },
  errors: [401, 422],
  run: (api, { query }, caller) =>
    ok(api.leaderboards.all({ ...(query as LeaderboardsRequest), includePrivate: seesPrivate(caller) })),
})

const get: Route = route({
  operationId: 'leaderboards_get',
  method: 'GET',
  path: '/leaderboards/{key}',
  summary: 'One run of a leaderboard, with rankings',
  tag: 'Leaderboards',
  params: leaderboard,
  query: {
    offset: {
      kind: 'integer',
      description: "How many places to pass over; with `userId` counted from that user's place, and may be negative.",
      example: '0',
    },
    limit: { kind: 'integer', description: 'How many places to answer at most, 0 to 1,000.', example: '10' },
    run,
    userId: {
      kind: 'text',
      description: 'Answers the places around this user; none when the user is not on the leaderboard.',
      example: '18',
    },
    userAttributes: {
      kind: 'text',
      description:
        'The group, as `attribute:value,attribute:value`. Leaderboards with a breakdown need it, or `userId`; others refuse it.',
      example: 'plan:pro,region:eu',
    },
  },
  querySchema: leaderboardQuery,
  applicationKeys: {
    may: 'any leaderboard that is not private; its own user, in `userId`',
    users: ({ query }) => {
      const { userId } = query as LeaderboardRequest
      return userId === undefined ? [] : [userId]
    },
    isPrivate,
  },
  answers: { 200: { description: 'The leaderboard, best first.', schema: schemaOf('LeaderboardWithRankings') } },
  errors: [401, 404, 422],
  // The game in force may be newer than that of this process, and know of more that is private.
  run: (api, { params, query }, caller) =>
    ok(
      api.leaderboards.get(param(params, 'key'), {
        ...(query as LeaderboardRequest),
        includePrivate: seesPrivate(caller),
      }),
    ),
})

const ofUser: Route = route({
  operationId: 'users_leaderboard',
  method: 'GET',
  path: '/users/{id}/leaderboards/{key}',
  summary: "A user's place in one run of a leaderboard",
  tag: 'Users',
  params: { ...user, ...leaderboard },
  query: {
    run,
    numEvents: {
      kind: 'integer',
      description: 'How many days of history are there at most, of those on which the value changed.',
      example: '10',
    },
  },
  querySchema: userLeaderboardRequest,
  applicationKeys: { ...ownUser, may: 'its own user, on a leaderboard that is not private', isPrivate },
  answers: { 200: { description: 'Rank, value and history.', schema: schemaOf('UserLeaderboard') } },
  errors: [401, 404, 422],
  run: (api, { params, query }, caller) =>
    ok(
      api.users.leaderboard(param(params, 'id'), param(params, 'key'), {
        ...(query as UserLeaderboardRequest),
        includePrivate: seesPrivate(caller),
      }),
    ),
})

export const leaderboardRoutes: readonly Route[] = [all, get, ofUser]
