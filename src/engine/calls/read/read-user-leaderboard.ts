import { parse } from '../../../requests/input.ts'
import { leaderboardKey, userLeaderboardRequest } from '../../../requests/leaderboards.ts'
import { parseUserId } from '../../../requests/user.ts'
import { localDate } from '../../../rules/calendar.ts'
import { isConcealed, rankedAt } from '../../../rules/leaderboard.ts'
import { zoneOf } from '../../../rules/profile.ts'
import { toLeaderboard, toScoreHistory } from '../../answers/leaderboard.ts'
import type { UserLeaderboard } from '../../answers/wire/leaderboard.ts'
import { findRun, knownLeaderboard } from '../../ranks/find-leaderboard.ts'
import { isAlive } from '../../ranks/moves.ts'
import type { Context } from '../../types.ts'
import { readRank } from './read-rank.ts'
import { readUser } from './read-user.ts'
import { readScoredDays } from './score-history.ts'

/** One run of a leaderboard as it is for a user: the current one is that of the user's own date. */
export async function readUserLeaderboard(
  context: Context,
  tenant: string,
  id: unknown,
  key: unknown,
  request: unknown = {},
): Promise<UserLeaderboard> {
  const named = parseUserId(id)
  const name = parse(leaderboardKey, key, 'leaderboard key')
  const asked = parse(userLeaderboardRequest, request, 'request')
  const { storage } = context
  const read = await readUser(context, tenant, named)
  const { user } = read
  const leaderboard = knownLeaderboard(read.game, name, asked.includePrivate)
  const today = localDate(zoneOf(read.state.profile), read.at)
  const run = findRun(leaderboard, asked.run, today)
  const at = rankedAt(leaderboard, context.now())
  const users = isConcealed(leaderboard, today) ? [] : [user]
  const [entry] = await storage.leaderboardEntries(tenant, name, run.id, users)
  const rank = entry === undefined ? null : await readRank(storage, { tenant, user }, leaderboard, entry, at)
  const value = entry === undefined || !isAlive(entry, at) ? null : entry.value
  const days =
    asked.numEvents === 0
      ? []
      : await readScoredDays(context, { key: { tenant, user }, user: read, leaderboard, run }, asked.numEvents)
  return {
    ...toLeaderboard(read.game, leaderboard, run, localDate('UTC', read.at)),
    rank,
    value,
    history: toScoreHistory(days, { rank, value }),
  }
}
