import { anyOf, listOf, schemaOf } from '../../api/endpoint.ts'
import * as requests from '../../api/events/requests.ts'
import { ok, type Route, routesOf, toAnswer } from '../route.ts'

const EVENT_ID = '0198c1d2-6b3e-7c4f-8a5b-9d0e1f2a3b4c'

const route = routesOf('Events')

function eventOf({ eventId, userId: user, metric, idempotencyKey }: requests.EventBody): unknown {
  return eventId ?? { user, metric, idempotencyKey }
}

export const eventRoutes: readonly Route[] = [
  route('POST /events/void', 'events_void', {
    summary: 'Void a metric event, or all events of an API key or of a user in a time',
    canMiss: true,
    bodySchema: requests.voidBody,
    example: { eventId: EVENT_ID, reason: 'Entered twice' },
    answers: ok(
      'The event no longer counts, or the events no longer count.',
      anyOf(schemaOf('VoidEventResponse'), schemaOf('VoidEventsResponse')),
    ),
    run: (api, { read: { by, between, reason, revoke, ...event } }) => {
      if (by !== undefined) return api.events.void({ by }, { reason, revoke })
      return api.events.void(between === undefined ? eventOf(event) : { user: event.userId, between }, {
        reason,
        revoke,
      })
    },
  }),
  route('POST /events/void/preview', 'events_previewVoid', {
    summary: 'Preview the answer to voiding one metric event now',
    canMiss: true,
    bodySchema: requests.voidPreviewBody,
    example: { eventId: EVENT_ID },
    changes: false,
    answers: ok('Nothing was written.', 'VoidEventResponse'),
    run: (api, { read: { reason, revoke, ...event } }) =>
      api.events.void(eventOf(event), { reason, revoke }, { dryRun: true }),
  }),
  route('POST /events/approve', 'events_approve', {
    summary: 'Approve a metric event that is held back',
    canMiss: true,
    bodySchema: requests.approveBody,
    example: { eventId: EVENT_ID },
    answers: ok('The event counts.', 'ApproveEventResponse'),
    run: (api, { read }) => api.events.approve(eventOf(read)),
  }),
  route('GET /events/held', 'events_held', {
    summary: 'List metric events that are held back',
    canMiss: true,
    querySchema: requests.heldQuery,
    answers: ok('The events in order of user, then of when they happened.', listOf('HeldEvent')),
    run: (api, { query: { userId: user, ...query } }) => api.events.held({ ...query, user }),
  }),
  route('POST /metrics/events', 'metrics_events', {
    tag: 'Metrics',
    summary: 'Submit up to 1,000 metric events',
    bodySchema: requests.eventBatchBody,
    example: [{ key: 'words-written', user: { id: '18' }, value: 750, idempotencyKey: 'chapter-3' }],
    // A thousand events, with attributes.
    bodyFactor: 16,
    answers: { 202: toAnswer('The events were recorded, except those with issues.', 'EventBatchResponse') },
    run: (api, { body, read }) =>
      api.admin.metrics.events(
        Object.values(body).map((item, index) => ({ ...item, occurredAt: read[index]?.occurredAt })),
      ),
  }),
]
