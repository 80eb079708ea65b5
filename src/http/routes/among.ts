import { z } from 'zod'
import { revealsPrivate } from '../../api/leaderboards/operations.ts'
import { leaderboardAmongQuery } from '../../api/leaderboards/requests.ts'
import { parse, userId } from '../../runtime/input.ts'
import type { Caller } from '../options.ts'
import { REQUEST_TEXTS } from '../request-texts.ts'
import { ok, type Route, routesOf, seesPrivate, viewerOf } from '../route.ts'

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

/** A second route of `leaderboards.get`: for a session, the host names the users. */
export const amongRoute: Route = routesOf('Leaderboards')('GET /leaderboards/{key}/among', 'leaderboards_among', {
  summary: 'Rank some users, such as friends, among themselves',
  querySchema: leaderboardAmongQuery,
  texts: REQUEST_TEXTS['leaderboards.get'] ?? {},
  applicationKeys: {
    may: 'its own user, in `userIds`',
    users: ({ query: { userIds } }) => (Array.isArray(userIds) ? userIds : []),
    isPrivate: revealsPrivate,
  },
  answers: ok('These users, best first.', 'LeaderboardWithRankings'),
  run: async (api, { params, query: { userIds, ...query } }, caller) => {
    const among = await readAmong(caller, userIds)
    return api.leaderboards.get(params.key, {
      limit: 1_000,
      ...query,
      among,
      includePrivate: seesPrivate(caller),
      ...viewerOf(caller),
    })
  },
})
