import { matches } from '../../rules/game.ts'
import { settled } from '../../rules/settle.ts'
import { hasAchievement } from '../../rules/validity.ts'
import type { Call } from '../../runtime/context.ts'
import type { CompletionPlace } from '../../storage/overview.ts'
import { readTextCursor, toTextCursor, wrongCursor } from '../cursors.ts'
import { gameKey, parse } from '../input.ts'
import { knownAchievement, readUserAttributes } from '../known.ts'
import { toInstantText } from '../users/answer.ts'
import { readUser } from '../users/read-user.ts'
import { parseUserId } from '../users/requests.ts'
import { gameFor, type Stats, toAchievement, visibleAchievements, withProgress, withStats } from './answer.ts'
import { achievementsRequest, completionsRequest, userAchievementsRequest } from './requests.ts'
import type { AchievementCompletions, AchievementWithStats, UserAchievementWithStats } from './types.ts'

export async function listAchievements(call: Call, request: unknown = {}): Promise<readonly AchievementWithStats[]> {
  const userAttributes = parse(achievementsRequest, request, 'request').userAttributes
  const { game: current } = await call.games.current(call.storage)
  const game = gameFor(call, current, null)
  const attributes = userAttributes === undefined ? null : readUserAttributes(game, userAttributes)
  const stats = await readStats(call)
  return visibleAchievements(game, null)
    .filter((achievement) => attributes === null || matches(achievement.userAttributes, attributes))
    .map((achievement) => withStats(toAchievement(game, achievement), achievement.key, stats))
}

async function readStats(call: Call): Promise<Stats> {
  const counters = await call.storage.counters(call.tenant)
  const completions = counters.filter(({ kind }) => kind === 'completions')
  return {
    users: counters.find(({ kind }) => kind === 'users')?.count ?? 0,
    completions: new Map(completions.map(({ key, count }) => [key, count])),
  }
}

export async function listUserAchievements(
  call: Call,
  id: unknown,
  request: unknown = {},
): Promise<readonly UserAchievementWithStats[]> {
  const user = parseUserId(id)
  const { includeIncomplete } = parse(userAchievementsRequest, request, 'request')
  const { game: current, state: known, at } = await readUser(call, user)
  const state = settled(current, known, at)
  const game = gameFor(call, current, state)
  const stats = await readStats(call)
  return visibleAchievements(game, state)
    .filter((achievement) => includeIncomplete || hasAchievement(achievement, state, at))
    .map((achievement) => withStats(withProgress(game, achievement, state, at), achievement.key, stats))
}

export async function listCompletions(
  call: Call,
  key: unknown,
  request: unknown = {},
): Promise<AchievementCompletions> {
  const achievement = parse(gameKey, key, 'achievement key')
  const { after, limit } = parse(completionsRequest, request, 'request')
  const { game } = await call.games.current(call.storage)
  knownAchievement(game, achievement)
  const place = after === undefined ? {} : { after: readPlace(after) }
  // One item more than the page says whether another page follows.
  const lines = await call.storage.completions(call.tenant, achievement, { ...place, limit: limit + 1 })
  const page = lines.slice(0, limit)
  const last = page.at(-1)
  return {
    completions: page.map(({ user, name, at, count }) => ({
      userId: user,
      name,
      achievedAt: toInstantText(at),
      count,
    })),
    after: last === undefined || lines.length <= limit ? null : toTextCursor(`${last.at} ${last.user}`),
  }
}

function readPlace(cursor: string): CompletionPlace {
  const [, at, user] = /^(-?\d{1,16}) (.+)$/s.exec(readTextCursor(cursor, 'after')) ?? []
  if (at !== undefined && user !== undefined && Number.isSafeInteger(Number(at))) return { at: Number(at), user }
  throw wrongCursor('after')
}
