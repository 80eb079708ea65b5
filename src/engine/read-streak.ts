import { parse } from '../requests/input.ts'
import { userStreakRequest } from '../requests/reads.ts'
import { parseUserId } from '../requests/user.ts'
import { toStreak, toStreakHistory } from './answers/streak.ts'
import type { Context } from './context.ts'
import { readUser } from './read-user.ts'
import type { UserStreak } from './wire.ts'

/** The user's streak as it reads now (specification 2.4; decisions, section 5). */
export async function readUserStreak(
  context: Context,
  tenant: string,
  id: unknown,
  request: unknown = {},
): Promise<UserStreak> {
  const user = parseUserId(id)
  const periods = parse(userStreakRequest, request, 'request').historyPeriods
  const options = periods === undefined ? {} : { periods: { limit: periods } }
  const { game, state, view, at } = await readUser(context, tenant, user, options)
  const streak = { ...toStreak(game, state, at), rank: null }
  if (periods === undefined) return streak
  return { ...streak, streakHistory: toStreakHistory(game, state, at, view.periods, periods) }
}
