import { z } from 'zod'
import { GamificationError } from '../../errors.ts'
import { refuseValue } from '../../rules/refuse.ts'
import { achievementKey } from '../achievements/requests.ts'
import { attributes, instant, optional, text } from '../input.ts'
import { type ParsedUpsert, userUpsert } from '../users/user-requests.ts'

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/

/** An event that was read but for its key and instant. */
export interface ParsedEvent {
  readonly user: ParsedUpsert
  readonly value: number
  readonly attributes?: ReadonlyMap<string, string> | undefined
  readonly idempotencyKey?: unknown
  readonly occurredAt?: Date | undefined
}

export const metricKey: z.ZodString = text(255)

const eventFields = {
  user: userUpsert,
  value: z.number(),
  attributes: optional(attributes),
  idempotencyKey: z.unknown().optional(),
  occurredAt: z.date({ error: 'must be a valid Date' }).optional(),
}

export const eventRequest: z.ZodType<ParsedEvent & { readonly includePrivate: boolean }> = z.object({
  ...eventFields,
  includePrivate: z.boolean().default(true),
})

export type ParsedEventBody = Pick<ParsedEvent, 'user' | 'value' | 'attributes'>

/** What an event is over HTTP: its key comes in a header, and it happens when it arrives. */
export const eventBody: z.ZodType<ParsedEventBody> = z.object({
  user: eventFields.user,
  value: eventFields.value,
  attributes: eventFields.attributes,
})
/** An event with its metric's key beside it. */
export const importItem: z.ZodType<ParsedEvent & { readonly metric: string }> = z.object({
  metric: metricKey,
  // Of completions alone; here so that it is suggested.
  achievement: z.undefined({ error: 'must not be there beside metric' }).optional(),
  ...eventFields,
})

export interface ParsedCompletion {
  readonly achievement: string
  readonly user: ParsedUpsert
  readonly occurredAt: Date
  readonly idempotencyKey?: unknown
}

/** The completion of an achievement that has the trigger `api`. */
export const importedCompletion: z.ZodType<ParsedCompletion> = z.object({
  achievement: achievementKey,
  user: userUpsert,
  occurredAt: z.date({ error: 'must be a valid Date' }),
  idempotencyKey: eventFields.idempotencyKey,
})

export type ParsedBatchItem = ParsedEvent & { readonly key: string }

const MOST_IN_BATCH = 1_000

const batchItem = {
  key: metricKey,
  ...eventFields,
  idempotencyKey: z
    .string()
    .meta({ maxLength: 255 })
    .regex(VISIBLE_ASCII, 'must have 1 to 255 visible ASCII characters (no spaces)')
    .optional(),
}

export const eventBatch: z.ZodType<readonly ParsedBatchItem[]> = z.array(z.object(batchItem)).min(1).max(MOST_IN_BATCH)

/** Over HTTP instants are texts. */
export const eventBatchBody: z.ZodType<readonly ParsedBatchItem[]> = z
  .array(z.object({ ...batchItem, occurredAt: instant.optional() }))
  .min(1)
  .max(MOST_IN_BATCH)

/** Throws `value_out_of_range`. */
export function checkValue(value: number): void {
  const refusal = refuseValue(value)
  if (refusal !== null) throw new GamificationError(refusal.code, refusal.message)
}

/** Throws `invalid_idempotency_key`. Absent: null. */
export function readIdempotencyKey(key: unknown): string | null {
  if (key === undefined) return null
  if (typeof key === 'string' && VISIBLE_ASCII.test(key)) return key
  const message = 'The idempotency key must have 1 to 255 visible ASCII characters (no spaces).'
  throw new GamificationError('invalid_idempotency_key', message)
}
