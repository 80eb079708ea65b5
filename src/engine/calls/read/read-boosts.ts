import { parse } from '../../../requests/input.ts'
import { boostsRequest, systemKey } from '../../../requests/reads.ts'
import { parseUserId } from '../../../requests/user.ts'
import type { PointsBoost } from '../../answers/wire/points.ts'
import type { Context } from '../../types.ts'
import { findSystem, knownSystem } from './read-points.ts'
import { readUser } from './read-user.ts'

const NONE: readonly PointsBoost[] = []

/** The boosts of a points system. A game has no boosts, so there are none. */
export async function listBoosts(
  context: Context,
  key: unknown,
  request: unknown = {},
): Promise<readonly PointsBoost[]> {
  parse(boostsRequest, request, 'request')
  await findSystem(context, key)
  return NONE
}

/** The boosts that hold for a user now. */
export async function listUserBoosts(
  context: Context,
  tenant: string,
  id: unknown,
  system: unknown,
): Promise<readonly PointsBoost[]> {
  const user = parseUserId(id)
  const key = parse(systemKey, system, 'points system key')
  const { game } = await readUser(context, tenant, user)
  knownSystem(game, key)
  return NONE
}
