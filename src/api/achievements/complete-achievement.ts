import { completionId } from '../../game/ids.ts'
import { type Accepted, stateAfter, submit } from '../../record/submit.ts'
import { completionsOf } from '../../rules/achievement.ts'
import type { Call, WriteCall } from '../../runtime/context.ts'
import { chain, type Eventually } from '../../storage/sync-or-async.ts'
import { readIdempotencyKey } from '../events/requests.ts'
import { gameKey, parse } from '../input.ts'
import { knownAchievement } from '../known.ts'
import { toPointsChanges } from '../points/answer.ts'
import { toPatch } from '../users/requests.ts'
import { gameFor, gamesFor, toCompletedAchievement, toNewAchievements, toUserAchievement } from './answer.ts'
import { completionRequest, supportRequest } from './requests.ts'
import type { AchievementCompletionResponse, RevokedAchievement } from './types.ts'

export function completeAchievement(
  call: WriteCall,
  achievement: unknown,
  request: unknown,
): Eventually<AchievementCompletionResponse> {
  const key = parse(gameKey, achievement, 'achievement key')
  const { user, idempotencyKey: sent } = parse(completionRequest, request, 'completion')
  const idempotencyKey = readIdempotencyKey(sent)
  const submission = {
    user: user.id,
    profile: toPatch(user),
    body: {
      kind: 'achievementClaimed',
      achievement: key,
      ...(idempotencyKey === null ? {} : { idempotencyKey }),
    } as const,
    createsUser: true,
  }
  return chain(submit(call, submission), (outcome) => {
    return {
      ...toResponse(call, outcome, key),
      ...(idempotencyKey === null ? {} : { idempotentReplayed: !isMade(outcome, key), idempotencyKey }),
    }
  })
}

export function grantAchievement(
  call: WriteCall,
  achievement: unknown,
  request: unknown,
): Eventually<AchievementCompletionResponse> {
  const key = parse(gameKey, achievement, 'achievement key')
  const { userId: user, reason } = parse(supportRequest, request, 'grant')
  const body = { kind: 'achievementGranted', achievement: key, reason } as const
  return chain(submit(call, { user, body }), (outcome) => toResponse(call, outcome, key))
}

export function revokeAchievement(
  call: WriteCall,
  achievement: unknown,
  request: unknown,
): Eventually<RevokedAchievement> {
  const key = parse(gameKey, achievement, 'achievement key')
  const { userId: user, reason } = parse(supportRequest, request, 'revocation')
  const body = { kind: 'achievementRevoked', achievement: key, reason } as const
  return chain(submit(call, { user, body }), (outcome) => {
    const after = stateAfter(outcome)
    const rule = knownAchievement(outcome.game, key)
    const revoked = toUserAchievement(outcome.game, rule, after, outcome.at)
    return { revocationId: outcome.entryId ?? '', userId: outcome.user, achievement: revoked }
  })
}

/** True if the call completed it. */
function isMade(outcome: Accepted, key: string): boolean {
  if (outcome.type !== 'recorded') return false
  return completionsOf(outcome.after, key) > (outcome.before === null ? 0 : completionsOf(outcome.before, key))
}

function toResponse(call: Call, outcome: Accepted, key: string): AchievementCompletionResponse {
  const after = stateAfter(outcome)
  const game = gameFor(call, outcome.game, after)
  const rule = game.achievements.get(key)
  if (rule === undefined) throw new RangeError('A completed achievement is in the game')
  const newest = after.completions.get(key)
  const completion = outcome.type === 'unchanged' ? (outcome.completion ?? newest) : newest
  const isNew = outcome.type === 'recorded' && toNewAchievements(game, outcome.before, after).length > 0
  const games = gamesFor(call, outcome, after)
  return {
    completionId: completionId(call.tenant, outcome.user, key, completion?.count),
    achievement:
      completion === undefined
        ? toUserAchievement(game, rule, after, outcome.at)
        : toCompletedAchievement(game, rule, completion),
    points: isNew ? toPointsChanges(games, game, outcome) : {},
  }
}
