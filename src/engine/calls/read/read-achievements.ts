import { parse } from '../../../requests/input.ts'
import { achievementsRequest, userAchievementsRequest } from '../../../requests/reads.ts'
import { parseUserId } from '../../../requests/user.ts'
import { readUserAttributes } from '../../../requests/user-attributes.ts'
import { matches } from '../../../rules/game.ts'
import { type Stats, toAchievement, toUserAchievement, withStats } from '../../answers/achievement.ts'
import { gameFor, visibleAchievements } from '../../answers/visible-achievements.ts'
import type { AchievementWithStats, UserAchievementWithStats } from '../../answers/wire/achievement.ts'
import type { Context } from '../../types.ts'
import { readUser } from './read-user.ts'

/** The game's achievements with stats, or those that users with some attributes can complete. */
export async function listAchievements(
  context: Context,
  tenant: string,
  request: unknown = {},
): Promise<readonly AchievementWithStats[]> {
  const userAttributes = parse(achievementsRequest, request, 'request').userAttributes
  const { game: current } = await context.games.current(context.storage)
  const game = gameFor(context, current, null)
  const attributes = userAttributes === undefined ? null : readUserAttributes(game, userAttributes)
  const stats = await readStats(context, tenant)
  return visibleAchievements(game, null)
    .filter((achievement) => attributes === null || matches(achievement.userAttributes, attributes))
    .map((achievement) => withStats(toAchievement(game, achievement), achievement.key, stats))
}

/** How many users there are, and how many have each achievement. */
async function readStats(context: Context, tenant: string): Promise<Stats> {
  const counters = await context.storage.counters(tenant)
  const completions = counters.filter(({ kind }) => kind === 'completions')
  return {
    users: counters.find(({ kind }) => kind === 'users')?.count ?? 0,
    completions: new Map(completions.map(({ key, count }) => [key, count])),
  }
}

/** The user's achievements in the game's order, with stats. */
export async function listUserAchievements(
  context: Context,
  tenant: string,
  id: unknown,
  request: unknown = {},
): Promise<readonly UserAchievementWithStats[]> {
  const user = parseUserId(id)
  const { includeIncomplete } = parse(userAchievementsRequest, request, 'request')
  const { game: current, state } = await readUser(context, tenant, user)
  const game = gameFor(context, current, state)
  const stats = await readStats(context, tenant)
  return visibleAchievements(game, state)
    .filter(({ key }) => includeIncomplete || state.completions.has(key))
    .map((achievement) => withStats(toUserAchievement(game, achievement, state), achievement.key, stats))
}
