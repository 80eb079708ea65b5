import { z } from 'zod'
import { optional, text } from './input.ts'

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

export interface ParsedSubscribe {
  readonly types: readonly string[]
  readonly from: 'now' | 'start'
  readonly deadLetterAfter?: number | undefined
}

export const subscribeOptions: z.ZodType<ParsedSubscribe> = z.strictObject({
  types: z.array(text(100)).min(1).max(MOST_TYPES),
  from: z.enum(['now', 'start']).default('now'),
  deadLetterAfter: optional(z.int().min(1).max(1_000_000)),
})

export const deadLettersRequest: z.ZodType<{ readonly limit: number; readonly before?: number | undefined }> =
  z.strictObject({
    limit: z.int().min(1).max(MOST_PAGE).default(100),
    before: optional(z.int().min(1)),
  })

export const retryRequest: z.ZodType<{ readonly ids?: readonly string[] | undefined }> = z.strictObject({
  ids: optional(z.array(text(100)).max(MOST_IDS)),
})

export const workOptions: z.ZodType<{ readonly signal?: AbortSignal | undefined; readonly pollMs: number }> =
  z.strictObject({
    signal: optional(z.instanceof(AbortSignal, { error: 'must be an AbortSignal' })),
    pollMs: z.number().min(1).max(3_600_000).default(1_000),
  })
