import type { DefinedGame, EventAttribute, KeysOf, MetricKey, UserAttribute } from '../../game/define-game.ts'
import { gameKey } from '../../runtime/input.ts'
import type {
  ApproveEventResponse,
  EventBatchResponse,
  EventSummaryItem,
  HeldEvent,
  MetricEventResponse,
  MetricResponse,
  VoidEventResponse,
  VoidEventsResponse,
} from '../../shapes/events.ts'
import type { UserEventsResponse } from '../../shapes/users.ts'
import { type Action, anyOf, listOf, ownUser, schemaOf } from '../endpoint.ts'
import {
  type Answer,
  arg,
  defineOperation,
  type Mode,
  type OperationsOf,
  type Options,
  optionalArg,
  type ReadOptions,
  type RecordOptions,
  userArg,
  type WriteOptions,
} from '../operation.ts'
import { assertedActions } from '../users/actions.ts'
import { type UserEventsRequest, userEventsRequest } from '../users/requests.ts'
import { listHeldEvents, readEvents } from './read-events.ts'
import { listUserMetrics, readUserMetric, summarizeEvents } from './read-metrics.ts'
import { recordEvent } from './record-event.ts'
import { recordEvents } from './record-events.ts'
import * as requests from './requests.ts'
import { approveEvent, voidAny } from './void-events.ts'

export interface MetricsApi<G extends DefinedGame, M extends Mode = 'later'> {
  /**
   * Adds `value` to the user's total. Returns everything that changed: achievements, points, streak and leaderboards.
   */
  event(
    metric: MetricKey<G>,
    request: requests.MetricEventRequest<UserAttribute<G>, EventAttribute<G>>,
    ...options: Options<M, RecordOptions>
  ): Answer<M, MetricEventResponse<KeysOf<G>>>
}

export interface EventsApi<G extends DefinedGame> {
  /**
   * Voids an event, named by its id or its idempotency key. The event stays in the log, and its key stays used. The
   * user's totals, points, level, streak and ranks become what they would be without it. Achievements stay unless
   * `revoke` is set; grants stay. Voiding a voided event changes nothing. Rejects with `unknown_event`, and with
   * `total_out_of_range` if a total would leave its bounds. With `dryRun` it returns the answer and writes nothing.
   */
  void(
    event: string | requests.EventByKey<MetricKey<G>>,
    request?: requests.VoidRequest,
    options?: RecordOptions,
  ): Promise<VoidEventResponse<KeysOf<G>>>
  /**
   * Voids all events that an API key wrote, or that a user recorded in a time range. The events of one user are
   * voided together, at most 100 users a call. If the answer has `hasMore`, or the call failed, call it again to
   * continue. Delete the key first, so that it writes no more.
   */
  void(events: requests.EventsOf, request?: requests.VoidRequest, options?: WriteOptions): Promise<VoidEventsResponse>
  /** The same for an argument that is one event or several. Several take no `dryRun`. */
  void(
    events: string | requests.EventByKey<MetricKey<G>> | requests.EventsOf,
    request?: requests.VoidRequest,
    options?: RecordOptions,
  ): Promise<VoidEventResponse<KeysOf<G>> | VoidEventsResponse>
  /**
   * Approves an event that a limit of its metric holds back. The event then counts at its own instant and local date,
   * as if it had not been held. Returns the same answer as `metrics.event`. Approving again changes nothing. Rejects
   * with `unknown_event`, and with `event_not_held` if the event was voided or was never held.
   */
  approve(
    event: string | requests.EventByKey<MetricKey<G>>,
    options?: WriteOptions,
  ): Promise<ApproveEventResponse<KeysOf<G>>>
  /**
   * Lists the events that limits hold back, by user and then by time. For the next page, set `after` to the last
   * event of this one.
   */
  held(request?: requests.HeldEventsRequest): Promise<readonly HeldEvent[]>
}

export interface UserMetricsApi<G extends DefinedGame, M extends Mode = 'later'> {
  /** Lists the user's totals of every active metric, with its achievements. */
  allMetrics(id: string, ...options: ReadOptions<M>): Promise<readonly MetricResponse<KeysOf<G>>[]>
  /** Returns the user's total of one metric. Rejects with `unknown_metric`, also for an archived metric. */
  singleMetric(id: string, metric: MetricKey<G>, ...options: ReadOptions<M>): Promise<MetricResponse<KeysOf<G>>>
  /**
   * Summarizes the user's events of one metric: one item for every day, week or month, zeros included. Both dates are
   * `YYYY-MM-DD` and at most 400 days apart.
   */
  metricEventSummary(
    id: string,
    metric: MetricKey<G>,
    request: requests.EventSummaryRequest,
    ...options: ReadOptions<M>
  ): Promise<readonly EventSummaryItem[]>
}

export interface UserLogApi {
  /**
   * Returns a page of the user's log, the newest entry first. Rejects with `unknown_user`.
   */
  events(id: string, request?: UserEventsRequest): Promise<UserEventsResponse>
}

export interface AdminMetricsApi<G extends DefinedGame> {
  /**
   * Records 1 to 1,000 events; events of one user are recorded in the order of the list. A malformed item rejects
   * the call with `invalid_request`, and nothing is stored. Events that the rules refuse are listed as issues. An
   * event with an idempotency key gets an id derived from that key, as in `import`.
   */
  events(
    events: readonly requests.EventBatchItem<MetricKey<G>, UserAttribute<G>, EventAttribute<G>>[],
  ): Promise<EventBatchResponse>
}

/** The events of the API, in its groups. */
export interface EventCalls<G extends DefinedGame> {
  readonly metrics: MetricsApi<G>
  readonly events: EventsApi<G>
  readonly users: UserMetricsApi<G> & UserLogApi
  readonly admin: { readonly metrics: AdminMetricsApi<G> }
}

const metric = arg('metric', gameKey, 'metric key')

function eventActions(metric: string, { value, attributes, occurredAt }: requests.ParsedEventBody): readonly Action[] {
  const names = [...(attributes?.keys() ?? [])]
  return [
    { type: 'event', metric, value },
    ...(occurredAt === undefined ? [] : [{ type: 'occurredAt' } as const]),
    ...names.map((attribute): Action => ({ type: 'eventAttribute', metric, attribute })),
  ]
}

export const eventOperations: OperationsOf<EventCalls<DefinedGame>> = {
  metrics: {
    event: defineOperation({
      kind: 'write',
      takes: [metric, arg('request', requests.eventRequest, 'metric event')],
      dryRun: true,
      endpoint: {
        at: 'POST /metrics/{key}/event',
        tag: 'Metrics',
        summary: 'Submit a metric event',
        bodySchema: requests.eventBody,
        example: { user: { id: '18', tz: 'Europe/London' }, value: 750 },
        check: ({ value }) => requests.checkValue(value),
        // An instant is a text over HTTP, and a date in the process.
        toArguments: ({ params, body, read: { occurredAt } }) => [params.key, { ...body, occurredAt }],
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
  events: {
    void: defineOperation({
      kind: 'write',
      takes: [arg('event', requests.voidedEvents), optionalArg('request', requests.voidRequest, 'options')],
      dryRun: true,
      endpoint: {
        at: 'POST /events/void',
        tag: 'Events',
        api: 'admin',
        summary: 'Void a metric event, or all events of an API key or of a user in a time',
        canMiss: true,
        bodySchema: requests.voidBody,
        example: { eventId: requests.EVENT_ID, reason: 'Entered twice' },
        toArguments: ({ read: { by, between, reason, revoke, ...event } }) => [
          by !== undefined
            ? { by }
            : between !== undefined
              ? { user: event.userId, between }
              : requests.toSubject(event),
          { reason, revoke },
        ],
        answers: {
          200: [
            'The event no longer counts, or the events no longer count.',
            anyOf(schemaOf('VoidEventResponse'), schemaOf('VoidEventsResponse')),
          ],
        },
      },
      run: voidAny,
    }),
    approve: defineOperation({
      kind: 'write',
      takes: [arg('event', requests.eventSubject)],
      endpoint: {
        at: 'POST /events/approve',
        tag: 'Events',
        api: 'admin',
        summary: 'Approve a metric event that is held back',
        canMiss: true,
        bodySchema: requests.approveBody,
        example: { eventId: requests.EVENT_ID },
        toArguments: ({ read }) => [requests.toSubject(read)],
        answers: { 200: ['The event counts.', 'ApproveEventResponse'] },
      },
      run: approveEvent,
    }),
    held: defineOperation({
      kind: 'read',
      takes: [optionalArg('request', requests.heldRequest)],
      endpoint: {
        at: 'GET /events/held',
        tag: 'Events',
        api: 'admin',
        summary: 'List metric events that are held back',
        canMiss: true,
        querySchema: requests.heldQuery,
        toArguments: ({ query: { userId: user, ...query } }) => [{ ...query, user }],
        answers: { 200: ['The events in order of user, then of when they happened.', listOf('HeldEvent')] },
      },
      run: listHeldEvents,
    }),
  },
  users: {
    allMetrics: defineOperation({
      kind: 'read',
      takes: [userArg],
      endpoint: {
        at: 'GET /users/{id}/metrics',
        tag: 'Users',
        summary: "List all active metrics with the user's progress",
        applicationKeys: ownUser,
        answers: { 200: ['The active metrics.', listOf('MetricResponse')] },
      },
      run: listUserMetrics,
    }),
    singleMetric: defineOperation({
      kind: 'read',
      takes: [userArg, metric],
      endpoint: {
        at: 'GET /users/{id}/metrics/{key}',
        tag: 'Users',
        summary: "Get one active metric with the user's progress",
        applicationKeys: ownUser,
        answers: { 200: ['The metric.', 'MetricResponse'] },
      },
      run: readUserMetric,
    }),
    metricEventSummary: defineOperation({
      kind: 'read',
      takes: [userArg, metric, arg('request', requests.eventSummaryRequest, 'summary request')],
      endpoint: {
        at: 'GET /users/{id}/metrics/{key}/event-summary',
        tag: 'Users',
        summary: "Summarize a user's metric events over time",
        applicationKeys: ownUser,
        answers: { 200: ['One item for every period.', listOf('EventSummaryItem')] },
      },
      run: summarizeEvents,
    }),
    events: defineOperation({
      kind: 'read',
      takes: [userArg, optionalArg('request', userEventsRequest)],
      endpoint: {
        at: 'GET /users/{id}/events',
        tag: 'Users',
        api: 'admin',
        summary: "Read a user's log, the newest entry first",
        tool: { name: 'user_log' },
        answers: { 200: ['A page of the log.', 'UserEventsResponse'] },
      },
      run: readEvents,
    }),
  },
  admin: {
    metrics: {
      events: defineOperation({
        kind: 'change',
        takes: [arg('events', requests.eventBatch)],
        endpoint: {
          at: 'POST /metrics/events',
          tag: 'Metrics',
          summary: 'Submit up to 1,000 metric events',
          bodySchema: requests.eventBatchBody,
          example: [{ key: 'words-written', user: { id: '18' }, value: 750, idempotencyKey: 'chapter-3' }],
          // A thousand events, with attributes.
          bodyFactor: 16,
          toArguments: ({ body, read }) => [
            Object.values(body).map((item, index) => ({ ...item, occurredAt: read[index]?.occurredAt })),
          ],
          answers: { 202: ['The events were recorded, except those with issues.', 'EventBatchResponse'] },
        },
        run: recordEvents,
      }),
    },
  },
}
