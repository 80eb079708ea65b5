import { z } from 'zod'
import { instant, optional, type Parsed, text, userId } from '../input.ts'
import { keyId } from '../keys/requests.ts'
import { metricKey } from './requests.ts'
import type { EventByKey, EventsOf, VoidRequest } from './void-request-types.ts'

const MOST_IN_REASON = 1_024

const voidFields = { reason: optional(text(MOST_IN_REASON)), revoke: optional(z.boolean()) }

export const voidRequest: z.ZodType<Parsed<VoidRequest>> = z.object(voidFields)

/** `invalid_idempotency_key` is said by `readIdempotencyKey`. */
const eventByKey = { metric: metricKey, idempotencyKey: z.string().meta({ minLength: 1, maxLength: 255 }) }

const isInOrder = ({ from, to }: { readonly from: Date; readonly to: Date }): boolean => from < to
const IN_ORDER = 'must have `from` before `to`'

const interval = z.strictObject({ from: z.date(), to: z.date() }).refine(isInOrder, IN_ORDER)

/** How a call names an event that is in the log. */
export const eventSubject: z.ZodType<string | EventByKey> = z.union(
  [text(255), z.object({ user: userId, ...eventByKey })],
  { error: 'must be the id of an event, or { user, metric, idempotencyKey }' },
)

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

/** How a body names an event: `eventId`, or the three that name it by its idempotency key. */
export interface EventBody {
  readonly eventId?: string | null | undefined
  readonly userId?: string | null | undefined
  readonly metric?: string | null | undefined
  readonly idempotencyKey?: string | null | undefined
}

/**
 * What `POST /events/void` takes: what names one event, `by` for all that an API key wrote, or `userId` and `between` for all
 * of a user in a time.
 */
export interface VoidBody extends VoidRequest, EventBody {
  readonly by?: string | null
  /** ISO 8601 with a zone. */
  readonly between?: { readonly from: string; readonly to: string } | null
}

const ONE: readonly (readonly (keyof VoidBody)[])[] = [['eventId'], ['userId', 'metric', 'idempotencyKey']]
const FORMS: typeof ONE = [...ONE, ['by'], ['userId', 'between']]

const subjectFields = {
  eventId: optional(text(255)),
  userId: optional(userId),
  metric: optional(eventByKey.metric),
  idempotencyKey: optional(eventByKey.idempotencyKey),
}

/** Whether what is given, but for reasons, is one of these forms. */
function checkForm(forms: typeof ONE, message: string): (context: z.core.ParsePayload<object>) => void {
  return (context) => {
    const given = Object.entries(context.value).flatMap(([name, value]) => {
      return value === undefined || Object.hasOwn(voidFields, name) ? [] : [name]
    })
    if (forms.some((form) => form.length === given.length && form.every((name) => given.includes(name)))) return
    context.issues.push({ code: 'custom', message, input: context.value })
  }
}

const A_SUBJECT = 'must have either eventId, or userId, metric and idempotencyKey'

export const voidBody: z.ZodType = z
  .object({
    ...subjectFields,
    by: optional(keyId),
    between: optional(z.object({ from: instant, to: instant }).refine(isInOrder, IN_ORDER)),
    ...voidFields,
  })
  .check(checkForm(FORMS, `${A_SUBJECT}, or by, or userId and between`))
/** One event alone: what would become of many is not told. */
export type VoidPreviewBody = VoidRequest & EventBody

export const voidPreviewBody: z.ZodType = z.object({ ...subjectFields, ...voidFields }).check(checkForm(ONE, A_SUBJECT))
export const approveBody: z.ZodType = z.object(subjectFields).check(checkForm(ONE, A_SUBJECT))
