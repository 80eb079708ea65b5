import { completionId } from '../../../game/ids.ts'
import { achievementKey, completionRequest } from '../../../requests/completion.ts'
import { parse } from '../../../requests/input.ts'
import { toPatch } from '../../../requests/user.ts'
import type { Achievement } from '../../../rules/game.ts'
import { chain } from '../../accept/chain.ts'
import { toNewAchievements, toUserAchievement } from '../../answers/achievement.ts'
import { toPointsChanges } from '../../answers/points.ts'
import type { AchievementCompletionResponse } from '../../answers/wire/achievement.ts'
import { type Accepted, perform, stateAfter } from '../../record/submit.ts'
import type { Context, Door, Eventually } from '../../types.ts'

/** Completes an achievement for a user; again, it answers the first completion. */
export function completeAchievement(
  context: Context,
  door: Door,
  tenant: string,
  achievement: unknown,
  request: unknown,
): Eventually<AchievementCompletionResponse> {
  const key = parse(achievementKey, achievement, 'achievement key')
  const { user } = parse(completionRequest, request, 'completion')
  const wish = {
    tenant,
    user: user.id,
    profile: toPatch(user),
    body: { kind: 'achievementClaimed', achievement: key } as const,
    createsUser: true,
  }
  return chain(perform(context, door, wish), (outcome) => {
    const rule = outcome.game.achievements.get(key)
    if (rule === undefined) throw new RangeError('A completed achievement is in the game')
    return toResponse(outcome, rule, completionId(tenant, outcome.user, key))
  })
}

function toResponse(outcome: Accepted, rule: Achievement, id: string): AchievementCompletionResponse {
  const { game, games } = outcome
  const after = stateAfter(outcome)
  const isNew = outcome.type === 'recorded' && toNewAchievements(game, outcome.before, after).length > 0
  return {
    completionId: id,
    achievement: toUserAchievement(game, rule, after),
    points: isNew ? toPointsChanges(games, game, outcome.before, after, outcome.awards) : {},
  }
}
