import { z } from 'zod'
import type {
  CreatedWebhook,
  Webhook,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookTry,
} from '../../engine/answers/wire/webhooks.ts'
import { count, instant, type ShapeOf, uuid } from './parts.ts'

const state = z.enum(['waiting', 'done', 'dead'])

const webhook = {
  id: uuid,
  name: z.string().nullable(),
  url: z.string(),
  types: z.array(z.string()).describe('Types of messages that it is sent.'),
  order: z.enum(['user', 'none']),
  serviceSignature: z.boolean(),
  allowInternal: z.boolean().describe('Whether it may lead to internal addresses.'),
  status: z.enum(['active', 'disabled']),
  disabled: z
    .strictObject({ at: instant, because: z.enum(['update', 'gone']) })
    .nullable()
    .describe('When it was disabled, and whether by a call or because it answered 410; null while it is active.'),
  created: instant,
  deliveries: z
    .strictObject({ waiting: count, done: count, dead: count })
    .describe('How many wait, were delivered, and were given up, of the last 30 days.'),
} satisfies ShapeOf<Webhook>

export const webhookSchema: z.ZodType<Webhook> = z
  .strictObject(webhook)
  .meta({ id: 'Webhook', description: 'A webhook without its secret.' })

export const createdWebhookSchema: z.ZodType<CreatedWebhook> = z
  .strictObject({
    ...webhook,
    secret: z.string().describe('What signs. It is shown this once.'),
  } satisfies ShapeOf<CreatedWebhook>)
  .meta({ id: 'CreatedWebhook', description: 'A webhook just made, or with a new secret.' })

const webhookTrySchema: z.ZodType<WebhookTry> = z
  .strictObject({
    at: instant,
    status: z.number().int().nullable().describe('Of the answer; null: none came.'),
    durationMs: count,
    error: z.string().nullable().describe('Why the answer does not count, or why there is none.'),
    answer: z.string().describe('The first 1,024 bytes of what was answered.'),
  } satisfies ShapeOf<WebhookTry>)
  .meta({ id: 'WebhookTry', description: 'One try of a delivery.' })

const webhookDeliverySchema: z.ZodType<WebhookDelivery> = z
  .strictObject({
    id: uuid.describe("The message's, which the receiver sees as `webhook-id`."),
    type: z.string(),
    at: instant,
    tenant: z.string().nullable(),
    userId: z.string().nullable(),
    state,
    tries: count,
    nextTryAt: instant.nullable(),
    lastTry: webhookTrySchema.nullable(),
  } satisfies ShapeOf<WebhookDelivery>)
  .meta({ id: 'WebhookDelivery', description: 'A message on its way to a webhook, or what became of it.' })

export const webhookDeliveriesSchema: z.ZodType<WebhookDeliveries> = z
  .strictObject({
    deliveries: z.array(webhookDeliverySchema),
    before: z.number().int().nullable().describe('Asks for the next page; null: there are no more.'),
  } satisfies ShapeOf<WebhookDeliveries>)
  .meta({ id: 'WebhookDeliveries', description: 'A page of deliveries, the newest first.' })

export const replayedSchema: z.ZodType<{ readonly replayed: number }> = z
  .strictObject({ replayed: count.describe('How many deliveries are sent again.') })
  .meta({ id: 'ReplayedDeliveries', description: 'What is sent again.' })

export const deletedWebhookSchema: z.ZodType<{ readonly id: string }> = z
  .strictObject({ id: uuid })
  .meta({ id: 'DeletedWebhook', description: 'The webhook that was deleted.' })
