import { z } from 'zod'
import { optional, type Parsed, text } from '../input.ts'
import type {
  SecretRotation,
  WebhookDeliveriesRequest,
  WebhookReplayRequest,
  WebhookRequest,
  WebhookUpdate,
} from './request-types.ts'

const MOST_TYPES = 100
const MOST_IDS = 100
const MOST_IN_TYPE = 64
const MOST_IN_URL = 2_048
const MOST_IN_SECRET = 255
const LONGEST_OVERLAP_HOURS = 168
const DEFAULT_OVERLAP_HOURS = 24

export const webhookId: z.ZodType<string> = z.uuid('must be the id of a webhook: a UUID')

const types = z.array(text(MOST_IN_TYPE)).min(1).max(MOST_TYPES)
const order = z.enum(['user', 'none'])

/** What may be said of a webhook over HTTP. */
const told = {
  url: text(MOST_IN_URL),
  types,
  name: text(255).nullish(),
  order: optional(order),
  serviceSignature: optional(z.boolean()),
}

export const webhookBody: z.ZodType<Parsed<WebhookRequest>> = z.object({
  ...told,
  secret: optional(text(MOST_IN_SECRET)),
})
export const webhookRequest: z.ZodType<Parsed<WebhookRequest>> = z.object({
  ...told,
  secret: optional(text(MOST_IN_SECRET)),
  allowInternal: optional(z.boolean()),
})

const changed = {
  ...told,
  url: optional(told.url),
  types: optional(types),
  status: optional(z.enum(['active', 'disabled'])),
}

export const webhookUpdateBody: z.ZodType<Parsed<WebhookUpdate>> = z.object(changed)
export const webhookUpdate: z.ZodType<Parsed<WebhookUpdate>> = z.object({
  ...changed,
  allowInternal: optional(z.boolean()),
})

export const webhookDeliveriesRequest: z.ZodType<Parsed<WebhookDeliveriesRequest, 'limit'>> = z.object({
  limit: z.number().int().min(1).max(100).default(50),
  before: optional(z.number().int().min(1)),
  state: optional(z.enum(['waiting', 'done', 'dead'])),
})

export const webhookReplayRequest: z.ZodType<Parsed<WebhookReplayRequest>> = z
  .object({
    ids: optional(z.array(z.uuid('must be the id of a message: a UUID')).min(1).max(MOST_IDS)),
    state: optional(z.enum(['done', 'dead'])),
  })
  .refine(({ ids, state }) => ids === undefined || state === undefined, {
    error: 'must have ids or state, not both',
  })

export const secretRotation: z.ZodType<Parsed<SecretRotation, 'overlapHours'>> = z.object({
  secret: optional(text(MOST_IN_SECRET)),
  overlapHours: z.number().min(0).max(LONGEST_OVERLAP_HOURS).default(DEFAULT_OVERLAP_HOURS),
})
