import { type EventByKey, type VoidBody, type VoidRequest, voidBody } from '../../requests/void.ts'
import { ok, type Route, route } from '../route.ts'
import { voidEventResponseSchema } from '../schemas/void-event.ts'

const voidEvent: Route = route<VoidBody>({
  operationId: 'events_void',
  method: 'POST',
  path: '/events/void',
  summary: 'Undo a metric event',
  tag: 'Events',
  bodySchema: voidBody,
  answers: { 200: { description: 'The event does not count any more.', schema: voidEventResponseSchema } },
  errors: [401, 403, 404, 422],
  run: (api, { body }) => {
    const { reason, revoke } = body
    return ok(api.events.void(eventOf(body), { reason, revoke } as VoidRequest))
  },
})

function eventOf({ eventId, userId: user, metric, idempotencyKey }: VoidBody): string | EventByKey {
  return eventId ?? ({ user, metric, idempotencyKey } as EventByKey)
}

export const eventRoutes: readonly Route[] = [voidEvent]
