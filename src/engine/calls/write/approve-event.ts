import { metricId } from '../../../game/ids.ts'
import { parse } from '../../../requests/input.ts'
import { eventSubject } from '../../../requests/void.ts'
import type { ApproveEventResponse } from '../../answers/wire/metric.ts'
import { submit } from '../../record/submit.ts'
import type { Context, Door } from '../../types.ts'
import { findEvent } from './find-event.ts'
import { toEffects } from './record-event.ts'

/**
 * Has an event count that a limit holds back, at its own place in the log. Approving again answers the first approval.
 * Throws `event_not_held`.
 */
export async function approveEvent(
  context: Context,
  door: Door,
  tenant: string,
  event: unknown,
): Promise<ApproveEventResponse> {
  const { id, user, metric } = await findEvent(context, tenant, parse(eventSubject, event, 'event'))
  const body = { kind: 'eventApproved', event: id } as const
  const outcome = await submit(context, door, { tenant, user, profile: null, body, createsUser: false })
  return {
    approvalId: outcome.entryId ?? '',
    eventId: id,
    userId: user,
    metricId: outcome.game.metrics.get(metric)?.id ?? metricId(metric),
    alreadyApproved: outcome.type !== 'recorded',
    ...toEffects(context, outcome, metric, true),
  }
}
