import { z } from 'zod'
import { GamificationError } from '../errors.ts'
import { isText } from '../game/text.ts'
import { type Game, matches } from '../rules/game.ts'
import { isVisible, type Stats, toAchievement, toUserAchievement, withStats } from './answers/achievement.ts'
import type { Context } from './context.ts'
import { parse } from './input.ts'
import { readUser } from './read-user.ts'
import { parseUserId } from './user-input.ts'
import type { AchievementWithStats, UserAchievementWithStats } from './wire.ts'

export interface AchievementsRequest {
  /** `attribute:value,attribute:value`: only achievements that a user with these attributes can have. */
  readonly userAttributes?: string
}

const achievementsRequest = z.object({ userAttributes: z.string().optional() }).optional()

/** Specification 4.1. */
export async function listAchievements(
  context: Context,
  tenant: string,
  request: unknown,
): Promise<readonly AchievementWithStats[]> {
  const userAttributes = parse(achievementsRequest, request, 'request')?.userAttributes
  const { game } = await context.games.current()
  const attributes = userAttributes === undefined ? null : readUserAttributes(game, userAttributes)
  const stats = await readStats(context, tenant)
  return [...game.achievements.values()]
    .filter(({ status }) => status === 'active')
    .filter((achievement) => attributes === null || matches(achievement.userAttributes, attributes))
    .map((achievement) => withStats(toAchievement(game, achievement), stats))
}

/** Split at `,`, then at the first `:` (decisions, section 4). */
function readUserAttributes(game: Game, text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>()
  for (const item of text.split(',')) {
    const colon = item.indexOf(':')
    if (colon < 1 || !isText(item)) {
      const message = `Malformed userAttributes item ${JSON.stringify(item)}: write attribute:value,attribute:value.`
      throw new GamificationError('invalid_request', message, { issues: [{ path: 'userAttributes', message }] })
    }
    const name = item.slice(0, colon)
    if (!game.userAttributes.has(name)) {
      const known = [...game.userAttributes].map((attribute) => JSON.stringify(attribute)).join(', ')
      const message = `Unknown user attribute ${JSON.stringify(name)}: the game has ${known === '' ? 'none' : known}.`
      throw new GamificationError('unknown_attribute', message)
    }
    attributes.set(name, item.slice(colon + 1))
  }
  return attributes
}

async function readStats(context: Context, tenant: string): Promise<Stats> {
  const counters = await context.storage.counters(tenant)
  const completions = counters.filter(({ kind }) => kind === 'completions')
  return {
    users: counters.find(({ kind }) => kind === 'users')?.count ?? 0,
    completions: new Map(completions.map(({ key, count }) => [key, count])),
  }
}

export interface UserAchievementsRequest {
  /** Whether those not yet completed are there too. Default false. */
  readonly includeIncomplete?: boolean | 'true'
}

const userAchievementsRequest = z.object({ includeIncomplete: z.unknown().optional() }).optional()

/** The user's achievements in the game's order, with stats. */
export async function listUserAchievements(
  context: Context,
  tenant: string,
  id: unknown,
  request: unknown,
): Promise<readonly UserAchievementWithStats[]> {
  const user = parseUserId(id)
  const include = parse(userAchievementsRequest, request, 'request')?.includeIncomplete
  const isIncluded = include === true || include === 'true'
  const { game, state } = await readUser(context, tenant, user)
  const stats = await readStats(context, tenant)
  return [...game.achievements.values()]
    .filter((achievement) => isVisible(achievement, state))
    .filter(({ key }) => isIncluded || state.completions.has(key))
    .map((achievement) => withStats(toUserAchievement(game, achievement, state), stats))
}
