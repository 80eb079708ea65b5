import { metricId } from '../../../game/ids.ts'
import { parse } from '../../../requests/input.ts'
import type { EventByKey } from '../../../requests/types/void.ts'
import { voidRequest } from '../../../requests/void.ts'
import { completionsOf } from '../../../rules/achievement.ts'
import { toUserAchievement } from '../../answers/achievement.ts'
import { toPointsChanges } from '../../answers/points.ts'
import { toCurrentStreak, toCurrentStreaks } from '../../answers/streak.ts'
import { gameFor, gamesFor, visibleAchievements } from '../../answers/visible-achievements.ts'
import type { VoidEventResponse } from '../../answers/wire/metric.ts'
import { type Accepted, stateAfter, submit } from '../../record/submit.ts'
import type { Context, Door } from '../../types.ts'
import { findEvent, type NamedEvent } from './find-event.ts'

/**
 * Undoes an event: it stays in the log, with its idempotency key used, and the user's state is that of the log without
 * it. Voiding again answers the first void.
 */
export async function voidEvent(
  context: Context,
  door: Door,
  tenant: string,
  subject: string | EventByKey,
  request: unknown = {},
): Promise<VoidEventResponse> {
  const { reason = null, revoke: revokes = false } = parse(voidRequest, request, 'options')
  const found = await findEvent(context, tenant, subject)
  const body = { kind: 'eventVoided', event: found.id, reason, revokes } as const
  const outcome = await submit(context, door, { tenant, user: found.user, profile: null, body, createsUser: false })
  return toResponse(context, outcome, found)
}

function toResponse(context: Context, outcome: Accepted, { id, metric }: NamedEvent): VoidEventResponse {
  const { user, at } = outcome
  const after = stateAfter(outcome)
  const game = gameFor(context, outcome.game, after)
  const games = gamesFor(context, outcome, after)
  const isNew = outcome.type === 'recorded'
  const before = isNew ? outcome.before : after
  const revoked = visibleAchievements(game, before).filter(
    ({ key }) => before !== null && completionsOf(before, key) > completionsOf(after, key),
  )
  return {
    voidId: outcome.entryId ?? '',
    eventId: id,
    userId: user,
    metricId: game.metrics.get(metric)?.id ?? metricId(metric),
    total: after.totals.get(metric)?.total ?? 0,
    alreadyVoided: !isNew,
    revokedAchievements: revoked.map((achievement) => toUserAchievement(game, achievement, after)),
    currentStreak: toCurrentStreak(game, before, after, at),
    ...toCurrentStreaks(game, before, after, at),
    points: isNew ? toPointsChanges(games, game, outcome) : {},
  }
}
