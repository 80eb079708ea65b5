import type { DefinedGame, KeysOf, LeaderboardKey, UserAttribute } from '../../game/define-game.ts'
import type { Declared, NoLeaderboards } from '../../game/definition-parts.ts'
import { gameKey } from '../../runtime/input.ts'
import type {
  LeaderboardGroups,
  LeaderboardResponse,
  LeaderboardRuns,
  LeaderboardWithRankings,
  UserLeaderboard,
} from '../../shapes/leaderboards.ts'
import { anyUser, listOf, ownUser, type RouteCall, type Rules } from '../endpoint.ts'
import { arg, defineOperation, type OperationsOf, optionalArg, userArg } from '../operation.ts'
import { listGroups, listLeaderboards, listRuns, readLeaderboard } from './read-leaderboard.ts'
import { readUserLeaderboard } from './read-user-leaderboard.ts'
import * as requests from './requests.ts'

export interface LeaderboardsApi<G extends DefinedGame> {
  /** Lists every leaderboard in the game's order, with its status and the dates of its current run. */
  all(request?: requests.LeaderboardsRequest): Promise<readonly LeaderboardResponse<KeysOf<G>>[]>
  /**
   * Returns a page of one run, current or finished. It can also return the ranks around a user, or rank some users
   * `among` themselves. Rejects with `unknown_leaderboard`.
   */
  get(
    leaderboard: Declared<LeaderboardKey<G>, NoLeaderboards>,
    request?: requests.LeaderboardRequest<UserAttribute<G>>,
  ): Promise<LeaderboardWithRankings<KeysOf<G>>>
  /** Lists the runs that have an entry, the newest first. Rejects with `unknown_leaderboard`, as `groups` does. */
  runs(
    leaderboard: Declared<LeaderboardKey<G>, NoLeaderboards>,
    request?: requests.LeaderboardRunsRequest,
  ): Promise<LeaderboardRuns>
  /**
   * Lists the groups of a run, with the number of users in each. If the leaderboard has no groups, the list has one
   * group without values.
   */
  groups(
    leaderboard: Declared<LeaderboardKey<G>, NoLeaderboards>,
    request?: requests.LeaderboardGroupsRequest,
  ): Promise<LeaderboardGroups>
}

export interface UserLeaderboardApi<G extends DefinedGame> {
  /** Returns the user's rank and value in one run of a leaderboard, and the last days on which the value changed. */
  leaderboard(
    id: string,
    leaderboard: Declared<LeaderboardKey<G>, NoLeaderboards>,
    request?: requests.UserLeaderboardRequest,
  ): Promise<UserLeaderboard<KeysOf<G>>>
}

/** The leaderboards of the API, in its groups. */
export interface LeaderboardCalls<G extends DefinedGame> {
  readonly leaderboards: LeaderboardsApi<G>
  readonly users: UserLeaderboardApi<G>
}

/** Reads the game of this process. A newer game in force may have made more leaderboards private. */
export function isPrivateLeaderboard({ params }: Pick<RouteCall, 'params'>, game: Rules): boolean {
  return game.leaderboards.get(params.key ?? '')?.private ?? false
}

/** The same for a call that may ask for the users of anonymous places. */
export function revealsPrivate(call: Pick<RouteCall, 'params' | 'query'>, game: Rules): boolean {
  const { reveal } = call.query
  return reveal === true || reveal === 'true' || isPrivateLeaderboard(call, game)
}

const leaderboard = arg('leaderboard', gameKey, 'leaderboard key')

export const leaderboardOperations: OperationsOf<LeaderboardCalls<DefinedGame>> = {
  leaderboards: {
    all: defineOperation({
      kind: 'read',
      takes: [optionalArg('request', requests.leaderboardsRequest)],
      endpoint: {
        at: 'GET /leaderboards',
        tag: 'Leaderboards',
        summary: 'List all leaderboards, each with its current run',
        hidesPrivate: true,
        applicationKeys: anyUser,
        answers: { 200: ['The leaderboards; private ones only for admin keys.', listOf('Leaderboard')] },
      },
      run: listLeaderboards,
    }),
    get: defineOperation({
      kind: 'read',
      takes: [leaderboard, optionalArg('request', requests.leaderboardRequest)],
      endpoint: {
        at: 'GET /leaderboards/{key}',
        tag: 'Leaderboards',
        summary: 'Get one run of a leaderboard, with rankings',
        tool: { name: 'leaderboard', personal: ['reveal'] },
        querySchema: requests.leaderboardQuery,
        hidesPrivate: true,
        takesViewer: true,
        applicationKeys: {
          may: 'any leaderboard that is not private; its own user, in `userId`',
          users: ({ query: { userId } }) => (typeof userId === 'string' ? [userId] : []),
          isPrivate: revealsPrivate,
        },
        answers: { 200: ['The leaderboard, best first.', 'LeaderboardWithRankings'] },
      },
      run: readLeaderboard,
    }),
    runs: defineOperation({
      kind: 'read',
      takes: [leaderboard, optionalArg('request', requests.leaderboardRunsRequest)],
      endpoint: {
        at: 'GET /leaderboards/{key}/runs',
        tag: 'Overview',
        api: 'admin',
        summary: 'List the runs of a leaderboard that have entries, the newest first',
        answers: { 200: ['A page of runs.', 'LeaderboardRuns'] },
      },
      run: listRuns,
    }),
    groups: defineOperation({
      kind: 'read',
      takes: [leaderboard, optionalArg('request', requests.leaderboardGroupsRequest)],
      endpoint: {
        at: 'GET /leaderboards/{key}/groups',
        tag: 'Overview',
        api: 'admin',
        summary: 'List the groups of one run of a leaderboard, with the number of users in each',
        answers: { 200: ['A page of groups.', 'LeaderboardGroups'] },
      },
      run: listGroups,
    }),
  },
  users: {
    leaderboard: defineOperation({
      kind: 'read',
      takes: [userArg, leaderboard, optionalArg('request', requests.userLeaderboardRequest)],
      endpoint: {
        at: 'GET /users/{id}/leaderboards/{key}',
        tag: 'Users',
        summary: "Get a user's place in one run of a leaderboard",
        hidesPrivate: true,
        applicationKeys: {
          ...ownUser,
          may: 'its own user, on a leaderboard that is not private',
          isPrivate: isPrivateLeaderboard,
        },
        answers: { 200: ['Rank, value and history.', 'UserLeaderboard'] },
      },
      run: readUserLeaderboard,
    }),
  },
}
