import type { DefinedGame, EventAttribute, KeysOf, MetricKey, UserAttribute } from '../../game/define-game.ts'
import { gameKey } from '../../runtime/input.ts'
import type { MetricEventResponse } from '../../shapes/events.ts'
import { assertedActions, eventActions } from '../actions.ts'
import {
  type Answer,
  arg,
  defineOperation,
  type Mode,
  type OperationsOf,
  type Options,
  type RecordOptions,
} from '../operation.ts'
import { recordEvent } from './record-event.ts'
import { checkValue, eventBody, eventRequest, type MetricEventRequest } from './requests.ts'

export interface MetricsApi<G extends DefinedGame, M extends Mode = 'later'> {
  /**
   * Adds `value` to the user's total. Returns everything that changed: achievements, points, streak and leaderboards.
   */
  event(
    metric: MetricKey<G>,
    request: MetricEventRequest<UserAttribute<G>, EventAttribute<G>>,
    ...options: Options<M, RecordOptions>
  ): Answer<M, MetricEventResponse<KeysOf<G>>>
}

/** The events of the API, in its groups. */
export interface EventCalls<G extends DefinedGame, M extends Mode = 'later'> {
  readonly metrics: MetricsApi<G, M>
}

export const eventOperations: OperationsOf<EventCalls<DefinedGame>> = {
  metrics: {
    event: defineOperation({
      kind: 'write',
      takes: [arg('metric', gameKey, 'metric key'), arg('request', eventRequest, 'metric event')],
      dryRun: true,
      endpoint: {
        at: 'POST /metrics/{key}/event',
        tag: 'Metrics',
        summary: 'Submit a metric event',
        bodySchema: eventBody,
        example: { user: { id: '18', tz: 'Europe/London' }, value: 750 },
        check: ({ value }) => checkValue(value),
        // An instant is a text over HTTP, and a date in the process.
        argument: ({ body, read: { occurredAt } }) => ({ ...body, occurredAt }),
        takesIdempotencyKey: true,
        hidesPrivate: true,
        applicationKeys: {
          may: 'its own user, as `user.id`',
          users: ({ read }) => [read.user.id],
          actions: ({ params, read }) => [...eventActions(params.key, read), ...assertedActions(read.user)],
        },
        answers: {
          201: ['The event was recorded.', 'MetricEventResponse'],
          202: [
            'The user had used the idempotency key for this metric before: nothing was recorded.',
            'MetricEventResponse',
          ],
        },
        // The metric is part of the event.
        canMiss: false,
        statuses: { unknown_metric: 422 },
        status: ({ idempotentReplayed }) => (idempotentReplayed === true ? 202 : 201),
      },
      run: recordEvent,
    }),
  },
}
