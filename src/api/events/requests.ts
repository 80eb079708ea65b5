import { z } from 'zod'
import { GamificationError } from '../../errors.ts'
import type { FilterDefinition, NoEventAttributes } from '../../game/definition-parts.ts'
import type { Day } from '../../rules/calendar.ts'
import { refuseValue } from '../../rules/refuse.ts'
import {
  attributes,
  date,
  gameKey,
  instant,
  keyId,
  listUpTo,
  optional,
  type Parsed,
  type PrivateRequest,
  reasonText,
  text,
  upTo,
  userId,
} from '../../runtime/input.ts'
import type { Takes } from '../takes.ts'
import { type ParsedUpsert, type UserUpsert, userUpsert } from '../users/requests.ts'

/** A metric event: an action of a user, and its amount. */
export interface MetricEventRequest<UserAttribute extends string = string, EventAttribute extends string = string>
  extends PrivateRequest {
  /** The user that triggered it; created or updated in the same transaction. */
  readonly user: UserUpsert<UserAttribute>
  /** Added to the user's total: finite, at most 1e15 in magnitude, may be negative or 0. */
  readonly value: number
  /** A value for each of the game's event attributes that the event has. */
  readonly attributes?: FilterDefinition<EventAttribute, NoEventAttributes>
  /** 1 to 255 visible ASCII characters; a second event of the user and metric with the same one is a replay. */
  readonly idempotencyKey?: string
  /** When it happened: from 1970 to five minutes after the clock. Default: now. */
  readonly occurredAt?: Date
  /**
   * `'all'`: `progressed` in the answer lists all achievements that the event moved. Default: the three nearest to
   * completion, and achievements that reached an announced share.
   */
  readonly progress?: 'all'
}

type OptionOfAnswer = 'includePrivate' | 'progress'

/** The request of `metrics.event`, with the metric's key. */
export interface EventBatchItem<
  Metric extends string = string,
  UserAttribute extends string = string,
  EventAttribute extends string = string,
> extends Omit<MetricEventRequest<UserAttribute, EventAttribute>, OptionOfAnswer> {
  /** Key of the metric. */
  readonly key: Metric
}

/** A completion that `import` takes: of an achievement with the trigger `api`. */
export interface ImportCompletion<Achievement extends string = string, UserAttribute extends string = string> {
  readonly achievement: Achievement
  /** The user who completed it; created or updated in the same transaction. */
  readonly user: UserUpsert<UserAttribute>
  /** When the user completed it. An achievement that repeats is completed once for each instant. */
  readonly occurredAt: Date
  /** Distinguishes completions that have the same user, achievement and instant. */
  readonly idempotencyKey?: string
}

/** The request of `metrics.event`, with the metric's key. */
export interface ImportItem<
  Metric extends string = string,
  UserAttribute extends string = string,
  EventAttribute extends string = string,
> extends Omit<MetricEventRequest<UserAttribute, EventAttribute>, OptionOfAnswer> {
  readonly metric: Metric
}

/** An event by the idempotency key that was sent with it. */
export interface EventByKey<Metric extends string = string> {
  /** The user, by id or as the event has it: `'18'` or `{ id: '18' }`. */
  readonly user: UserReference
  readonly metric: Metric
  readonly idempotencyKey: string
}

/** A user by id, `'18'`, or as `metrics.event` takes one, `{ id: '18' }`. Only the id matters. */
export type UserReference = string | UserUpsert

/** All events that one API key wrote. */
export interface EventsByKey {
  /** Id of the key. It may be deleted by now. */
  readonly by: string
}

/** All events of a user in a range of time. */
export interface EventsBetween {
  /** The user, by id or as the event has it: `'18'` or `{ id: '18' }`. */
  readonly user: UserReference
  /** The instants of the events themselves (`occurredAt`, if one was given): `from` included, `to` not. */
  readonly between: { readonly from: Date; readonly to: Date }
}

/** The events that one call voids. */
export type EventsOf = EventsByKey | EventsBetween

export interface VoidRequest {
  /** At most 1,024 characters; kept in the log. */
  readonly reason?: string
  /**
   * If true, achievements that the user would not have reached without the event are revoked, with the points they
   * paid. Default: false.
   */
  readonly revoke?: boolean
}

export interface EventSummaryRequest {
  /** The length of a period: `daily`, `weekly` or `monthly`. */
  readonly aggregation: 'daily' | 'weekly' | 'monthly'
  /** The first date, `YYYY-MM-DD`: before `endDate`. */
  readonly startDate: string
  /** The last date, `YYYY-MM-DD`: at most 400 days after `startDate`. */
  readonly endDate: string
}

export interface HeldEventsRequest {
  /** Id of a user, to list only this user's events. */
  readonly user?: string
  /** Id of an event. The page starts after it. */
  readonly after?: string
  /** The number of events on a page, 1 to 100. Default 100. */
  readonly limit?: number
}

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/

const eventFields = {
  user: userUpsert,
  value: z.number(),
  attributes: optional(attributes),
  idempotencyKey: z.unknown().optional(),
  occurredAt: z.date().optional(),
}

const event = z.strictObject(eventFields)

/** An event that was read, but for its idempotency key. */
export interface ParsedEvent {
  readonly user: ParsedUpsert
  readonly value: number
  readonly attributes?: ReadonlyMap<string, string> | undefined
  readonly idempotencyKey?: unknown
  readonly occurredAt?: Date | undefined
}

const progress = z.enum(['all']).optional()

export interface ParsedEventRequest extends ParsedEvent {
  readonly includePrivate: boolean
  readonly progress?: 'all' | undefined
}

const eventWithOptions = event.extend({ includePrivate: z.boolean().default(true), progress })
true satisfies Takes<typeof eventWithOptions, MetricEventRequest>
export const eventRequest: z.ZodType<ParsedEventRequest> = eventWithOptions

const visibleKey = z
  .string()
  .meta({ maxLength: 255 })
  .regex(VISIBLE_ASCII, 'must have 1 to 255 visible ASCII characters (no spaces)')
  .optional()

/** An idempotency key in the body of a request that takes one in a header, too. */
export const keyInBody: z.ZodType<string | undefined> = visibleKey.meta({
  description: 'In place of the header `Idempotency-Key`.',
})

export interface ParsedEventBody extends Omit<ParsedEvent, 'idempotencyKey'> {
  readonly idempotencyKey?: string | undefined
}

/** An event over HTTP. Instants are texts there. */
export const eventBody: z.ZodType<ParsedEventBody> = event.extend({
  idempotencyKey: keyInBody,
  occurredAt: instant.optional().meta({ description: 'When it happened; admin keys only. Default: now.' }),
  progress: progress.meta({
    description: '`progressed` lists all achievements that the event moved, not only the nearest.',
  }),
})

const importedEvent = z.strictObject({
  metric: gameKey,
  // Only completions have it. It is here so that messages suggest it.
  achievement: z.undefined({ error: 'must not be there beside metric' }).optional(),
  ...eventFields,
})
true satisfies Takes<typeof importedEvent, ImportItem & { readonly achievement?: undefined }>
export const importItem: z.ZodType<ParsedEvent & { readonly metric: string }> = importedEvent

const completion = z.strictObject({
  achievement: gameKey,
  user: userUpsert,
  occurredAt: z.date(),
  idempotencyKey: eventFields.idempotencyKey,
})
true satisfies Takes<typeof completion, ImportCompletion>
export const importedCompletion: z.ZodType<
  Omit<ParsedEvent, 'value'> & Pick<ImportCompletion, 'achievement' | 'occurredAt'>
> = completion

export type ParsedBatchItem = ParsedEvent & { readonly key: string }

const MOST_IN_BATCH = 1_000

const batchItem = z.strictObject({ key: gameKey, ...eventFields, idempotencyKey: visibleKey })
true satisfies Takes<typeof batchItem, EventBatchItem>
export const eventBatch: z.ZodType<readonly ParsedBatchItem[]> = listUpTo(batchItem, MOST_IN_BATCH)

/** Over HTTP instants are texts. */
export const eventBatchBody: z.ZodType<readonly ParsedBatchItem[]> = listUpTo(
  batchItem.extend({ occurredAt: instant.optional() }),
  MOST_IN_BATCH,
)

/** Throws `value_out_of_range`. */
export function checkValue(value: number): void {
  const refusal = refuseValue(value)
  if (refusal !== null) throw new GamificationError(refusal.code, refusal.message)
}

/** Throws `invalid_idempotency_key`. Returns `null` if it is absent. */
export function readIdempotencyKey(key: unknown): string | null {
  if (key === undefined) return null
  if (typeof key === 'string' && VISIBLE_ASCII.test(key)) return key
  const message = 'The idempotency key must have 1 to 255 visible ASCII characters (no spaces).'
  throw new GamificationError('invalid_idempotency_key', message)
}

const MOST_DAYS = 400

export type EventSummary = Parsed<EventSummaryRequest, never, { readonly startDate: Day; readonly endDate: Day }>

const summary = z
  .strictObject({
    aggregation: z.enum(['daily', 'weekly', 'monthly']).meta({ example: 'daily' }),
    startDate: date.meta({ example: '2026-01-01' }),
    endDate: date.meta({ example: '2026-01-31' }),
  })
  .refine(({ startDate, endDate }) => startDate < endDate, { path: ['startDate'], message: 'must be before endDate' })
  .refine(({ startDate, endDate }) => endDate - startDate <= MOST_DAYS, {
    path: ['endDate'],
    message: `must be at most ${MOST_DAYS} days after startDate`,
  })
true satisfies Takes<typeof summary, EventSummaryRequest>
export const eventSummaryRequest: z.ZodType<EventSummary> = summary

const MOST_EVENTS = 100
const heldFields = {
  after: optional(text(255)),
  limit: upTo(MOST_EVENTS, MOST_EVENTS),
}

export type ParsedHeldRequest = Parsed<HeldEventsRequest, 'limit'>

const held = z.strictObject({ user: optional(userId), ...heldFields })
true satisfies Takes<typeof held, HeldEventsRequest>
export const heldRequest: z.ZodType<ParsedHeldRequest> = held

/** Over HTTP. */
export const heldQuery: z.ZodType = z.strictObject({
  userId: optional(userId).meta({ description: 'Id of a user: only events of that user.' }),
  ...heldFields,
})

const voidFields = { reason: optional(reasonText), revoke: optional(z.boolean()) }

const why = z.strictObject(voidFields)
true satisfies Takes<typeof why, VoidRequest>
export const voidRequest: z.ZodType<Parsed<VoidRequest>> = why

/** `readIdempotencyKey` throws `invalid_idempotency_key`. */
const eventByKey = { metric: gameKey, idempotencyKey: z.string().meta({ minLength: 1, maxLength: 255 }) }

const isInOrder = ({ from, to }: { readonly from: Date; readonly to: Date }): boolean => from < to
const IN_ORDER = 'must have `from` before `to`'

const interval = z.strictObject({ from: z.date(), to: z.date() }).refine(isInOrder, IN_ORDER)

const userReference = z.union([userId, userUpsert.transform(({ id }) => id)], {
  error: 'must be the id of a user as text, or { id }',
})

const byKey = z.strictObject({ user: userReference, ...eventByKey })
true satisfies Takes<typeof byKey, EventByKey>
const allOfKey = z.strictObject({ by: keyId })
true satisfies Takes<typeof allOfKey, EventsByKey>
const allBetween = z.strictObject({ user: userReference, between: interval })
true satisfies Takes<typeof allBetween, EventsBetween>

const ONE_EVENT = [text(255), byKey] as const

type OfOneUser<Request> = Omit<Request, 'user'> & { readonly user: string }
export type ParsedEventByKey = OfOneUser<EventByKey>
export type ParsedEventsOf = EventsByKey | OfOneUser<EventsBetween>

export const eventSubject: z.ZodType<string | ParsedEventByKey> = z.union(ONE_EVENT, {
  error: 'must be the id of an event, or { user, metric, idempotencyKey }',
})

/**
 * The argument of `events.void`. It must match exactly one of these, because the library must not guess which events to
 * void.
 */
export const voidedEvents: z.ZodType<string | ParsedEventByKey | ParsedEventsOf> = z.union(
  [...ONE_EVENT, allOfKey, allBetween],
  {
    error:
      'must be the id of an event, { user, metric, idempotencyKey }, { by } with the id of an API key, or ' +
      '{ user, between: { from, to } } with two Dates',
  },
)

const subjectFields = {
  eventId: optional(text(255)),
  userId: optional(userId),
  metric: optional(eventByKey.metric),
  idempotencyKey: optional(eventByKey.idempotencyKey),
}

/** Exactly one of these sets of properties is there. The OpenAPI document has them as `oneOf`. */
const ONE = [['eventId'], ['userId', 'metric', 'idempotencyKey']]
const FORMS = [...ONE, ['by'], ['userId', 'between']]

/** Checks that the given properties, except reasons, are one of these forms. */
function checkForm(forms: readonly string[][], message: string): (context: z.core.ParsePayload<object>) => void {
  return (context) => {
    const given = Object.entries(context.value).flatMap(([name, value]) => {
      return value === undefined || Object.hasOwn(voidFields, name) ? [] : [name]
    })
    if (forms.some((form) => form.length === given.length && form.every((name) => given.includes(name)))) return
    context.issues.push({ code: 'custom', message, input: context.value })
  }
}

const A_SUBJECT = 'must have either eventId, or userId, metric and idempotencyKey'

/** The name of an event in a body: `eventId`, or the three other properties. */
export type EventBody = { readonly [Name in 'eventId' | 'userId' | 'metric' | 'idempotencyKey']?: string | undefined }

/** The argument of a call for the event that a body names. */
export function toSubject({ eventId, userId: user, metric, idempotencyKey }: EventBody): unknown {
  return eventId ?? { user, metric, idempotencyKey }
}

/** In examples of requests. */
export const EVENT_ID = '0198c1d2-6b3e-7c4f-8a5b-9d0e1f2a3b4c'

type VoidPreviewBody = Parsed<VoidRequest> & EventBody

/** One event, or with `by` all events of an API key, or with `userId` and `between` all events of a user in a time. */
type VoidBody = VoidPreviewBody & {
  readonly [Name in 'by' | 'between']?: (EventsByKey & EventsBetween)[Name] | undefined
}

export const voidBody: z.ZodType<VoidBody> = z
  .strictObject({
    ...subjectFields,
    by: optional(keyId),
    between: optional(z.strictObject({ from: instant, to: instant }).refine(isInOrder, IN_ORDER)),
    ...voidFields,
  })
  .check(checkForm(FORMS, `${A_SUBJECT}, or by, or userId and between`))
  .meta({ forms: FORMS })

/** A preview is of one event. */
export const voidPreviewBody: z.ZodType<VoidPreviewBody> = z
  .strictObject({ ...subjectFields, ...voidFields })
  .check(checkForm(ONE, A_SUBJECT))
  .meta({ forms: ONE })

export const approveBody: z.ZodType<EventBody> = z
  .strictObject(subjectFields)
  .check(checkForm(ONE, A_SUBJECT))
  .meta({ forms: ONE })
