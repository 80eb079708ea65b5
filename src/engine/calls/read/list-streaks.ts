import { isGamificationError } from '../../../errors.ts'
import { parse } from '../../../requests/input.ts'
import { streaksRequest } from '../../../requests/reads.ts'
import { settled } from '../../../rules/settle.ts'
import { toExtended } from '../../answers/streak.ts'
import type { UserStreakLength } from '../../answers/wire/streak.ts'
import type { Context } from '../../types.ts'
import { readUser } from './read-user.ts'

/** The lengths of several users' streaks, the longest first; users that are not known are left out. */
export async function listStreaks(
  context: Context,
  tenant: string,
  request: unknown = {},
): Promise<readonly UserStreakLength[]> {
  const asked = parse(streaksRequest, Array.isArray(request) ? { userIds: request } : request, 'request').userIds
  const lengths = await Promise.all([...new Set(asked)].map((user) => readLength(context, tenant, user)))
  return lengths.filter((length) => length !== null).sort((left, right) => right.streakLength - left.streakLength)
}

async function readLength(context: Context, tenant: string, user: string): Promise<UserStreakLength | null> {
  try {
    const { game, state, at } = await readUser(context, tenant, user)
    const current = settled(game, state, at)
    const streakLength = game.streak === null ? 0 : current.streak.length
    return { userId: user, streakLength, extended: toExtended(game, current) }
  } catch (error) {
    if (isGamificationError(error) && error.code === 'unknown_user') return null
    throw error
  }
}
