import { z } from 'zod'
import {
  leaderboardAmongQuery,
  leaderboardQuery,
  leaderboardsRequest,
  userLeaderboardRequest,
} from '../../api/leaderboards/requests.ts'
import { parse, userId } from '../../runtime/input.ts'
import type { Caller } from '../options.ts'
import {
  anyUser,
  listOf,
  ok,
  ownUser,
  type Route,
  type RouteCall,
  type Rules,
  routesOf,
  seesPrivate,
} from '../route.ts'

/** Reads the game of this process. A newer game in force may have made more leaderboards private. */
const isPrivate = ({ params }: RouteCall, game: Rules): boolean =>
  game.leaderboards.get(params.key ?? '')?.private ?? false

/**
 * The users that a caller names. For a session, the users that the host names. Throws `invalid_request` if there are
 * none.
 */
async function readAmong(caller: Caller | null, userIds: unknown): Promise<unknown> {
  if (caller?.kind !== 'session' || caller.among === undefined) {
    return parse(z.array(z.unknown(), 'is missing; name the users'), userIds, 'userIds')
  }
  const { data, success } = z
    .array(userId)
    .max(1_000)
    .safeParse(await caller.among())
  if (success) return data
  throw new TypeError('The option among of userApi must answer a list of at most 1,000 user ids.')
}

const route = routesOf('Leaderboards')

export const leaderboardRoutes: readonly Route[] = [
  route('GET /leaderboards', 'leaderboards_all', {
    summary: 'List all leaderboards, each with its current run',
    querySchema: leaderboardsRequest,
    applicationKeys: anyUser,
    answers: ok('The leaderboards; private ones only for admin keys.', listOf('Leaderboard')),
    run: (api, { query }, caller) => api.leaderboards.all({ ...query, includePrivate: seesPrivate(caller) }),
  }),
  route('GET /leaderboards/{key}', 'leaderboards_get', {
    summary: 'Get one run of a leaderboard, with rankings',
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
  route('GET /leaderboards/{key}/among', 'leaderboards_among', {
    summary: 'Rank some users, such as friends, among themselves',
    querySchema: leaderboardAmongQuery,
    applicationKeys: {
      may: 'its own user, in `userIds`',
      users: ({ query: { userIds } }) => (Array.isArray(userIds) ? userIds : []),
      isPrivate,
    },
    answers: ok('These users, best first.', 'LeaderboardWithRankings'),
    run: async (api, { params, query: { userIds, ...query } }, caller) => {
      const among = await readAmong(caller, userIds)
      return api.leaderboards.get(params.key, { limit: 1_000, ...query, among, includePrivate: seesPrivate(caller) })
    },
  }),
  route('GET /users/{id}/leaderboards/{key}', 'users_leaderboard', {
    tag: 'Users',
    summary: "Get a user's place in one run of a leaderboard",
    querySchema: userLeaderboardRequest,
    applicationKeys: { ...ownUser, may: 'its own user, on a leaderboard that is not private', isPrivate },
    answers: ok('Rank, value and history.', 'UserLeaderboard'),
    run: (api, { params, query }, caller) =>
      api.users.leaderboard(params.id, params.key, { ...query, includePrivate: seesPrivate(caller) }),
  }),
]
