import { z } from 'zod'
import { toStreak, toStreakHistory } from './answers/streak.ts'
import type { Context } from './context.ts'
import { parse } from './input.ts'
import { readUser } from './read-user.ts'
import { parseUserId } from './user-input.ts'
import type { UserStreak } from './wire.ts'

export interface UserStreakRequest {
  /** How many periods of history are there, up to the current one: 1 to 400. Default: none. */
  readonly historyPeriods?: number
}

const userStreakRequest = z.object({ historyPeriods: z.int().min(1).max(400).optional() }).optional()

/** The user's streak as it reads now (specification 2.4; decisions, section 5). */
export async function readUserStreak(
  context: Context,
  tenant: string,
  id: unknown,
  request: unknown,
): Promise<UserStreak> {
  const user = parseUserId(id)
  const periods = parse(userStreakRequest, request, 'request')?.historyPeriods
  const options = periods === undefined ? {} : { periods: { limit: periods } }
  const { game, state, view, at } = await readUser(context, tenant, user, options)
  const streak = { ...toStreak(game, state, at), rank: null }
  if (periods === undefined) return streak
  return { ...streak, streakHistory: toStreakHistory(game, state, at, view.periods, periods) }
}
