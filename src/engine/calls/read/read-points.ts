import { parse } from '../../../requests/input.ts'
import { systemKey, userPointsRequest } from '../../../requests/reads.ts'
import { parseUserId } from '../../../requests/user.ts'
import type { PointsSystem } from '../../../rules/game.ts'
import { settled } from '../../../rules/settle.ts'
import { knownSystem } from '../../answers/known-names.ts'
import { toLevel, toPointsSystem, toUserPoints } from '../../answers/points.ts'
import { gameFor, gamesFor } from '../../answers/visible-achievements.ts'
import type { PointsLevel, PointsSystemResponse, UserPoints } from '../../answers/wire/points.ts'
import type { Context, CurrentGame } from '../../types.ts'
import { readUser } from './read-user.ts'

/** A user's total, level and awards in one system, newest awards first. */
export async function readUserPoints(
  context: Context,
  tenant: string,
  id: unknown,
  system: unknown,
  request: unknown = {},
): Promise<UserPoints> {
  const user = parseUserId(id)
  const key = parse(systemKey, system, 'points system key')
  const { awards: limit } = parse(userPointsRequest, request, 'request')
  const { game, games, state, view, at } = await readUser(context, tenant, user, { awards: { system: key, limit } })
  const shown = gamesFor(context, { game, games }, state)
  return toUserPoints(shown, knownSystem(game, key), settled(game, state, at), view.awards, at)
}

/** A points system of the newest game, and that game. Throws `unknown_points_system`. */
export async function findSystem(
  context: Context,
  key: unknown,
): Promise<CurrentGame & { readonly system: PointsSystem }> {
  const name = parse(systemKey, key, 'points system key')
  const current = await context.games.current(context.storage)
  return { ...current, system: knownSystem(current.game, name) }
}

/** The system as the game has it. */
export async function readPointsSystem(context: Context, key: unknown): Promise<PointsSystemResponse> {
  const { game, system } = await findSystem(context, key)
  return toPointsSystem(gameFor(context, game, null), system)
}

/** The system's levels, the lowest first. */
export async function listLevels(context: Context, key: unknown): Promise<readonly PointsLevel[]> {
  const { system } = await findSystem(context, key)
  return system.levels.map(toLevel)
}
