import { assertedDeeds, eventDeeds } from '../../http/capabilities.ts'
import { anyOf, listOf, schemaOf } from '../../http/openapi.ts'
import { metric, param, seesPrivate } from '../../http/query.ts'
import { ok, type Route, type RouteResult, route } from '../../http/route.ts'
import { asRead } from './read-event.ts'
import {
  approveBody,
  checkValue,
  type EventBatchItem,
  type EventBody,
  type EventByKey,
  type EventsOf,
  eventBatchBody,
  eventBody,
  type HeldEventsRequest,
  heldQuery,
  type MetricEventRequest,
  type ParsedEventBody,
  type VoidBody,
  type VoidPreviewBody,
  type VoidRequest,
  voidBody,
  voidPreviewBody,
} from './requests.ts'

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
      schema: anyOf(schemaOf('VoidEventResponse'), schemaOf('VoidEventsResponse')),
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

const previewVoid: Route = route<VoidPreviewBody>({
  operationId: 'events_previewVoid',
  method: 'POST',
  path: '/events/void/preview',
  summary: 'What undoing one metric event would answer now',
  tag: 'Events',
  bodySchema: voidPreviewBody,
  changes: false,
  answers: { 200: { description: 'Nothing was written.', schema: schemaOf('VoidEventResponse') } },
  errors: [401, 403, 404, 422],
  run: (api, { body }) => {
    const request = { reason: body.reason, revoke: body.revoke } as VoidRequest
    return ok(api.events.void(eventOf(body), request, { dryRun: true }))
  },
})

const approveEvent: Route = route<EventBody>({
  operationId: 'events_approve',
  method: 'POST',
  path: '/events/approve',
  summary: 'Approve a metric event that is held back',
  tag: 'Events',
  bodySchema: approveBody,
  answers: { 200: { description: 'The event counts.', schema: schemaOf('ApproveEventResponse') } },
  errors: [401, 403, 404, 422],
  run: (api, { body }) => ok(api.events.approve(eventOf(body))),
})

const listHeld: Route = route({
  operationId: 'events_held',
  method: 'GET',
  path: '/events/held',
  summary: 'List metric events that are held back',
  tag: 'Events',
  query: {
    userId: { kind: 'text', description: 'Id of a user: only events of that one.' },
    after: { kind: 'text', description: 'Id of an event: those that come after it.' },
    limit: { kind: 'integer', description: 'How many events, 1 to 100. Default 100.' },
  },
  querySchema: heldQuery,
  answers: {
    200: { description: 'In order of user, then of when they happened.', schema: listOf('HeldEvent') },
  },
  errors: [401, 403, 404, 422],
  run: (api, { query: { userId: user, ...query } }) =>
    ok(api.events.held({ ...query, ...(user === undefined ? {} : { user }) } as HeldEventsRequest)),
})

function eventOf({ eventId, userId: user, metric, idempotencyKey }: EventBody): string | EventByKey {
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
    202: {
      description: 'The events were recorded, but for those of the issues.',
      schema: schemaOf('EventBatchResponse'),
    },
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

export const eventRoutes: readonly Route[] = [voidEvent, previewVoid, approveEvent, listHeld, record]

const event: Route = route<MetricEventRequest, ParsedEventBody>({
  operationId: 'metrics_event',
  method: 'POST',
  path: '/metrics/{key}/event',
  summary: 'Submit a metric event',
  tag: 'Metrics',
  params: metric,
  bodySchema: eventBody,
  check: ({ value }) => checkValue(value),
  takesIdempotencyKey: true,
  applicationKeys: {
    may: 'its own user, as `user.id`',
    users: ({ body }) => [body.user.id],
    deeds: ({ params, body }) => [...eventDeeds(param(params, 'key'), body), ...assertedDeeds(body.user)],
  },
  answers: {
    201: { description: 'The event was recorded.', schema: schemaOf('MetricEventResponse') },
    202: {
      description: 'The user had used the idempotency key for this metric before: nothing was recorded.',
      schema: schemaOf('MetricEventResponse'),
    },
  },
  errors: [400, 401, 422],
  // What an event names is part of what is sent, not of where it is sent to.
  statuses: { unknown_metric: 422 },
  run: async (api, { params, body, read, idempotencyKey }, caller): Promise<RouteResult> => {
    const metric = param(params, 'key')
    const includePrivate = seesPrivate(caller)
    const request = { ...body, ...(idempotencyKey === null ? {} : { idempotencyKey }), includePrivate }
    const answer = await api.metrics.event(
      metric,
      asRead(request, { metric, event: { ...read, idempotencyKey }, includePrivate }),
    )
    return { status: answer.idempotentReplayed === true ? 202 : 201, body: answer }
  },
})

export const metricRoutes: readonly Route[] = [event]
