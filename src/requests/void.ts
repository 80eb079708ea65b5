import { z } from 'zod'
import { optional, text, userId } from './input.ts'
import { metricKey } from './metric-event.ts'
import type { EventByKey, VoidRequest } from './types/void.ts'

interface ParsedVoid {
  readonly reason?: string | undefined
  readonly revoke?: boolean | undefined
}

const MOST_IN_REASON = 1_024

const voidFields = { reason: optional(text(MOST_IN_REASON)), revoke: optional(z.boolean()) }

export const voidRequest: z.ZodType<ParsedVoid> = z.object(voidFields)

/** `invalid_idempotency_key` is said by `readIdempotencyKey`. */
const eventByKey = { metric: metricKey, idempotencyKey: z.string().meta({ minLength: 1, maxLength: 255 }) }

/** How a call names an event that is in the log. */
export const eventSubject: z.ZodType<string | EventByKey> = z.union(
  [text(255), z.object({ user: userId, ...eventByKey })],
  {
    error: 'must be the id of an event, or { user, metric, idempotencyKey }',
  },
)

/** How a body names an event: `eventId`, or the three that name it by its key. */
export interface EventBody {
  readonly eventId?: string | null | undefined
  readonly userId?: string | null | undefined
  readonly metric?: string | null | undefined
  readonly idempotencyKey?: string | null | undefined
}

/** What `POST /events/void` takes. */
export interface VoidBody extends VoidRequest, EventBody {}

const subjectFields = {
  eventId: optional(text(255)),
  userId: optional(userId),
  metric: optional(eventByKey.metric),
  idempotencyKey: optional(eventByKey.idempotencyKey),
}

function checkSubject(context: z.core.ParsePayload<EventBody>): void {
  const { eventId, userId: user, metric, idempotencyKey } = context.value
  const given = [user, metric, idempotencyKey].filter((field) => field !== undefined).length
  if (given === (eventId === undefined ? 3 : 0)) return
  const message = 'must have either eventId, or userId, metric and idempotencyKey'
  context.issues.push({ code: 'custom', message, input: context.value })
}

export const voidBody: z.ZodType = z.object({ ...subjectFields, ...voidFields }).check(checkSubject)
export const approveBody: z.ZodType = z.object(subjectFields).check(checkSubject)
