import { checkValue, eventBody, type ParsedEventBody } from '../../requests/metric-event.ts'
import { asRead } from '../../requests/read-event.ts'
import type { MetricEventRequest } from '../../requests/types/metric-event.ts'
import { assertedDeeds, eventDeeds } from '../deeds.ts'
import { schemaOf } from '../json-schema.ts'
import { metric, param, seesPrivate } from '../parameters.ts'
import { type Route, type RouteResult, route } from '../route.ts'

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
