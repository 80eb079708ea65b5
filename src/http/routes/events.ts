import { z } from 'zod'
import { eventBatchBody } from '../../requests/metric-event.ts'
import type { EventBatchItem } from '../../requests/types/metric-event.ts'
import type { EventByKey, EventsOf, VoidRequest } from '../../requests/types/void.ts'
import { type VoidBody, voidBody } from '../../requests/void.ts'
import { ok, type Route, type RouteResult, route } from '../route.ts'
import { eventBatchResponseSchema } from '../schemas/event-batch.ts'
import { voidEventResponseSchema, voidEventsResponseSchema } from '../schemas/void-event.ts'

const voidEvent: Route = route<VoidBody>({
  operationId: 'events_void',
  method: 'POST',
  path: '/events/void',
  summary: 'Undo a metric event, or all events of an API key or of a user in a time',
  tag: 'Events',
  bodySchema: voidBody,
  answers: {
    200: {
      description: 'The event, or events, do not count any more.',
      schema: z.union([voidEventResponseSchema, voidEventsResponseSchema]),
    },
  },
  errors: [401, 403, 404, 422],
  run: (api, { body }) => {
    const request = { reason: body.reason, revoke: body.revoke } as VoidRequest
    const events = eventsOf(body)
    return ok(events === null ? api.events.void(eventOf(body), request) : api.events.void(events, request))
  },
})

/** null: one event is named. */
function eventsOf({ by, between, userId }: VoidBody): EventsOf | null {
  if (by != null) return { by }
  if (between == null) return null
  return { user: userId ?? '', between: { from: new Date(between.from), to: new Date(between.to) } }
}

function eventOf({ eventId, userId: user, metric, idempotencyKey }: VoidBody): string | EventByKey {
  return eventId ?? ({ user, metric, idempotencyKey } as EventByKey)
}

interface BatchItem extends Omit<EventBatchItem, 'occurredAt'> {
  readonly occurredAt?: string
}

const record: Route = route<readonly BatchItem[]>({
  operationId: 'metrics_events',
  method: 'POST',
  path: '/metrics/events',
  summary: 'Submit up to 1,000 metric events',
  tag: 'Metrics',
  bodySchema: eventBatchBody,
  // A thousand events, with attributes.
  bodyFactor: 16,
  answers: {
    202: { description: 'The events were recorded, but for those of the issues.', schema: eventBatchResponseSchema },
  },
  errors: [401, 403, 422],
  run: async (api, { body }): Promise<RouteResult> => ({
    status: 202,
    body: await api.admin.metrics.events(
      body.map(({ occurredAt, ...item }) =>
        occurredAt === undefined ? item : { ...item, occurredAt: new Date(occurredAt) },
      ),
    ),
  }),
})

export const eventRoutes: readonly Route[] = [voidEvent, record]
