import * as requests from '../../api/events/requests.ts'
import { REQUEST_TEXTS } from '../request-texts.ts'
import { ok, type Route, routesOf } from '../route.ts'

/** A second route of `events.void`: over HTTP a dry run is a route, so that read-only callers may ask. */
export const previewVoidRoute: Route = routesOf('Events')('POST /events/void/preview', 'events_previewVoid', {
  summary: 'Preview the answer to voiding one metric event now',
  canMiss: true,
  bodySchema: requests.voidPreviewBody,
  texts: REQUEST_TEXTS['events.void'] ?? {},
  example: { eventId: requests.EVENT_ID },
  changes: false,
  answers: ok('Nothing was written.', 'VoidEventResponse'),
  run: (api, { read: { reason, revoke, ...event } }) =>
    api.events.void(requests.toSubject(event), { reason, revoke }, { dryRun: true }),
})
