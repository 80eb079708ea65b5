import { z } from 'zod'
import type { Day } from '../rules/calendar.ts'
import { date, text } from './input.ts'
import { metricKey, readIdempotencyKey } from './metric-event.ts'

/** A subject that was read. */
export type Subject =
  | { readonly kind: 'achievement'; readonly achievement: string }
  | { readonly kind: 'event'; readonly event: EventReference }
  | { readonly kind: 'streak'; readonly date: Day }

export type EventReference = string | { readonly metric: string; readonly idempotencyKey: string }

const achievement = z
  .strictObject({ achievement: text(255) })
  .transform((subject): Subject => ({ kind: 'achievement', ...subject }))
const event = z
  .strictObject({ event: z.union([text(255), z.strictObject({ metric: metricKey, idempotencyKey: z.string() })]) })
  .transform(({ event }): Subject => ({ kind: 'event', event }))
const streak = z
  .strictObject({ streak: date })
  .transform((subject): Subject => ({ kind: 'streak', date: subject.streak }))

const MISTAKE =
  'must be { achievement }, { event } with an id or { metric, idempotencyKey }, or { streak } with a YYYY-MM-DD'

export const explainRequest: z.ZodType<Subject> = z.union([achievement, event, streak], { error: MISTAKE })

/** Throws `invalid_idempotency_key` for a key that no event can have. */
export function checkEventReference(event: EventReference): void {
  if (typeof event !== 'string') readIdempotencyKey(event.idempotencyKey)
}
