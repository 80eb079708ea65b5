import { GamificationError } from '../../../errors.ts'
import { metricId } from '../../../game/ids.ts'
import { parse } from '../../../requests/input.ts'
import { readIdempotencyKey } from '../../../requests/metric-event.ts'
import type { EventByKey } from '../../../requests/types/void.ts'
import { voidRequest } from '../../../requests/void.ts'
import { toUserAchievement } from '../../answers/achievement.ts'
import { toPointsChanges } from '../../answers/points.ts'
import { toCurrentStreak } from '../../answers/streak.ts'
import { visibleAchievements } from '../../answers/visible-achievements.ts'
import type { VoidEventResponse } from '../../answers/wire/metric.ts'
import { type Accepted, perform, stateAfter } from '../../record/submit.ts'
import type { Context, Door } from '../../types.ts'

interface FoundEvent {
  readonly id: string
  readonly user: string
  readonly metric: string
}

/**
 * Undoes an event: it stays in the log, with its idempotency key used, and the user's state is that of the log without it.
 * Voiding again answers the first void.
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
  const outcome = await perform(context, door, { tenant, user: found.user, profile: null, body, createsUser: false })
  return toResponse(outcome, found)
}

async function findEvent(context: Context, tenant: string, subject: string | EventByKey): Promise<FoundEvent> {
  const { storage } = context
  if (typeof subject === 'string') {
    const found = await storage.findEvent(tenant, subject)
    if (found !== null) return { id: subject, ...found }
    throw new GamificationError('unknown_event', `There is no event ${JSON.stringify(subject)}.`)
  }
  const { user, metric } = subject
  const idempotencyKey = readIdempotencyKey(subject.idempotencyKey) ?? ''
  const { found, state } = await storage.readUser({ tenant, user }, { lookups: [{ metric, idempotencyKey }] })
  const into = state?.mergedInto ?? null
  if (into !== null) return findEvent(context, tenant, { ...subject, user: into })
  const [id = null] = found
  if (id !== null) return { id, user, metric }
  const message = `The user ${JSON.stringify(user)} has no event of ${JSON.stringify(metric)} with the idempotency key ${JSON.stringify(idempotencyKey)}.`
  throw new GamificationError('unknown_event', message)
}

function toResponse(outcome: Accepted, { id, metric }: FoundEvent): VoidEventResponse {
  const { user, game, games, at } = outcome
  const after = stateAfter(outcome)
  const isNew = outcome.type === 'recorded'
  const before = isNew ? outcome.before : after
  const revoked = visibleAchievements(game, before).filter(
    ({ key }) => before?.completions.has(key) === true && !after.completions.has(key),
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
    points: isNew ? toPointsChanges(games, game, before, after, outcome.awards) : {},
  }
}
