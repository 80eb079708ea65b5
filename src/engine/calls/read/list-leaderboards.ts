import { parse } from '../../../requests/input.ts'
import { leaderboardsRequest } from '../../../requests/leaderboards.ts'
import { localDate } from '../../../rules/calendar.ts'
import { statusOn, visibleLeaderboards } from '../../../rules/leaderboard.ts'
import { toLeaderboard } from '../../answers/leaderboard.ts'
import type { LeaderboardResponse } from '../../answers/wire/leaderboard.ts'
import { findRun } from '../../ranks/find-leaderboard.ts'
import type { Context } from '../../types.ts'

/** The leaderboards of the game, in its order, with the dates of the current run; finished ones only when asked for. */
export async function listLeaderboards(
  context: Context,
  request: unknown = {},
): Promise<readonly LeaderboardResponse[]> {
  const { includePrivate, includeFinished } = parse(leaderboardsRequest, request, 'request')
  const { game } = await context.games.current(context.storage)
  const today = localDate('UTC', context.now())
  return visibleLeaderboards(game, includePrivate)
    .filter((leaderboard) => includeFinished || statusOn(leaderboard, today) !== 'finished')
    .map((leaderboard) => toLeaderboard(game, leaderboard, findRun(leaderboard, undefined, today), today))
}
