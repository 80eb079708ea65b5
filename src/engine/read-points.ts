import { z } from 'zod'
import { GamificationError } from '../errors.ts'
import { toUserPoints } from './answers/points.ts'
import type { Context } from './context.ts'
import { parse, text } from './input.ts'
import { readUser } from './read-user.ts'
import { parseUserId } from './user-input.ts'
import type { UserPoints } from './wire.ts'

export interface UserPointsRequest {
  /** How many of the newest awards are there, 0 to 100. Default 5. */
  readonly awards?: number
}

const DEFAULT_AWARDS = 5
const userPointsRequest = z.object({ awards: z.int().min(0).max(100).default(DEFAULT_AWARDS) }).optional()
const systemKey = text(255)

/** Specification 2.5 as read for a user, newest awards first. */
export async function readUserPoints(
  context: Context,
  tenant: string,
  id: unknown,
  system: unknown,
  request: unknown,
): Promise<UserPoints> {
  const user = parseUserId(id)
  const key = parse(systemKey, system, 'points system key')
  const limit = parse(userPointsRequest, request, 'request')?.awards ?? DEFAULT_AWARDS
  const { game, games, state, view } = await readUser(context, tenant, user, { awards: { system: key, limit } })
  const rule = game.points.get(key)
  if (rule === undefined) {
    const known = [...game.points.keys()].map((name) => JSON.stringify(name)).join(', ')
    const message = `Unknown points system ${JSON.stringify(key)}: the game has ${known === '' ? 'none' : known}.`
    throw new GamificationError('unknown_points_system', message)
  }
  return toUserPoints(games, rule, state, view.awards)
}
