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

export const voidedEvent: z.ZodType<string | EventByKey> = z.union(
  [text(255), z.object({ user: userId, ...eventByKey })],
  {
    error: 'must be the id of an event, or { user, metric, idempotencyKey }',
  },
)

/** What `POST /events/void` takes: `eventId`, or the three that name an event by its key. */
export interface VoidBody extends VoidRequest {
  readonly eventId?: string | null
  readonly userId?: string | null
  readonly metric?: string | null
  readonly idempotencyKey?: string | null
}

export const voidBody: z.ZodType = z
  .object({
    eventId: optional(text(255)),
    userId: optional(userId),
    metric: optional(eventByKey.metric),
    idempotencyKey: optional(eventByKey.idempotencyKey),
    ...voidFields,
  })
  .check((context) => {
    const { eventId, userId: user, metric, idempotencyKey } = context.value
    const given = [user, metric, idempotencyKey].filter((field) => field !== undefined).length
    if (given === (eventId === undefined ? 3 : 0)) return
    const message = 'must have either eventId, or userId, metric and idempotencyKey'
    context.issues.push({ code: 'custom', message, input: context.value })
  })
