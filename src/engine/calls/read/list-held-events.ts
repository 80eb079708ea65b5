import { GamificationError } from '../../../errors.ts'
import { metricId } from '../../../game/ids.ts'
import { heldRequest } from '../../../requests/held.ts'
import { parse } from '../../../requests/input.ts'
import { toDateText } from '../../../rules/calendar.ts'
import type { HeldLine, TenantPlace } from '../../../storage.ts'
import { toInstantText } from '../../answers/user.ts'
import type { HeldEvent } from '../../answers/wire/metric.ts'
import type { Context } from '../../types.ts'
import { followMerges } from './follow-merges.ts'

/** The events that limits hold back, in order of user, then of when they happened. Throws `unknown_event`. */
export async function listHeldEvents(
  context: Context,
  tenant: string,
  request: unknown = {},
): Promise<readonly HeldEvent[]> {
  const { user: named, after, limit } = parse(heldRequest, request, 'request')
  const user = named === undefined ? named : (await followMerges(context.storage, { tenant, user: named })).key.user
  const place = after === undefined ? {} : { after: await placeOf(context, tenant, after, user) }
  const options = { ...(user === undefined ? {} : { user }), ...place, limit }
  const lines = await context.storage.heldEvents(tenant, options)
  return lines.map(toHeldEvent)
}

/**
 * The place of an event, held or not: a page goes on behind the last event of the one before, whatever became of it.
 */
async function placeOf(
  { storage }: Context,
  tenant: string,
  event: string,
  owner: string | undefined,
): Promise<TenantPlace> {
  const found = await storage.findEvent(tenant, event)
  if (found !== null && (owner === undefined || found.user === owner)) {
    const { user, at, seq } = found
    return { user, at, seq }
  }
  const whose = owner === undefined ? 'There is' : `The user ${JSON.stringify(owner)} has`
  throw new GamificationError('unknown_event', `${whose} no event ${JSON.stringify(event)} to go on after.`)
}

function toHeldEvent({ user, event }: HeldLine): HeldEvent {
  const { id, metric, value, attributes, idempotencyKey, at, recordedAt, dating } = event
  return {
    eventId: id,
    userId: user,
    metricId: metricId(metric),
    metric,
    value,
    attributes: Object.fromEntries(attributes),
    idempotencyKey,
    occurredAt: toInstantText(at),
    recordedAt: toInstantText(recordedAt),
    date: toDateText(dating.date),
  }
}
