import { z } from 'zod'
import { optional, type Parsed, text } from '../input.ts'
import type { DeadLettersRequest, RetryRequest, SubscribeOptions, WorkOptions } from './subscriptions-request-types.ts'

const MOST_TYPES = 100
const MOST_PAGE = 1_000
const MOST_IDS = 1_000
/** A name that webhooks keep their own progress under. */
const RESERVED = 'webhooks'

/** The name of a subscription: 1 to 100 characters. */
export const subscriptionName: z.ZodString = text(100).check((context) => {
  if (context.value !== RESERVED) return
  context.issues.push({
    code: 'custom',
    message: `must not be '${RESERVED}', which webhooks have`,
    input: context.value,
  })
})

export const subscribeOptions: z.ZodType<Parsed<SubscribeOptions<string>, 'from'>> = z.strictObject({
  types: z.array(text(100)).min(1).max(MOST_TYPES),
  from: z.enum(['now', 'start']).default('now'),
  deadLetterAfter: optional(z.int().min(1).max(1_000_000)),
})

export const deadLettersRequest: z.ZodType<Parsed<DeadLettersRequest, 'limit'>> = z.strictObject({
  limit: z.int().min(1).max(MOST_PAGE).default(100),
  before: optional(z.int().min(1)),
})

export const retryRequest: z.ZodType<Parsed<RetryRequest>> = z.strictObject({
  ids: optional(z.array(text(100)).max(MOST_IDS)),
})

export const workOptions: z.ZodType<Parsed<WorkOptions, 'pollMs'>> = z.strictObject({
  signal: optional(z.instanceof(AbortSignal, { error: 'must be an AbortSignal' })),
  pollMs: z.number().min(1).max(3_600_000).default(1_000),
})
