import { GamificationError } from '../../errors.ts'
import { boostsFor } from '../../rules/boost.ts'
import { localDate } from '../../rules/calendar.ts'
import type { Game, PointsSystem } from '../../rules/game.ts'
import { zoneOf } from '../../rules/profile.ts'
import type { Call, Context } from '../../runtime/context.ts'
import { newestGame } from '../configuration/read-configuration.ts'
import { configurationListRequest } from '../configuration/requests.ts'
import { gameKey, parse } from '../input.ts'
import { knownSystem } from '../known.ts'
import { toAdminBoost, toPointsBoost, toUserBoost } from '../points/answer.ts'
import type { AdminPointsBoost, PointsBoost } from '../points/types.ts'
import { readUser } from '../users/read-user.ts'
import { parseUserId } from '../users/requests.ts'
import { boostsRequest, givenBoostId } from './requests.ts'

export async function listBoosts(
  context: Context,
  key: unknown,
  request: unknown = {},
): Promise<readonly PointsBoost[]> {
  const { includeFinished } = parse(boostsRequest, request, 'request')
  const name = parse(gameKey, key, 'points system key')
  const system = knownSystem((await newestGame(context)).game, name)
  const today = localDate('UTC', context.now())
  return system.boosts
    .map((boost) => toPointsBoost(boost, today))
    .filter(({ status }) => includeFinished || status !== 'finished')
}

export async function listUserBoosts(call: Call, id: unknown, system: unknown): Promise<readonly PointsBoost[]> {
  const user = parseUserId(id)
  const key = parse(gameKey, system, 'points system key')
  const { game, state, at } = await readUser(call, user)
  const today = localDate(zoneOf(state.profile), at)
  return boostsFor(knownSystem(game, key), state, today).map((boost) => toPointsBoost(boost, today))
}

/** A points system by its id or key, an id first. Throws `unknown_points_system`. */
export function systemOf(game: Game, given: unknown): PointsSystem {
  const id = parse(gameKey, given, 'points system id')
  return [...game.points.values()].find((each) => each.id === id) ?? knownSystem(game, id)
}

export async function listAdminBoosts(
  call: Call,
  given: unknown,
  request: unknown = {},
): Promise<readonly AdminPointsBoost[]> {
  const { limit, skip } = parse(configurationListRequest, request, 'request')
  const { game } = await newestGame(call)
  const system = systemOf(game, given)
  const now = call.now()
  const ofAll = system.boosts.slice(skip, skip + limit).map((boost) => toAdminBoost(boost, now))
  if (ofAll.length === limit) return ofAll
  const page = { system: system.key, limit: limit - ofAll.length, skip: Math.max(0, skip - system.boosts.length) }
  const places = await call.storage.listBoosts(call.tenant, page)
  return [...ofAll, ...(await readBoosts(call, system, places))]
}

type Place = { readonly id: string; readonly user: string }

/** The boosts of single users in one system, by their ids and users. A boost that is gone meanwhile is left out. */
export async function readBoosts(
  { storage, now, tenant }: Call,
  system: PointsSystem,
  places: readonly Place[],
): Promise<readonly AdminPointsBoost[]> {
  const found = new Map<string, AdminPointsBoost>()
  for (const user of new Set(places.map((place) => place.user))) {
    const { state } = await storage.readUser({ tenant, user })
    if (state === null) continue
    const own = state.boosts.filter((boost) => boost.system === system.key)
    for (const boost of own) found.set(boost.id, toUserBoost(boost, user, state, now()))
  }
  return places.flatMap(({ id }) => found.get(id) ?? [])
}

export async function readAdminBoost(call: Call, given: unknown, boost: unknown): Promise<AdminPointsBoost> {
  const { game } = await newestGame(call)
  const system = systemOf(game, given)
  const id = parse(givenBoostId, boost, 'boost id')
  const ofAll = system.boosts.find((each) => each.id === id)
  if (ofAll !== undefined) return toAdminBoost(ofAll, call.now())
  const [own] = await readBoosts(call, system, await call.storage.findOwners(call.tenant, 'boosts', [id]))
  if (own !== undefined) return own
  throw new GamificationError('unknown_boost', `There is no boost ${JSON.stringify(id)} in the points system.`)
}
