import { anyOf, schemaOf } from '../../api/endpoint.ts'
import * as requests from '../../api/events/requests.ts'
import { ok, type Route, routesOf } from '../route.ts'

const route = routesOf('Events')

/** Two routes of one call, `events.void`, whose argument is an event or several. */
export const voidRoutes: readonly Route[] = [
  route('POST /events/void', 'events_void', {
    summary: 'Void a metric event, or all events of an API key or of a user in a time',
    canMiss: true,
    bodySchema: requests.voidBody,
    example: { eventId: requests.EVENT_ID, reason: 'Entered twice' },
    answers: ok(
      'The event no longer counts, or the events no longer count.',
      anyOf(schemaOf('VoidEventResponse'), schemaOf('VoidEventsResponse')),
    ),
    run: (api, { read: { by, between, reason, revoke, ...event } }) => {
      if (by !== undefined) return api.events.void({ by }, { reason, revoke })
      const which = between === undefined ? requests.toSubject(event) : { user: event.userId, between }
      return api.events.void(which, { reason, revoke })
    },
  }),
  route('POST /events/void/preview', 'events_previewVoid', {
    summary: 'Preview the answer to voiding one metric event now',
    canMiss: true,
    bodySchema: requests.voidPreviewBody,
    example: { eventId: requests.EVENT_ID },
    changes: false,
    answers: ok('Nothing was written.', 'VoidEventResponse'),
    run: (api, { read: { reason, revoke, ...event } }) =>
      api.events.void(requests.toSubject(event), { reason, revoke }, { dryRun: true }),
  }),
]
