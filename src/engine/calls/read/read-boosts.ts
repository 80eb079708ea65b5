import { parse } from '../../../requests/input.ts'
import { boostsRequest, systemKey } from '../../../requests/reads.ts'
import { parseUserId } from '../../../requests/user.ts'
import { boostsFor } from '../../../rules/boost.ts'
import { localDate } from '../../../rules/calendar.ts'
import { zoneOf } from '../../../rules/profile.ts'
import { toPointsBoost } from '../../answers/boost.ts'
import { knownSystem } from '../../answers/known-names.ts'
import type { PointsBoost } from '../../answers/wire/points.ts'
import type { Context } from '../../types.ts'
import { newestGame } from './newest-game.ts'
import { readUser } from './read-user.ts'

/** The boosts that a points system has for all users, the oldest first; by dates in UTC. */
export async function listBoosts(
  context: Context,
  key: unknown,
  request: unknown = {},
): Promise<readonly PointsBoost[]> {
  const { includeFinished } = parse(boostsRequest, request, 'request')
  const name = parse(systemKey, key, 'points system key')
  const system = knownSystem((await newestGame(context)).game, name)
  const today = localDate('UTC', context.now())
  return system.boosts
    .map((boost) => toPointsBoost(boost, today))
    .filter(({ status }) => includeFinished || status !== 'finished')
}

/** The boosts that hold for a user now, its own among them; by the user's date. */
export async function listUserBoosts(
  context: Context,
  tenant: string,
  id: unknown,
  system: unknown,
): Promise<readonly PointsBoost[]> {
  const user = parseUserId(id)
  const key = parse(systemKey, system, 'points system key')
  const { game, state, at } = await readUser(context, tenant, user)
  const today = localDate(zoneOf(state.profile), at)
  return boostsFor(knownSystem(game, key), state, today).map((boost) => toPointsBoost(boost, today))
}
