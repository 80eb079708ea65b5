import { parse } from '../../../requests/input.ts'
import { leaderboardsRequest } from '../../../requests/leaderboards.ts'
import { localTime } from '../../../rules/calendar.ts'
import { visibleLeaderboards } from '../../../rules/leaderboard.ts'
import { toLeaderboard } from '../../answers/leaderboard.ts'
import type { LeaderboardResponse } from '../../answers/wire/leaderboard.ts'
import { toArgument } from '../../deadline.ts'
import { findRun } from '../../ranks/find-leaderboard.ts'
import type { Context } from '../../types.ts'

/** Every leaderboard of the game, in its order, with the dates of the current run. */
export async function listLeaderboards(
  context: Context,
  request: unknown = {},
): Promise<readonly LeaderboardResponse[]> {
  const { includePrivate } = parse(leaderboardsRequest, request, 'request')
  const { game } = await context.games.current(toArgument(context.deadline))
  const today = localTime('UTC', context.now())
  return visibleLeaderboards(game, includePrivate).map((leaderboard) =>
    toLeaderboard(game, leaderboard, findRun(leaderboard, undefined, today.date), today),
  )
}
