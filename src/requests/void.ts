import { z } from 'zod'
import { instant, optional, text, userId } from './input.ts'
import { keyId } from './keys.ts'
import { metricKey } from './metric-event.ts'
import type { EventByKey, EventsOf, VoidRequest } from './types/void.ts'

interface ParsedVoid {
  readonly reason?: string | undefined
  readonly revoke?: boolean | undefined
}

const MOST_IN_REASON = 1_024

const voidFields = { reason: optional(text(MOST_IN_REASON)), revoke: optional(z.boolean()) }

export const voidRequest: z.ZodType<ParsedVoid> = z.object(voidFields)

/** `invalid_idempotency_key` is said by `readIdempotencyKey`. */
const eventByKey = { metric: metricKey, idempotencyKey: z.string().meta({ minLength: 1, maxLength: 255 }) }

const isInOrder = ({ from, to }: { readonly from: Date; readonly to: Date }): boolean => from < to
const IN_ORDER = 'must have `from` before `to`'

const interval = z.strictObject({ from: z.date(), to: z.date() }).refine(isInOrder, IN_ORDER)

/** What `events.void` takes: exactly one of these, for what is undone must not be guessed. */
export const voidedEvents: z.ZodType<string | EventByKey | EventsOf> = z.union(
  [
    text(255),
    z.strictObject({ user: userId, ...eventByKey }),
    z.strictObject({ by: keyId }),
    z.strictObject({ user: userId, between: interval }),
  ],
  {
    error:
      'must be the id of an event, { user, metric, idempotencyKey }, { by } with the id of an API key, or ' +
      '{ user, between: { from, to } } with two Dates',
  },
)

/**
 * What `POST /events/void` takes: `eventId`, the three that name an event by its idempotency key, `by` for all that an API
 * key wrote, or `userId` and `between` for all of a user in a time.
 */
export interface VoidBody extends VoidRequest {
  readonly eventId?: string | null
  readonly userId?: string | null
  readonly metric?: string | null
  readonly idempotencyKey?: string | null
  readonly by?: string | null
  /** ISO 8601 with a zone. */
  readonly between?: { readonly from: string; readonly to: string } | null
}

const FORMS: readonly (readonly (keyof VoidBody)[])[] = [
  ['eventId'],
  ['userId', 'metric', 'idempotencyKey'],
  ['by'],
  ['userId', 'between'],
]

export const voidBody: z.ZodType = z
  .object({
    eventId: optional(text(255)),
    userId: optional(userId),
    metric: optional(eventByKey.metric),
    idempotencyKey: optional(eventByKey.idempotencyKey),
    by: optional(keyId),
    between: optional(z.object({ from: instant, to: instant }).refine(isInOrder, IN_ORDER)),
    ...voidFields,
  })
  .check((context) => {
    const { reason, revoke, ...named } = context.value
    const given = Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [name]))
    if (FORMS.some((form) => form.length === given.length && form.every((name) => given.includes(name)))) return
    const message = 'must have either eventId, or userId, metric and idempotencyKey, or by, or userId and between'
    context.issues.push({ code: 'custom', message, input: context.value })
  })
