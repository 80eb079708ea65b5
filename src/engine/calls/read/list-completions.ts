import { achievementKey } from '../../../requests/completion.ts'
import { parse } from '../../../requests/input.ts'
import { completionsRequest } from '../../../requests/overview.ts'
import type { CompletionPlace } from '../../../storage-overview.ts'
import { knownAchievement } from '../../answers/known-names.ts'
import { toInstantText } from '../../answers/user.ts'
import type { AchievementCompletions } from '../../answers/wire/achievement.ts'
import type { Context } from '../../types.ts'
import { readTextCursor, toTextCursor, wrongCursor } from './text-cursor.ts'

/** Who has an achievement, the newest completion first. Throws `unknown_achievement`. */
export async function listCompletions(
  context: Context,
  tenant: string,
  key: unknown,
  request: unknown = {},
): Promise<AchievementCompletions> {
  const achievement = parse(achievementKey, key, 'achievement key')
  const { after, limit } = parse(completionsRequest, request, 'request')
  const { game } = await context.games.current(context.storage)
  knownAchievement(game, achievement)
  const place = after === undefined ? {} : { after: readPlace(after) }
  // One item more than the page says whether another page follows.
  const lines = await context.storage.completions(tenant, achievement, { ...place, limit: limit + 1 })
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
