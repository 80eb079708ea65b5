import { anyUser, ownUser, seesPrivate } from '../../http/query.ts'
import { listOf, ok, type QueryParameter, type Route, type RouteCall, type Rules, routesOf } from '../../http/route.ts'
import { leaderboardQuery, leaderboardsQuery, userLeaderboardRequest } from './requests.ts'

const run: QueryParameter = {
  description: 'A date, `YYYY-MM-DD`, in the run. Default: the current run.',
  example: '2026-01-15',
}

/** Reads the game of this process. A newer game in force may have made more leaderboards private. */
const isPrivate = ({ params }: RouteCall, game: Rules): boolean =>
  game.leaderboards.get(params.key ?? '')?.private ?? false

const route = routesOf('Leaderboards')

export const leaderboardRoutes: readonly Route[] = [
  route('GET /leaderboards', 'leaderboards_all', {
    summary: 'List all leaderboards, each with its current run',
    query: { includeFinished: { description: '`true`: with finished leaderboards.', example: 'true' } },
    querySchema: leaderboardsQuery,
    applicationKeys: anyUser,
    answers: ok('The leaderboards; private ones only for admin keys.', listOf('Leaderboard')),
    run: (api, { query }, caller) => api.leaderboards.all({ ...query, includePrivate: seesPrivate(caller) }),
  }),
  route('GET /leaderboards/{key}', 'leaderboards_get', {
    summary: 'Get one run of a leaderboard, with rankings',
    query: {
      offset: {
        kind: 'integer',
        description:
          'How many places to skip. With `userId` it counts from the place of that user, and may be negative.',
        example: '0',
      },
      limit: { kind: 'integer', description: 'How many places to answer at most, 0 to 1,000.', example: '10' },
      run,
      userId: {
        description: 'Answers the places around this user; none if the user is not on the leaderboard.',
        example: '18',
      },
      userAttributes: {
        description:
          'The group, as `attribute:value,attribute:value`. Leaderboards with a breakdown need it, or `userId`; others refuse it.',
        example: 'plan:pro,region:eu',
      },
    },
    querySchema: leaderboardQuery,
    applicationKeys: {
      may: 'any leaderboard that is not private; its own user, in `userId`',
      users: ({ query: { userId } }) => (typeof userId === 'string' ? [userId] : []),
      isPrivate,
    },
    answers: ok('The leaderboard, best first.', 'LeaderboardWithRankings'),
    run: (api, { params, query }, caller) =>
      api.leaderboards.get(params.key, { ...query, includePrivate: seesPrivate(caller) }),
  }),
  route('GET /users/{id}/leaderboards/{key}', 'users_leaderboard', {
    tag: 'Users',
    summary: "Get a user's place in one run of a leaderboard",
    query: {
      run,
      numEvents: {
        kind: 'integer',
        description: 'How many days on which the value changed the history has at most.',
        example: '10',
      },
    },
    querySchema: userLeaderboardRequest,
    applicationKeys: { ...ownUser, may: 'its own user, on a leaderboard that is not private', isPrivate },
    answers: ok('Rank, value and history.', 'UserLeaderboard'),
    run: (api, { params, query }, caller) =>
      api.users.leaderboard(params.id, params.key, { ...query, includePrivate: seesPrivate(caller) }),
  }),
]
